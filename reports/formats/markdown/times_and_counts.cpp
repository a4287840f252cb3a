#include "reports/formats/markdown/times_and_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "reports/formats/markdown/cell_tables.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/numbers/most_telling.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/words/columns.hpp"

namespace ladder::reports {
namespace {

// Those that say something of a time, and of any number of elements.
constexpr std::array<std::string_view, 7> counts_shown{"bytes over minimum",
                                                       "sectors per load",
                                                       "sectors used",
                                                       "active lanes",
                                                       "contention",
                                                       "barriers per thread",
                                                       "wavefronts per shared request"};

// Of one input: that of the times but for its size, where there is one, and one that most of the
// timed rungs were counted on.
std::vector<Cell> counts_beside(const std::vector<Cell>& times, const std::vector<Cell>& cells,
                                const Order& order) {
  const auto some_of = [](const std::vector<Cell>& all, const auto& chosen) {
    std::vector<Cell> some;
    std::ranges::copy_if(all, std::back_inserter(some), chosen);
    return some.empty() ? all : some;
  };
  std::set<Who> timed;
  for (const Cell& t : times)
    if (t.passed()) timed.insert(t.who);
  const auto is_timed = [&](const Cell& c) { return timed.contains(c.who); };
  std::vector<Cell> counted;
  std::ranges::copy_if(cells, std::back_inserter(counted), [](const Cell& c) {
    return c.how.backend == Backend::emulated && c.counters() != nullptr;
  });
  if (counted.empty()) return {};
  counted = some_of(counted, [&](const Cell& c) {
    return c.input.op == times[0].input.op && c.input.dtype == times[0].input.dtype;
  });
  const auto telling = of_most_telling_input(of_fullest_inputs(some_of(counted, is_timed)), order);
  std::erase_if(counted, [&](const Cell& c) {
    return group_input(c.input) != group_input(telling[0].input);
  });
  return counted;
}

// What a block or a grid does once weighs more in a small input.
std::string warning_of_sizes(const CellKey& timed, const CellKey& counted) {
  if (timed.input.n == counted.input.n) return "";
  return fmt::format(
      " **The sizes differ**: n = {} was timed and n = {} was counted, so counts for each element "
      "may differ from those of the timed input.",
      elements(timed.input.n), elements(counted.input.n));
}

std::string own_origin(const CellKey& timed, const CellKey& counted) {
  return fmt::format(
      "Columns headed *timed* are for {}. Columns headed *counted* come from the emulated backend, "
      "for {}.{} This backend counts the accesses "
      "of the code that the host compiler generated. `docs/counting.md` of the sources says where "
      "a GPU's compiler changes the counts.\n\n",
      input_in_words(timed), input_in_words(counted), warning_of_sizes(timed, counted));
}

std::string origin(const Excerpt& excerpt, const std::vector<Cell>& counts) {
  const Run& run = excerpt.from->run;
  const CellKey& input = excerpt.times[0].key();
  std::string text = fmt::format(
      "**Columns headed *GPU* are not of this run.** They were published: measured on {} in run {} "
      "of {}, at commit {}{}, for {}; *host result* is "
      "the "
      "time until the host holds the result.",
      escaped(gpu_name(*excerpt.from)), code(short_id(run)), escaped(run.date.substr(0, 10)),
      code(run.commit), run.dirty ? " with modified sources" : "", input_in_words(input));
  if (!counts.empty())
    text += fmt::format(" Columns headed *here* were counted in this run, for {}.{}",
                        input_in_words(counts[0].key()), warning_of_sizes(input, counts[0].key()));
  return text + "\n\n";
}

// The columns of a table, one after the other: each a heading and what it says in each row.
class Columns {
 public:
  explicit Columns(std::size_t rows) : rows_(rows) {}

  template <class Text>
  void add(std::string title, bool is_number, Text text) {
    titles_.push_back(std::move(title));
    is_number_.push_back(is_number);
    for (std::size_t r = 0; r < rows_.size(); ++r) rows_[r].push_back(text(r));
  }

  std::string markdown() const {
    std::vector<Heading> headings;
    for (std::size_t c = 0; c < titles_.size(); ++c)
      headings.push_back({titles_[c], is_number_[c]});
    return markdown_table(headings, rows_);
  }

 private:
  std::vector<std::string> titles_;
  std::vector<bool> is_number_;
  std::vector<std::vector<std::string>> rows_;
};

std::string table(const Excerpt& excerpt, const std::vector<Cell>& counts, const std::string& timed,
                  const std::string& counted) {
  const auto& times = excerpt.times;
  const Column& time = column("time (95 % interval)");
  Columns shown(times.size());
  const auto add = [&](const std::string& head, std::string_view title) {
    const Column& its = column(title);
    shown.add(fmt::format("{}{}", head, title), its.is_number,
              [&](std::size_t r) { return its.text(times[r]); });
  };
  add("", "rung");
  add("", "provider");
  shown.add(timed + std::string(time.title), true, [&](std::size_t r) {
    return times[r].passed() ? time.text(times[r])
                             : std::string(instead_of_numbers(times[r].verdict()));
  });
  for (const char* title : {"GB/s", "of ceiling", "vs fastest library", "vs same promise"})
    add(timed, title);
  shown.add(timed + "host result", true, [&](std::size_t r) {
    const auto same = excerpt.to_host.find(times[r].who);
    return same == excerpt.to_host.end() ? "" : time.text(same->second);
  });
  add(timed, "remarks");
  std::map<Who, const Cell*> its_counts;  // of two inputs the first
  for (const Cell& c : counts) its_counts.emplace(c.who, &c);
  for (const std::string_view title : counts_shown) {
    shown.add(fmt::format("{}{}", counted, title), true, [&](std::size_t r) {
      const auto same = its_counts.find(times[r].who);
      return same == its_counts.end() ? "" : column(title).text(*same->second);
    });
  }
  return shown.markdown();
}

}  // namespace

std::vector<Excerpt> excerpts(const Results& run, const Order& order,
                              const std::vector<Cell>& cells,
                              const std::vector<Results>& published) {
  const auto has = [&](Backend backend) {
    return std::ranges::any_of(cells, [&](const Cell& c) { return c.how.backend == backend; });
  };
  std::vector<Excerpt> found;
  const auto add = [&](const Results& set, const std::vector<Cell>& its_cells,
                       const Order& its_order) {
    Excerpt excerpt{&set, telling_gpu_times(its_cells, its_order), {}};
    if (excerpt.times.empty()) return;
    CellKey until_host = excerpt.times[0].key();
    until_host.how.contract = Contract::host_result;
    for (const Cell& c : its_cells)
      if (group_input(c.input) == group_input(until_host.input) && c.how == until_host.how)
        excerpt.to_host.emplace(c.who, c);
    found.push_back(std::move(excerpt));
  };
  if (cells.empty()) return {};
  if (has(Backend::cuda)) {
    if (has(Backend::emulated)) add(run, cells, order);
    return found;
  }
  for (const Results& set : published)
    if (const auto its_cells = of_operation(set.cells, cells[0].input.operation);
        !its_cells.empty())
      add(set, its_cells, Order(set));
  return found;
}

bool shows_published(const Results& run) {
  std::map<std::string, bool> has_gpu;
  for (const Cell& c : run.cells) has_gpu[c.input.operation] |= c.how.backend == Backend::cuda;
  return std::ranges::any_of(has_gpu, [](const auto& of) { return !of.second; });
}

std::string times_and_counts(const std::vector<Excerpt>& excerpts, const Results& run,
                             const Order& order, const std::vector<Cell>& cells) {
  if (excerpts.empty()) return "";
  if (excerpts[0].from == &run) {
    const auto& times = excerpts[0].times;
    const auto counts = counts_beside(times, cells, order);
    if (counts.empty()) return "";
    return "## Times beside counts\n\n" + own_origin(times[0].key(), counts[0].key()) +
           table(excerpts[0], counts, "timed: ", "counted: ") + '\n';
  }
  std::string text = "## On a GPU (published, not measured here)\n\n";
  for (const Excerpt& excerpt : excerpts) {
    const auto counts = counts_beside(excerpt.times, cells, order);
    text += origin(excerpt, counts) + table(excerpt, counts, "GPU: ", "here: ") + '\n';
  }
  return text;
}

}  // namespace ladder::reports
