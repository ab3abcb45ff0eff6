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
/// ORDER is rlx, acq, rel, ar or sc, or of accesses that are no atomics: plain; own, which makes what it stores
/// available or what it loads visible by itself, so that no other operation of the test does; coh, to a variable that
/// is Coherent. x, y, z are in lines of their own, v is right behind x; s, t are in workgroup memory, w is right behind
/// s. Those in workgroup memory begin as neither 0 nor 1, the others as 0. Threads are separated by '|'.
struct Test {
  const char* name;
  const char* threads;
  const char* outcome;  ///< "r0=1 r1!0 x=2": results and final values that are, or are not, something
  Verdict verdict;      ///< of that outcome
  uint8_t scopes;       ///< bit i for variants of group i
  const char* source;   ///< of the verdict
};

/// Where variables are, but for those in workgroup memory.
enum class Memory : uint8_t {
  buffer,
  address,       ///< behind a physical pointer that all lanes share
  lane_address,  ///< behind one that each lane has loaded
  image,
  texel_buffer
};

/// What variables are.
struct Cells {
  Memory memory = Memory::buffer;
  uint8_t bits = 32;

  constexpr uint32_t bytes() const { return bits / 8; }
  constexpr bool has_texels() const { return memory == Memory::image || memory == Memory::texel_buffer; }
  constexpr bool has_address() const { return memory == Memory::address || memory == Memory::lane_address; }
  constexpr bool operator==(const Cells&) const = default;
};

/// A scope and the place of the threads that goes with it; what the variables are.
struct Variant {
  Place place;
  Scope scope;
  const char* name;
  uint8_t group;  ///< which tests have it
  Cells data{};   ///< variables of which no access is atomic
  Cells flags{};  ///< the others
};

constexpr Cells kWide{Memory::buffer, 64}, kBytes{Memory::buffer, 8}, kHalves{Memory::buffer, 16},
    kAddressed{Memory::address}, kLaneAddressed{Memory::lane_address}, kLaneHalves{Memory::lane_address, 16},
    kImage{Memory::image}, kWideImage{Memory::image, 64}, kTexels{Memory::texel_buffer}, kByteImage{Memory::image, 8},
    kHalfTexels{Memory::texel_buffer, 16};
constexpr Variant kVariants[] = {
    {Place::waves, Scope::workgroup, "workgroup", 0},
    {Place::waves, Scope::device, "device in one group", 1},
    {Place::groups, Scope::queue_family, "queue family", 2},
    {Place::groups, Scope::device, "device", 3},
    {Place::waves, Scope::workgroup, "workgroup, 64 bits", 0, kWide, kWide},
    {Place::groups, Scope::device, "device, 64 bits", 3, kWide, kWide},
    {Place::waves, Scope::workgroup, "workgroup, 8 bits", 0, kBytes},
    {Place::groups, Scope::device, "device, 8 bits", 3, kBytes},
    {Place::waves, Scope::workgroup, "workgroup, 16 bits", 0, kHalves},
    {Place::groups, Scope::device, "device, 16 bits", 3, kHalves},
    {Place::waves, Scope::workgroup, "workgroup, addresses", 0, kAddressed, kAddressed},
    {Place::waves, Scope::workgroup, "workgroup, addresses of lanes", 0, kLaneAddressed, kLaneAddressed},
    {Place::groups, Scope::device, "device, addresses", 3, kAddressed, kAddressed},
    {Place::groups, Scope::device, "device, addresses of lanes", 3, kLaneAddressed, kLaneAddressed},
    {Place::groups, Scope::device, "device, halves at addresses", 3, kLaneHalves, kLaneAddressed},
    {Place::waves, Scope::workgroup, "workgroup, images", 0, kImage, kImage},
    {Place::groups, Scope::device, "device, images", 3, kImage, kImage},
    {Place::groups, Scope::device, "device, data in images", 3, kImage},
    {Place::groups, Scope::device, "device, flags in images", 3, Cells{}, kImage},
    {Place::groups, Scope::device, "device, images of 64 bits", 3, kWideImage, kWideImage},
    {Place::groups, Scope::device, "device, bytes in images", 3, kByteImage, kImage},
    {Place::waves, Scope::workgroup, "workgroup, texel buffers", 0, kTexels, kTexels},
    {Place::groups, Scope::device, "device, texel buffers", 3, kTexels, kTexels},
    {Place::waves, Scope::workgroup, "workgroup, halves in texel buffers", 0, kHalfTexels, kTexels},
};
/// Those that run in every configuration; others in one of each memory system.
constexpr bool is_basic(const Variant& variant) {
  return variant.data == variant.flags && variant.data.memory == Memory::buffer;
}

std::span<const Test> tests();

// ---- parsed ----

enum class Order : uint8_t { plain, own, coherent, relaxed, acquire, release, acq_rel, seq_cst };
constexpr bool is_atomic(Order order) {
  return order >= Order::relaxed;
}
enum class OperationKind : uint8_t { store, load, update, returning_update, spin, fence, barrier, touch };

/// x, y, z, v, s, w, t by number. The first three have lines of their own.
constexpr unsigned kLines = 3, kBehindX = 3, kBufferVariables = 4, kSharedVariables = 3, kResults = 8;
constexpr unsigned kFirstShared = kBufferVariables, kBehindS = kFirstShared + 1;
constexpr bool is_shared(unsigned variable) {
  return variable >= kFirstShared;
}

struct Operation {
  OperationKind kind;
  Order order = Order::plain;
  uint8_t variable = 0;
  uint8_t result = 0;
  uint32_t value = 0;
};

/// Results, then final values of the variables that are not in workgroup memory.
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
  bool is_sequentially_consistent() const { return has_order(Order::seq_cst); }
  bool has_order(Order order) const;
  /// Whether no access to the variable is atomic.
  bool is_data(unsigned variable) const;
  const Cells& cells_of(unsigned variable, const Variant& variant) const;
  /// Whether the test is not the same with other cells.
  bool depends_on(const Variant& variant) const;
  bool matches(const Outcome& outcome) const;
};

/// Throws std::runtime_error on a mistake in the text.
Program parse(const Test& test);

}  // namespace spalt::litmus
