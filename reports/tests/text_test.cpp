// Foreign text and tables on a terminal.
#include "reports/text/escape.hpp"
#include "reports/text/lists.hpp"

#include "compare/tests/catch.hpp"

using namespace ladder::reports;

TEST_CASE("no control character reaches a terminal, whichever way it is written") {
  CHECK(printable("a\x1b[31mb\x7f\n") == "a [31mb  ");
  CHECK(printable("a\xc2\x9b"
                  "31mb\xc2\x80\xc2\x9f") == "a  31mb    ");  // U+009B alone begins a command too
  CHECK(printable("\xc2\xa0 caf\xc3\xa9 \xc3\x9b") == "\xc2\xa0 caf\xc3\xa9 \xc3\x9b");
  CHECK(printable("\u2028\u2029") == "      ");
}

TEST_CASE("no foreign text turns round what follows it") {
  for (const char* mark : {"\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e",
                           "\u2066", "\u2067", "\u2068", "\u2069"}) {
    CHECK(printable(std::string("a") + mark + "b") == "a   b");
    CHECK(escaped(std::string("a") + mark + "b") == "a   b");
    CHECK(code(std::string("a") + mark + "b") == "a   b");
  }
  CHECK(printable("a\u061cb") == "a  b");
}

TEST_CASE("no foreign text has characters that nobody sees") {
  for (const char* unseen : {"\u00ad", "\u034f", "\u115f", "\u180e", "\u200b", "\u200d", "\u2060",
                             "\u2065", "\u206a", "\u206f", "\u3164", "\ufe00", "\ufe0f", "\ufeff",
                             "\ufffb", "\U0001d173", "\U000e0001", "\U000e0fff"}) {
    const std::string seen = std::string("a") + std::string(std::string(unseen).size(), ' ') + "b";
    CHECK(printable(std::string("a") + unseen + "b") == seen);
    CHECK(code(std::string("a") + unseen + "b") == seen);
  }
  for (const char* seen : {"\u00ac\u00ae", "\u061b\u061d", "\u200a\u2010",
                           "\u2027\u202f\u205f\u2070", "\ufe10", "\ufffc", "\U000e1000"})
    CHECK(printable(seen) == seen);
}

TEST_CASE("nothing in foreign text becomes a link") {
  CHECK(escaped("https://evil.example") == "https:<span></span>//evil.example");
  CHECK(escaped("see WWW.evil.example, ftp://x") ==
        "see WWW<span></span>.evil.example, ftp:<span></span>//x");
  CHECK(escaped("mailto:a@evil.example") == "mailto:a&#64;<span></span>evil.example");
  CHECK(escaped("a: b, c://") == "a: b, c:<span></span>//");
  CHECK(escaped("ww.x a/b :/ w.") == "ww.x a/b :/ w.");
}

TEST_CASE("bytes that are no UTF-8 are replaced") {
  for (const char* wrong : {"\xe9", "\xc2", "\xc0\x8a", "\xe2\x80", "\xe0\x82\x80", "\xed\xa0\x80",
                            "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xff"}) {
    const std::string line = one_line(std::string("a") + wrong + "b");
    INFO(line);
    CHECK(line.starts_with("a\uFFFD"));
    CHECK(line.ends_with("\uFFFDb"));
    CHECK(one_line(line) == line);
  }
  for (const char* right : {"", "caf\u00e9", "\u20ac", "\U0001F600", "\U0010FFFF", "\uD7FF"})
    CHECK(one_line(right) == right);
}

TEST_CASE("a text is cut between two characters") {
  CHECK(beginning("abc", 3) == "abc");
  CHECK(beginning("abc", 2) == "ab");
  CHECK(beginning("ab\u20ac", 4) == "ab");
  CHECK(beginning("\u20ac", 2).empty());
}

TEST_CASE("a long text without one whole character is cut to nothing") {
  CHECK(printable(std::string(201, '\x80')) == "...");
}

TEST_CASE("columns are as wide as their widest text") {
  CHECK(joined(aligned({{"row", "a"}, {"time", "1 us"}, {"x", "123"}}, 1), "") ==
        "  row time    x\n  a   1 us  123\n");
  CHECK(aligned({{"a", ""}}, 1) == std::vector<std::string>{"  a\n", "\n"});
}
