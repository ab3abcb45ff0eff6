// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_compute_inputs.h"

#include <algorithm>
#include <bit>

#include "ir/ballot.h"

namespace spalt::lower {

using abi::EntryRole;
using ir::BuiltIn;
using ir::Op;
using ir::Value;

Result<void> ComputeInputFinder::visit(Value value) {
  const ir::Inst& inst = function_.inst(value);
  if (inst.op != Op::builtin) return {};
  const unsigned component = ir::builtin_component(inst.imm);
  if (component > 2) return Error{Status::invalid_input, "a built-in variable has at most three components"};
  switch (ir::builtin_of(inst.imm)) {
    case BuiltIn::num_workgroups:
      needs_.num_workgroups = true;
      break;
    case BuiltIn::workgroup_id:
      needs_.workgroup_id[component] = true;
      break;
    case BuiltIn::global_invocation_id:
      needs_.workgroup_id[component] = true;
      need_local_id(component);
      break;
    case BuiltIn::local_invocation_id:
      need_local_id(component);
      break;
    case BuiltIn::local_invocation_index:
    case BuiltIn::subgroup_id:
      for (unsigned i = 0; i < 3; ++i) need_local_id(i);
      break;
    case BuiltIn::subgroup_size:
    case BuiltIn::subgroup_invocation_id:
    case BuiltIn::num_subgroups:
    case BuiltIn::address_high:
      break;
    default:
      break;  // of other stages
  }
  return {};
}

void ComputeInputFinder::need_local_id(unsigned component) {
  // The squares mix x and y.
  if (facts_.derivatives == ir::DerivativeGroup::quads && component == 0) need_local_id(1);
  if (facts_.workgroup_size[component] == 1) return;
  needs_.local_id_components = std::max(needs_.local_id_components, static_cast<uint8_t>(component + 1));
}

/// Lanes follow each other by x, then y. For derivatives of squares each four of them must be one: the lanes of two
/// rows take the places of these rows square by square.
Value ComputeInputRewriter::local_id(unsigned component) {
  if (facts_.derivatives != ir::DerivativeGroup::quads || component == 2) return lane_id(component);
  const Value x = lane_id(0), y = lane_id(1);
  const Value odd_row = insert_.i(Op::iand, {y, insert_.constant(1)});
  const Value row = insert_.i(Op::imul, {odd_row, insert_.constant(facts_.workgroup_size[0])});
  const Value place = insert_.i(Op::iadd, {row, x});
  const Value half = insert_.i(Op::ushr, {place, insert_.constant(1)});
  const Value in_square = insert_.i(Op::iand, {component == 0 ? place : half, insert_.constant(1)});
  const Value square = insert_.i(Op::iand, {component == 0 ? half : y, insert_.constant(~1u)});
  return insert_.i(Op::ior, {square, in_square});
}

/// What the hardware calls the place of a lane in its workgroup.
Value ComputeInputRewriter::lane_id(unsigned component) {
  if (facts_.workgroup_size[component] == 1) return insert_.constant(0);
  static const char* const kNames[] = {"local_id_x", "local_id_y", "local_id_z"};
  return entry_.field(kNames[component], abi::role_of(EntryRole::local_id_x, component),
                      facts_.workgroup_size[component] - 1);
}

Value ComputeInputRewriter::workgroup_id(unsigned component) {
  static const char* const kNames[] = {"workgroup_id_x", "workgroup_id_y", "workgroup_id_z"};
  return entry_.field(kNames[component], abi::role_of(EntryRole::workgroup_id_x, component),
                      config_.max_workgroups[component] - 1);
}

Value ComputeInputRewriter::local_index() {
  const Value x = local_id(0);
  const Value y = local_id(1);
  return index_of(x, y);
}

Value ComputeInputRewriter::index_of(Value x, Value y) {
  const Value z = lane_id(2);
  const Value row = insert_.i(Op::imul, {z, insert_.constant(facts_.workgroup_size[1])});
  const Value yz = insert_.i(Op::iadd, {row, y});
  const Value before = insert_.i(Op::imul, {yz, insert_.constant(facts_.workgroup_size[0])});
  return insert_.i(Op::iadd, {before, x});
}

Value ComputeInputRewriter::global_id(unsigned component) {
  const Value group = workgroup_id(component);
  const Value first = insert_.i(Op::imul, {group, insert_.constant(facts_.workgroup_size[component])});
  const Value local = local_id(component);
  return insert_.i(Op::iadd, {first, local});
}

Value ComputeInputRewriter::num_workgroups(unsigned component) {
  const isa::Reg reg = entry_.interface().user_register(abi::kWorkgroup);
  const Value pointer = entry_.whole("workgroup_pointer", reg, ir::kI64);
  return entry_.constant_load(ir::kI32, pointer, insert_.constant(0), component * 4, 2);
}

/// Waves take the lanes of a workgroup in their order.
Value ComputeInputRewriter::subgroup_id() {
  if (facts_.invocations() <= config_.wave_size) return insert_.constant(0);
  const Value x = lane_id(0);
  const Value y = lane_id(1);
  const Value index = index_of(x, y);
  const auto log_wave = static_cast<uint32_t>(std::countr_zero(config_.wave_size));
  const Value wave = insert_.i(Op::ushr, {index, insert_.constant(log_wave)});
  return insert_.i(Op::read_first_lane, {wave});
}

Value ComputeInputRewriter::rewrite(const ir::Inst& inst) {
  const bool past_wave = inst.op == Op::ballot && (inst.imm & ir::kBallotDword) * 32 >= config_.wave_size;
  if (past_wave) return insert_.constant(0);
  if (inst.op != Op::builtin) return Value();
  const unsigned component = ir::builtin_component(inst.imm);
  switch (ir::builtin_of(inst.imm)) {
    case BuiltIn::workgroup_id:
      return workgroup_id(component);
    case BuiltIn::num_workgroups:
      return num_workgroups(component);
    case BuiltIn::local_invocation_id:
      return local_id(component);
    case BuiltIn::local_invocation_index:
      return local_index();
    case BuiltIn::global_invocation_id:
      return global_id(component);
    case BuiltIn::subgroup_size:
      return insert_.constant(config_.wave_size);
    case BuiltIn::subgroup_invocation_id:
    case BuiltIn::address_high:
      return Value();
    case BuiltIn::subgroup_id:
      return subgroup_id();
    case BuiltIn::num_subgroups:
      return insert_.constant(
          static_cast<uint32_t>((facts_.invocations() + config_.wave_size - 1) / config_.wave_size));
    default:
      return Value();  // of other stages
  }
  return Value();
}

}  // namespace spalt::lower
