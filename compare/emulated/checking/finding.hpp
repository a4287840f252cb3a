// What a check finds, in words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ladder::emulated {

struct Finding {
  enum class Kind {
    race,
    uninitialised_shared,
    uninitialised_global,
    exited_before_barrier,
    fault,
    wrong_answer
  };
  Kind kind;
  std::string kernel;
  std::string line, other_line;  // in the source; a race has two
  std::string message;           // what happened: block and thread, memory, what is missing
  std::string advice;            // what usually mends it
  std::uint64_t times = 1;       // it was seen

  // allowed, and often not meant
  bool is_remark() const { return kind == Kind::exited_before_barrier; }
};
std::string_view name_of(Finding::Kind kind);

}  // namespace ladder::emulated
