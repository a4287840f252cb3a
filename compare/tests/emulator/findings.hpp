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
inline std::vector<emulated::Finding> findings_of(
    const std::function<void(emulated::Checking&)>& run) {
  emulated::Checking checking;
  try {
    run(checking);
  } catch (const emulated::KernelFault& fault) {
    auto all = checking.findings();
    all.push_back({emulated::Finding::Kind::fault, {}, {}, {}, fault.what(), {}});
    return all;
  } catch (const std::runtime_error& error) {
    auto all = checking.findings();
    all.push_back({emulated::Finding::Kind::wrong_answer, {}, {}, {}, error.what(), {}});
    return all;
  }
  return checking.findings();
}

inline std::string in_words(const std::vector<emulated::Finding>& findings) {
  std::string text;
  for (const auto& finding : findings)
    text +=
        std::string(name_of(finding.kind)) + ": " + finding.message + ' ' + finding.advice + '\n';
  return text;
}

}  // namespace ladder
