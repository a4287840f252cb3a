#include "compare/worker/trees.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "compare/worker/backend.hpp"
#include "compare/worker/processes.hpp"
#include "compare/worker/run.hpp"
#include "reports/model/element_types.hpp"

namespace ladder {
namespace {

// heights in all, 64 MiB: those of every size that is verified fit many times over
constexpr std::uint64_t most_kept = 1 << 24;

Tree measured(const Implementation& rung, Problem& leaves, Contract contract) {
  probe::set_schedule(0);  // the one that does not vary
  const auto prepared = rung.prepare_tree(leaves.device());
  leaves.poison();
  Tree tree;
  tree.work = probe::count_joins([&] { run_to_its_end(*prepared, leaves, contract, {}); });
  tree.flaw = leaves.check(contract, {}).reason;
  if (!tree.flaw.empty()) return tree;
  tree.summation.heights = leaves.heights(contract);
  tree.steps = tree.summation.heights.empty() ? 0 : std::ranges::max(tree.summation.heights);
  if (!rung.card.same_bits_every_run) tree.summation.heights.clear();
  return tree;
}

std::shared_ptr<const Tree> unknown() {
  static const auto tree = std::make_shared<const Tree>();
  return tree;
}

}  // namespace

Summation as_said(const Card& card) {
  return {.is_compensated = card.compensated,
          .flushes_subnormals = card.flushes_subnormals,
          .returns_elements = card.returns_elements || card.accumulates_elements,
          .accumulates_elements = card.accumulates_elements};
}

std::shared_ptr<const Tree> Trees::of(const Implementation& rung, const Problem& problem,
                                      Contract contract) {
  if (Summation said = as_said(rung.card); said != Summation())
    return std::make_shared<const Tree>(Tree{.summation = std::move(said)});
  if (rung.prepare_tree == nullptr || rung.card.expected_wrong) return unknown();
  // no process has the heights of all
  if (problem.spec().devices > 0 && Team::rank) return unknown();
  const Key key{rung.prepare_tree, problem.spec().n, problem.spec().offset, problem.spec().devices,
                contract};
  if (const auto known = kept_.find(key); known != kept_.end()) return known->second;
  std::shared_ptr<const Tree> tree = unknown();
  try {
    if (Problem* const leaves = leaves_of(problem))
      tree = std::make_shared<const Tree>(measured(rung, *leaves, contract));
  } catch (const backend::OutOfMemory&) {
    release();
  } catch (...) {
    release();
    throw;
  }
  keep(key, tree);
  return tree;
}

std::shared_ptr<const Tree> Trees::to_judge(const Implementation& rung, const Problem& problem,
                                            Contract contract) {
  return problem.depends_on_summation() || as_said(rung.card) != Summation()
             ? of(rung, problem, contract)
             : unknown();
}

void Trees::release() {
  leaves_.reset();
}

Problem* Trees::leaves_of(const Problem& problem) {
  const ProblemSpec& spec = problem.spec();
  Shape shape{spec.operation, spec.n, spec.offset, spec.devices,
              reports::element_type(spec.dtype).bytes};
  if (leaves_ && shape_ == shape) return leaves_.get();
  release();  // first: both may not fit
  leaves_ = problem.leaves();
  shape_ = std::move(shape);
  return leaves_.get();
}

void Trees::keep(const Key& key, const std::shared_ptr<const Tree>& tree) {
  kept_heights_ += tree->summation.heights.size();
  if (kept_heights_ > most_kept) {
    kept_.clear();
    kept_heights_ = tree->summation.heights.size();
  }
  kept_.emplace(key, tree);
}

Verdict check(Problem& problem, Contract contract, const Tree& tree, RightAnswer* last_right) {
  Verdict verdict = problem.check(contract, tree.summation, last_right);
  if (!tree.flaw.empty()) {
    verdict.pass = false;
    verdict.reason += (verdict.reason.empty() ? "" : "; ") + tree.flaw;
  }
  agree(verdict);
  return verdict;
}

}  // namespace ladder
