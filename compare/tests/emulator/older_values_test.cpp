// Which older values a read may find.
#include "compare/emulated/checking/older_values.hpp"

#include <memory>
#include <set>

#include "compare/tests/catch.hpp"

using namespace ladder::emulated;

namespace {

constexpr std::uintptr_t word = 0x1000;
constexpr std::uint64_t present = 0xffff;

// A word that the threads of block 0 read, and those of block 1 have stored 10, 11, .. to in turn;
// the last one is the present one.
struct Word {
  explicit Word(unsigned stores) {
    reader->begin(0, 1024, 0, {});
    writer->begin(1, 1024, 0, {});
    for (unsigned k = 0; k < stores; ++k) store(10 + k, writer->now(0));
  }
  void store(std::uint64_t overwritten, const Epoch& by) {
    values.overwritten(word, 4, overwritten, {},
                       {.epoch = by, .access = Access::store, .is_volatile = true});
  }

  // What `thread` may find, `present` included, in many draws.
  std::set<std::uint64_t> may_find(unsigned thread, std::size_t size = 4) {
    std::set<std::uint64_t> found;
    for (unsigned k = 0; k < 1000; ++k) {
      const auto* const version = values.choose(word, size, *reader, thread, random);
      found.insert(version == nullptr ? present : version->value);
    }
    return found;
  }
  void finds(unsigned thread, std::uint64_t value) {
    const OlderValues::Version* version = nullptr;
    while (value != present && (version == nullptr || version->value != value))
      version = values.choose(word, 4, *reader, thread, random);
    values.found(word, reader->now(thread), version);
  }

  OlderValues values;
  std::unique_ptr<Order> reader = std::make_unique<Order>(), writer = std::make_unique<Order>();
  std::mt19937_64 random{1};
};

using Values = std::set<std::uint64_t>;

}  // namespace

TEST_CASE(
    "a read finds the present value, or one from before stores that are not ordered before it: of "
    "the last four") {
  CHECK(Word(0).may_find(0) == Values{present});
  CHECK(Word(1).may_find(0) == Values{10, present});
  CHECK(Word(4).may_find(0) == Values{10, 11, 12, 13, present});
  CHECK(Word(6).may_find(0) == Values{12, 13, 14, 15, present});
}

TEST_CASE(
    "a store that is ordered before the read hides what it has overwritten, and all before that") {
  Word mine(2);
  mine.store(12, mine.reader->now(5));
  mine.store(13, mine.writer->now(0));
  CHECK(mine.may_find(5) == Values{13, present});
  CHECK(mine.may_find(6) == Values{10, 11, 12, 13, present});
  mine.reader->barrier();
  CHECK(mine.may_find(6) == Values{13, present});
}

TEST_CASE("who has found a value finds no older one any more, nor does who is ordered after it") {
  Word seen(3);
  seen.finds(0, 11);
  CHECK(seen.may_find(0) == Values{11, 12, present});
  CHECK(seen.may_find(1) == Values{10, 11, 12, present});
  seen.finds(0, present);
  CHECK(seen.may_find(0) == Values{present});
  CHECK(seen.may_find(1) == Values{10, 11, 12, present});
  seen.reader->barrier();
  CHECK(seen.may_find(1) == Values{present});
}

TEST_CASE(
    "a word that is accessed in another way, in another width or by too many threads has no older "
    "values") {
  CHECK(Word(2).may_find(0, 8) == Values{present});

  Word forgotten(2);
  forgotten.values.forget(word + 3, 1);
  CHECK(forgotten.may_find(0) == Values{present});

  Word wider(2);
  wider.values.overwritten(word, 8, 12, {}, {wider.writer->now(0), Access::store, true, false, {}});
  CHECK(wider.may_find(0) == Values{present});
  CHECK(wider.may_find(0, 8) == Values{present});

  Word crowded(2);
  for (unsigned thread = 0; thread < 128; ++thread) crowded.finds(thread, 10);
  CHECK(crowded.may_find(200) == Values{10, 11, present});
  crowded.finds(128, 10);
  CHECK(crowded.may_find(200) == Values{present});
}
