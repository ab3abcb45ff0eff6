// SPDX-License-Identifier: MIT
// What the parts of the verifier share. Internal to src/ir.
#pragma once
#include <string>

#include "base/result.h"
#include "ir/module.h"
#include "ir/names.h"

namespace spalt::ir {

/// What an error is about: an instruction, one of its operands, or a block.
struct Place {
  static constexpr int kWhole = -1;
  Value value;
  int operand = kWhole;
  BlockId block;
};

/// One function under verification and the first fault found in it.
struct VerifyContext {
  static constexpr uint32_t kNoPosition = 0xffffffffu;

  VerifyContext(const Module& m, const Function& f, ShaderStage stage)
      : module(m), function(f), shader(stage), position(f.block_capacity(), kNoPosition) {}

  const Module& module;
  const Function& function;
  ShaderStage shader;                 ///< whose code the function is
  IdMap<BlockId, uint32_t> position;  ///< index in the layout; filled by verify_structure

  bool faulty = false;
  bool printable = false;  ///< instruction lists are known to end
  Place place;
  std::string message;

  const Inst& inst(Value value) const { return function.inst(value); }
  Type operand_type(Value value, unsigned index) const { return function.type(function.operand(value, index)); }
  bool in_layout(BlockId block) const { return position.contains(block) && position[block] != kNoPosition; }

  /// Records a fault; returns false for use in a return statement.
  bool fail(Place where, std::string what) {
    faulty = true;
    place = where;
    message = std::move(what);
    return false;
  }
  bool fail(Value value, std::string what) { return fail(Place{value, Place::kWhole, {}}, std::move(what)); }
  bool fail(BlockId block, std::string what) { return fail(Place{{}, Place::kWhole, block}, std::move(what)); }
  bool fail_operand(Value value, unsigned index, std::string what) {
    return fail(Place{value, static_cast<int>(index), {}}, std::move(what));
  }

  /// The operand has exactly this type.
  bool expect_operand(Value value, unsigned index, Type type) {
    const Type found = operand_type(value, index);
    if (found == type) return true;
    return fail_operand(value, index,
                        "operand " + std::to_string(index) + " of " + std::string(info(inst(value).op).name) +
                            " has type " + type_name(found) + ", expected " + type_name(type));
  }
  bool expect_result(Value value, Type type) {
    const Type found = inst(value).type;
    if (found == type) return true;
    return fail(value, "the result of " + std::string(info(inst(value).op).name) + " has type " + type_name(found) +
                           ", expected " + type_name(type));
  }
};

// Each returns false after a fault. Later parts rely on earlier ones, in this order.
bool verify_structure(VerifyContext& context);
bool verify_cfg(VerifyContext& context);
bool verify_types(VerifyContext& context);
bool verify_memory(VerifyContext& context);
bool verify_images(VerifyContext& context);
bool verify_interface(VerifyContext& context);
bool verify_stage(VerifyContext& context);
bool verify_ssa(VerifyContext& context);

/// Fields of the module that belong to no function.
Result<void> verify_module_fields(const Module& module);

}  // namespace spalt::ir
