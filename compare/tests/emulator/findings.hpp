// What the checker finds, for tests.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "compare/emulated/calls/runtime.hpp"
#include "compare/emulated/worker/control.hpp"

namespace ladder {

// What one run comes to. What stops a kernel is a finding too, and so is what else is thrown: a
// wrong answer.
inline std::vector<protocol::Finding> findings_of(const std::function<void()>& run) {
  const emulated::Checking checking;
  try {
    run();
  } catch (const emulated::KernelFault& fault) {
    auto all = emulated::checker::findings();
    all.push_back({.kind = "fault", .message = fault.what()});
    return all;
  } catch (const std::runtime_error& error) {
    auto all = emulated::checker::findings();
    all.push_back({.kind = "wrong answer", .message = error.what()});
    return all;
  }
  return emulated::checker::findings();
}

inline std::string in_words(const std::vector<protocol::Finding>& findings) {
  std::string text;
  for (const auto& finding : findings)
    text += finding.kind + ": " + finding.message + ' ' + finding.advice + '\n';
  return text;
}

}  // namespace ladder
