// Foreign text and tables on a terminal.
#include "reports/text.hpp"

#include "compare/tests/catch.hpp"

using namespace ladder::reports;

TEST_CASE("no control character reaches a terminal, whichever way it is written") {
  CHECK(printable("a\x1b[31mb\x7f\n") == "a [31mb  ");
  CHECK(printable("a\xc2\x9b"
                  "31mb\xc2\x80\xc2\x9f") == "a  31mb    ");  // U+009B alone begins a command too
  CHECK(printable("\xc2\xa0 caf\xc3\xa9 \xc3\x9b") == "\xc2\xa0 caf\xc3\xa9 \xc3\x9b");
  CHECK(printable("\xc2") == "\xc2");
}

TEST_CASE("no foreign text turns round what follows it") {
  for (const char* mark : {"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"}) {
    CHECK(printable(std::string("a") + mark + "b") == "a   b");
    CHECK(escaped(std::string("a") + mark + "b") == "a   b");
    CHECK(code(std::string("a") + mark + "b") == "a   b");
  }
  CHECK(printable("\u2029\u202f\u2065\u206a\u20aa") == "\u2029\u202f\u2065\u206a\u20aa");
}

TEST_CASE("a long text without one whole character is cut to nothing") {
  CHECK(printable(std::string(201, '\x80')) == "...");
}

TEST_CASE("columns are as wide as their widest text") {
  CHECK(joined(aligned({{"row", "a"}, {"time", "1 us"}, {"x", "123"}}, 1), "") == "  row time    x\n  a   1 us  123\n");
  CHECK(aligned({{"a", ""}}, 1) == std::vector<std::string>{"  a\n", "\n"});
}
