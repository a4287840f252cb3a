// write_page <results.json> <report.html> [<warning>]...: for the tests in a browser.
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "reports/json.hpp"
#include "reports/page.hpp"

int main(int count, char** words) try {
  if (count < 3) throw std::invalid_argument("write_page <results.json> <report.html> [<warning>]...");
  const std::string text = ladder::reports::page(ladder::reports::read(words[1]), {}, {words + 3, words + count});
  std::ofstream out(words[2], std::ios::binary);
  out << text << std::flush;
  return out ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
