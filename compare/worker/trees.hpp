// The trees in which implementations combine elements: measured, where they can be, by running each
// over Height (operators.hpp).
//
// A bound on the error of a float sum follows from the height of its tree (problem/bounds.hpp). Of
// an implementation that says nothing of its order, only n - 1 is certain; measured, it is some
// log2 n for most.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "compare/operation.hpp"
#include "compare/registry.hpp"

namespace ladder {

struct Tree {
  // of every run: without heights where they are not known, or vary from run to run
  Summation summation = {};
  std::optional<std::uint64_t> steps = {};  // the largest of this run
  // applications of the operator to two elements, on a backend that counts them
  std::optional<std::uint64_t> work = {};
  // why it is no tree of all elements; empty where it is one
  std::string flaw = {};
};

// What a card says of how its rung sums.
Summation as_said(const Card& card);

// What one process has measured.
class Trees {
 public:
  // The tree of `rung` on inputs such as the problem's: measured once, kept for the next time.
  // Nothing is known where the implementation or the operation has no Height, is wrong on purpose,
  // or the leaves do not fit. What the run throws is the rung's failure.
  std::shared_ptr<const Tree> of(const Implementation& rung, const Problem& problem,
                                 Contract contract);

  // That, where the verdict on an answer goes by it.
  std::shared_ptr<const Tree> to_judge(const Implementation& rung, const Problem& problem,
                                       Contract contract);

  // Frees what is held for the next implementation on the same input.
  void release();

 private:
  // of leaves: operation, n, offset, devices, 8 bytes
  using Shape = std::tuple<std::string, std::uint64_t, unsigned, unsigned, bool>;
  using Key = std::tuple<decltype(Implementation::prepare_tree), std::uint64_t, unsigned, unsigned,
                         Contract>;

  Problem* leaves_of(const Problem& problem);  // null: there are none
  void keep(const Key& key, const std::shared_ptr<const Tree>& tree);

  std::map<Key, std::shared_ptr<const Tree>> kept_;
  std::uint64_t kept_heights_ = 0;
  Shape shape_;
  std::unique_ptr<Problem> leaves_;  // of shape_
};

// Whether the last run of the implementation that has this tree gave the right answer. last_right:
// as for Problem::check.
Verdict check(Problem& problem, Contract contract, const Tree& tree,
              RightAnswer* last_right = nullptr);

}  // namespace ladder
