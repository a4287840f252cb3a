#include "reports/words/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <tuple>

#include "reports/model/element_types.hpp"
#include "reports/numbers/cells.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"
#include "reports/text/numbers.hpp"

namespace ladder::reports {

std::string cell_name(const CellKey& key) {
  const auto word = [](const auto& of) { return of ? std::string(name_of(*of)) : ""; };
  std::vector<std::string> parts{key.input.operation,
                                 key.input.op.value_or(""),
                                 key.input.dtype,
                                 "n = " + elements(key.input.n),
                                 key.input.distribution + what_few_have(key.input),
                                 key.who.provider + '/' + key.who.rung,
                                 std::string(name_of(key.how.backend)),
                                 word(key.how.contract),
                                 word(key.how.cache)};
  std::erase(parts, "");
  return printable(joined(parts));
}

std::string what_few_have(const Input& input) {
  return (input.bins ? ", " + counted(*input.bins, "bin") : "") + displaced(input.offset) +
         over_devices(input.devices, input.process_for_each_device);
}

std::string displaced(unsigned offset) {
  return offset == 0 ? "" : fmt::format(", displaced by {}", offset);
}

std::string over_devices(unsigned devices, bool process_for_each) {
  if (devices == 0) return process_for_each ? ", on each device" : "";
  return fmt::format(", over {}{}", counted(devices, "device"),
                     process_for_each ? ", in a process each" : "");
}

std::string_view mark_of_reference(const Cell& cell, const Cells& beside) {
  return cell.input.devices == 0 && most_devices_of(beside) > 0 ? " (one device)" : "";
}

std::string rung_in_words(const Cell& cell, const Cells& beside) {
  return fmt::format("{}{}{}", code(cell.who.rung), is_library(cell) ? " (library)" : "",
                     mark_of_reference(cell, beside));
}

std::string source_of(const Rung& rung) {
  return rung.from.empty() ? rung.source : fmt::format("The folder {}. {}", rung.from, rung.source);
}

std::string shards_in_words(const Results& results) {
  if (results.shard) return fmt::format("shard {} of {}", results.shard->number, results.shard->of);
  if (results.merged.empty()) return "";
  std::set<std::string> gpus;
  for (const MergedShard& shard : results.merged)
    if (shard.machine.gpu) gpus.insert(shard.machine.gpu->uuid);
  return counted(results.merged.size(), "shard") +
         (gpus.empty() ? "" : " on " + counted(gpus.size(), "GPU"));
}

std::string short_id(const Run& run) {
  return run.id.substr(run.id.find(':') + 1).substr(0, 12);
}

std::string day_of(const Run& run) {
  return escaped(run.date.substr(0, 10));
}

std::string commit_of(const Run& run) {
  return code(run.commit.substr(0, 12));
}

std::string gpu_name(const Results& results) {
  return results.machine.gpu ? results.machine.gpu->name : "an unnamed GPU";
}

namespace {

using Shown = std::string (*)(std::string_view);

std::string in_words(const CellKey& key, Shown name, Shown word) {
  const auto size = elements(key.input.n) == grouped(key.input.n)
                        ? grouped(key.input.n)
                        : fmt::format("{} ({})", elements(key.input.n), grouped(key.input.n));
  return fmt::format("{}{}, {}, n = {}, input {}{}{}", name(key.input.operation),
                     key.input.op ? " by " + word(*key.input.op) : "", word(key.input.dtype), size,
                     word(key.input.distribution), what_few_have(key.input),
                     key.how.cache ? fmt::format(", {} cache", name_of(*key.how.cache)) : "");
}

}  // namespace

std::string input_in_words(const CellKey& key) {
  return in_words(key, code, escaped);
}

std::string input_in_plain_words(const CellKey& key) {
  return in_words(key, printable, printable);
}

std::string input_in_short(const Input& input) {
  return fmt::format("{}{}, n = {}{}", input.op ? escaped(*input.op) + ", " : "",
                     escaped(input.dtype), elements(input.n), what_few_have(input));
}

std::string spaced(std::string_view name) {
  std::string words(name);
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string capitalised(std::string sentence) {
  if (!sentence.empty() && 'a' <= sentence[0] && sentence[0] <= 'z')
    sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
  return sentence;
}

std::string_view on_the(Backend backend) {
  return backend == Backend::emulated ? "on the emulated backend"
         : backend == Backend::cuda   ? "on the GPU"
                                      : "on the CPU";
}

std::string observed_on(Backend backend) {
  return fmt::format("{} {}", backend == Backend::emulated ? "counted" : "timed", on_the(backend));
}

std::string how_in_words(const How& how, const Input& input) {
  std::string parts;
  if (how.contract) parts += ", " + spaced(name_of(*how.contract));
  if (how.cache) parts += ", " + spaced(name_of(*how.cache)) + " cache";
  parts += what_few_have(input);
  return capitalised(observed_on(how.backend)) + (parts.empty() ? "" : ": " + parts.substr(2));
}

std::string article_of(std::string_view name) {
  const bool is_spelt = name.starts_with("NVIDIA");  // as it is spoken
  return is_spelt || (!name.empty() && has(std::string_view("AEIOU"), name[0])) ? "an" : "a";
}

std::string does_in_words(const Input& input) {
  const std::string bits =
      printable(input.dtype.substr(std::min<std::size_t>(input.dtype.size(), 1)));
  const auto kind = [&] {
    // there are two floats of 16 bits
    const bool has_bits = !bits.empty() && bits.find_first_not_of("0123456789") == bits.npos &&
                          is_accumulated_as_it_is(input.dtype);
    switch (has_bits ? input.dtype[0] : ' ') {
      case 'i':
        return bits + "-bit integers";
      case 'u':
        return bits + "-bit unsigned integers";
      case 'f':
        return bits + "-bit floats";
      default:
        return "elements of type " + printable(input.dtype);
    }
  };
  const std::string what = fmt::format("{} {}", elements(input.n), kind());
  if (input.operation == "reduce" && input.op == "sum") return "sums " + what;
  return fmt::format("runs `{}`{} over {}", printable(input.operation),
                     input.op ? " by " + printable(*input.op) : "", what);
}

bool is_of_cccl(const Rung& rung) {
  return rung.library.starts_with("CUB ") || rung.library.starts_with("Thrust ");
}

std::string library_in_short(const Rung& rung) {
  return short_version(is_of_cccl(rung) ? "CCCL" + rung.library.substr(rung.library.find(' '))
                                        : rung.library);
}

std::string short_version(std::string_view name) {
  static const std::regex third("(\\d+\\.\\d+)\\.\\d+");
  return std::regex_replace(std::string(name), third, "$1");
}

std::string compiler_in_words(std::string_view compiler) {
  return (compiler.starts_with("GNU ") ? "GCC" : std::string(compiler.substr(0, 3))) +
         std::string(compiler.substr(std::min<std::size_t>(compiler.size(), 3)));
}

std::string device_in_words(const Results& results) {
  const std::string shards = shards_in_words(results);
  return printable(results.machine.gpu ? results.machine.gpu->name : results.machine.cpu) +
         (shards.empty() ? "" : fmt::format(" ({})", shards));
}

std::string until_in_words(const How& how) {
  if (!how.contract) return observed_on(Backend::emulated);
  return *how.contract == Contract::device_result ? "until the result is in the GPU's memory"
                                                  : "until the host holds the result";
}

std::string_view verdict_in_words(Verdict verdict) {
  return verdict == Verdict::expected_wrong ? "wrong on purpose" : name_of(verdict);
}

std::string verdicts(const Cells& cells) {
  std::map<Verdict, std::size_t> count;
  for (const Cell& c : cells) ++count[c.verdict()];
  std::vector<std::string> parts;
  for (const auto& [verdict, one, many] :
       {std::tuple(Verdict::pass, "passed", "passed"),
        {Verdict::fail, "**failed**", "**failed**"},
        {Verdict::expected_wrong, "is wrong on purpose", "are wrong on purpose"},
        {Verdict::skipped, "was skipped", "were skipped"},
        {Verdict::crashed, "**crashed**", "**crashed**"},
        {Verdict::timeout, "**did not end in time**", "**did not end in time**"}})
    if (count[verdict] > 0) parts.push_back(counted(count[verdict], one, many));
  return enumerated(parts);
}

}  // namespace ladder::reports
