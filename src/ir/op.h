// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace spalt::ir {

enum class Op : uint16_t {
#define SPALT_OP(name, group, operands, result, properties) name,
#include "ir/ops.def"
#undef SPALT_OP
  count
};

/// What kind of operation a row of ops.def is.
enum class OpGroup : uint8_t {
  value,     ///< without a block: constants, undef, parameters
  move,      ///< phi, select, vectors, bit casts: changes no bits
  subgroup,  ///< between lanes
  integer,   ///< arithmetic and bits, carries included
  integer_compare,
  floating,  ///< float arithmetic
  float_compare,
  integer_convert,  ///< between integer widths
  float_convert,    ///< with a float on one side
  interface,        ///< what the shader gets from outside
  memory,           ///< load and store
  atomic,
  image,        ///< texels, and queries about images
  synchronize,  ///< barriers
  terminate
};

enum class ResultRule : uint8_t { none, same, boolean, stated };

/// Properties of an operation; see ops.def.
enum OpProperty : uint8_t {
  kPure = 1u << 0,
  kCommutes = 1u << 1,
  kReads = 1u << 2,
  kWrites = 1u << 3,
  kBarrier = 1u << 4,
  kEnds = 1u << 5,
  kLanes = 1u << 6
};

struct OpInfo {
  static constexpr uint8_t kAnyOperands = 0xff;
  std::string_view name;
  OpGroup group;
  uint8_t operand_count;
  ResultRule result;
  uint8_t properties;
  bool has(uint8_t property) const { return (properties & property) != 0; }
};

extern const OpInfo kOpInfos[static_cast<unsigned>(Op::count)];
inline const OpInfo& info(Op op) {
  return kOpInfos[static_cast<unsigned>(op)];
}
/// The operation with this mnemonic, or Op::count.
Op find_op(std::string_view name);

inline bool is_terminator(Op op) {
  return info(op).has(kEnds);
}
inline bool is_pure(Op op) {
  return info(op).has(kPure);
}
/// True if the result depends on the operands and on which lanes run.
inline bool depends_on_lanes(Op op) {
  return info(op).has(kLanes);
}
inline OpGroup group(Op op) {
  return info(op).group;
}
inline bool is_atomic(Op op) {
  return group(op) == OpGroup::atomic;
}
inline bool is_float_atomic(Op op) {
  return op == Op::atomic_fadd || op == Op::atomic_fmin || op == Op::atomic_fmax;
}
/// Loads, stores and atomic operations: the immediate is a MemoryAccess.
inline bool is_memory(Op op) {
  return group(op) == OpGroup::memory || is_atomic(op);
}
/// Image operations: the immediate is an ImageAccess.
inline bool is_image(Op op) {
  return group(op) == OpGroup::image;
}
/// A set of operations.
class OpSet {
 public:
  constexpr OpSet() = default;
  constexpr OpSet(std::initializer_list<Op> ops) {
    for (Op op : ops) add(op);
  }
  constexpr void add(Op op) { words_[word(op)] |= bit(op); }
  constexpr bool has(Op op) const { return (words_[word(op)] & bit(op)) != 0; }
  constexpr bool meets(const OpSet& other) const {
    uint64_t common = 0;
    for (size_t i = 0; i < words_.size(); ++i) common |= words_[i] & other.words_[i];
    return common != 0;
  }

 private:
  static constexpr size_t word(Op op) { return static_cast<size_t>(op) / 64; }
  static constexpr uint64_t bit(Op op) { return uint64_t{1} << static_cast<unsigned>(op) % 64; }

  std::array<uint64_t, (static_cast<size_t>(Op::count) + 63) / 64> words_{};
};

/// A value without a block: constant, undef or parameter.
inline bool is_free_value(Op op) {
  return group(op) == OpGroup::value;
}

}  // namespace spalt::ir
