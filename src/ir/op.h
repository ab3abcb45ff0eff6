// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>

namespace spalt::ir {

enum class Op : uint16_t {
#define SPALT_OP(name, operands, result, properties) name,
#include "ir/ops.def"
#undef SPALT_OP
  count
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
  uint8_t operand_count;
  ResultRule result;
  uint8_t properties;
  bool has(uint8_t property) const { return (properties & property) != 0; }
};

const OpInfo& info(Op op);
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
inline bool is_atomic(Op op) {
  return op >= Op::atomic_exchange && op <= Op::atomic_xor;
}
inline bool is_memory(Op op) {
  return op >= Op::load && op <= Op::atomic_xor;
}

}  // namespace spalt::ir
