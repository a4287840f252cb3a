// The contract between operations and implementations. Read this file first.
//
// An operation (compare/operations/) says what is computed, what counts as equal, and which bytes
// must move. It never says who computes it. It is a template over the element type, and over the
// operator where it has operators:
//
//   template <class T, class Op = Sum>
//   struct Reduce {
//     static constexpr std::string_view name = "reduce";
//     using types = Numbers;                               // of an element
//     using operators = TypeList<Sum, Product, Min, Max>;  // TypeList<>: it has none
//
//     struct Device {                 // the arguments; all arrays are in device memory
//       const T* in;
//       std::size_t n;
//       Accumulator<T>* out;          // what elements are accumulated in: float for F16, else T
//       std::size_t results() const;  // elements of out
//     };
//   };
//
// An implementation (handwritten/, vendor/) is a class template over the same parameters. Its file
// opens with its card and ends with its registration (compare/register.hpp). Its name is the path
// of its file: there is no list to add it to.
//
//   constexpr Card card{.idea = "...", .costs = "...", .limited_by = "..."};
//
//   template <class T, class Op>
//   class Interleaved {
//    public:
//     // Prepares: scratch memory, launch shape. Not timed.
//     explicit Interleaved(const typename Reduce<T, Op>::Device& device);
//     // Frees what the constructor allocated.
//     ~Interleaved();
//
//     // device_result: enqueues one run, which leaves the answer in device memory. Timed, so it
//     // neither allocates nor waits.
//     void operator()(Stream stream);
//
//     // host_result: one run whose answer the host has on return. Timed. Without it, operator()
//     // and a copy are timed.
//     void to_host(Stream stream, Out* out);
//
//     // Optional, called before every run, not timed: renews a copy of the input that the kernel
//     // destroys.
//     void restore(Stream stream);
//
//     // Optional: clock cycles of the last run, which was a single block.
//     std::uint64_t sm_cycles();
//   };
//
//   const Register<Reduce, Interleaved> rung{card};
//
// device_result and host_result are the two timing contracts. One of them is enough: a library call
// that returns its result, such as thrust::reduce, has to_host() alone. A time of one contract
// never stands beside a time of the other. Where the operation has few results,
//
//     void operator()(Stream stream, Out* out);
//
// may stand in place of both. Out is what Device::out points to. It leaves the answer at `out`,
// which is page-locked memory of the host for host_result; then no device memory is copied.
//
// An implementation gives the right answer for every n, 0 and 1 included, and for pointers that are
// aligned to the element type and no more. It leaves its input unchanged. Every function may throw;
// the message reaches the report.
//
// A struct without a constructor will do: its first member is the Device, and each further one is
// initialised from those before it.
//
// An implementation over devices takes Spread<Device>, data that is spread over several devices, in
// place of Device, and the Team in place of the stream (compare/team.hpp). RegisterOverDevices
// registers it.
//
// The registration also instantiates the class with Height (compare/operators.hpp), which measures
// the tree in which it combines elements. A class template whose constraints refuse Height, or
// integers, is not measured; one whose constraints refuse an operator is not registered for it.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "compare/backend.hpp"
#include "compare/elements.hpp"
#include "compare/operators.hpp"
#include "reports/model/vocabulary.hpp"

namespace ladder {

using reports::Contract, reports::name_of;

// The library of a call, and its version by its own headers. A part that they do not say is -1.
struct Library {
  std::string_view name = {};
  int release = -1, update = -1, patch = -1;
  // of the name of a rung that is the same file, compiled with a newer version: "_3_5"
  std::string_view ending = {};
};

// A rung's description of itself. It is data, so a report can show it. Each text is one or two
// plain sentences without a line break. A hand-written rung has idea, costs and limited_by, and
// step where it follows another; a library call has idea, library and source. Tests check that.
struct Card {
  std::string_view idea;  // what it does, in one sentence
  // the rung one step down the ladder, faster or slower; empty for a first rung. Orders the ladder.
  std::string_view follows = {};
  std::string_view step = {};        // what it does that the rung it follows does not
  std::string_view costs = {};       // what it spends on that
  std::string_view limited_by = {};  // what keeps it from being faster
  // what was wrong in the study notes, and what stands here instead; empty if nothing was
  std::string_view repaired = {};
  // of a library call: what its time includes, and how it differs from a rung
  std::string_view to_know = {};
  // the study notes it comes from, "N1 N4"; empty for a rung of our own
  std::string_view notes = {};
  Library library = {};          // of a library call
  std::string_view source = {};  // the author of the idea; of a library call, its header
  std::string_view needs = {};   // hardware it cannot run without, "sm_90"
  std::uint64_t max_elements = ~std::uint64_t{0};  // larger inputs are skipped ..
  std::string_view max_reason = {};                // .. and this is why
  // it also adds up the rounding errors: held to the bound of twice the precision
  bool compensated = false;
  // it adds f32 by atomics on global memory, which take subnormal numbers for 0 (PTX ISA, atom)
  bool flushes_subnormals = false;
  // of elements that are not accumulated as they are: a value is returned in the type of the
  // elements, at the start of the output, where others return an Accumulator
  bool returns_elements = false;
  // they are, even so: held to the bound of their own precision. It returns elements too.
  bool accumulates_elements = false;
  // tested; false where floats are combined in an order that varies
  bool same_bits_every_run = true;
  // over devices: they reach each other by the team's collective calls alone, so each may be of
  // another process
  bool collective = false;
  bool expected_wrong = false;  // the mistake is the lesson; the tests check that it is caught
};

// The texts of a card, each under its name in reports::Rung. A new text needs a line here.
inline constexpr std::pair<std::string_view, std::string_view Card::*> card_texts[] = {
    {"idea", &Card::idea},       {"follows", &Card::follows},       {"step", &Card::step},
    {"costs", &Card::costs},     {"limited_by", &Card::limited_by}, {"repaired", &Card::repaired},
    {"to_know", &Card::to_know}, {"source", &Card::source},
};

}  // namespace ladder
