// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace spalt::litmus {

/// Where the threads of a test run: each is a wave, of one workgroup or of one of its own.
enum class Place : uint8_t { waves, groups };
enum class Scope : uint8_t { workgroup, queue_family, device };

enum class Verdict : uint8_t {
  forbidden,  ///< must never be seen
  shown,      ///< allowed, and the hierarchy can do it: must be seen
  allowed     ///< may be seen or not
};

/// Threads and what they may see. The text of a thread is a list of operations:
///   W x 1 ORDER      store
///   R x ORDER r0     load into result r0
///   A x 1 ORDER      atomic or, result not used
///   U x ORDER r0     atomic or with 0 for its result
///   S x ORDER        loads until the value is not 0
///   F ORDER          fence
///   B                all waves meet; a control barrier that orders memory
///   P x              loads a word beside x, so that caches hold the line of x
/// ORDER is plain (no atomic), rlx, acq, rel, ar or sc. x, y, z are in a buffer, in lines of their own; s, t in
/// workgroup memory. Those in the buffer begin as 0, the others as neither 0 nor 1. Threads are separated by '|'.
struct Test {
  const char* name;
  const char* threads;
  const char* outcome;  ///< "r0=1 r1!0 x=2": results and final values that are, or are not, something
  Verdict verdict;      ///< of that outcome
  uint8_t scopes;       ///< bit i for variants of group i
  const char* source;   ///< of the verdict
};

/// A scope and the place of the threads that goes with it; how wide the variables are.
struct Variant {
  Place place;
  Scope scope;
  const char* name;
  uint8_t group;         ///< which tests have it
  bool is_wide = false;  ///< 64 bits, not 32
};
constexpr uint32_t cell_bytes(const Variant& variant) {
  return variant.is_wide ? 8 : 4;
}
constexpr Variant kVariants[] = {
    {Place::waves, Scope::workgroup, "workgroup", 0},
    {Place::waves, Scope::device, "device in one group", 1},
    {Place::groups, Scope::queue_family, "queue family", 2},
    {Place::groups, Scope::device, "device", 3},
    {Place::waves, Scope::workgroup, "workgroup, 64 bits", 0, true},
    {Place::groups, Scope::device, "device, 64 bits", 3, true},
};

std::span<const Test> tests();

// ---- parsed ----

enum class Order : uint8_t { plain, relaxed, acquire, release, acq_rel, seq_cst };
enum class OperationKind : uint8_t { store, load, update, returning_update, spin, fence, barrier, touch };

constexpr unsigned kBufferVariables = 3, kSharedVariables = 2, kResults = 8;
/// x, y, z, s, t by number.
constexpr unsigned kFirstShared = kBufferVariables;

struct Operation {
  OperationKind kind;
  Order order = Order::plain;
  uint8_t variable = 0;
  uint8_t result = 0;
  uint32_t value = 0;
};

/// Results, then final values of the buffer's variables.
using Outcome = std::array<uint32_t, kResults + kBufferVariables>;

struct Condition {
  unsigned slot;  ///< of Outcome
  uint32_t value;
  bool equal;
};

struct Program {
  std::vector<std::vector<Operation>> threads;
  std::vector<Condition> condition;

  bool uses_shared() const;
  bool is_sequentially_consistent() const;
  bool matches(const Outcome& outcome) const;
};

/// Throws std::runtime_error on a mistake in the text.
Program parse(const Test& test);

}  // namespace spalt::litmus
