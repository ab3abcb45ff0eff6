// SPDX-License-Identifier: MIT
// What a stage gets and gives: built-ins, inputs, outputs, helper invocations.
#include "ir/verifier_context.h"

namespace spalt::ir {
namespace {

class InstInterface {
 public:
  InstInterface(VerifyContext& context, Value value)
      : c_(context), value_(value), inst_(context.inst(value)), access_(InterfaceAccess::unpack(inst_.imm)) {}

  bool run() {
    switch (inst_.op) {
      case Op::builtin:
        return builtin();
      case Op::input:
        return input();
      case Op::output:
        return output();
      case Op::demote:
        return in_fragment() && c_.expect_operand(value_, 0, kBool);
      case Op::is_helper:
        return in_fragment();
      case Op::read_clock:
        if (inst_.imm > 1) return fail("reads clock " + std::to_string(inst_.imm) + " of two");
        return c_.expect_result(value_, Type{Scalar::i32, 2});
      case Op::fetch:
        return fetch();
      case Op::export_to:
        return export_to();
      case Op::covered:
        return in_fragment();
      case Op::interpolate:
        return parameter() && c_.expect_operand(value_, 1, kF32) && c_.expect_operand(value_, 2, kF32);
      case Op::parameter:
      case Op::load_parameter:
        return parameter();
      case Op::interpolate_quad:
        return in_fragment() && c_.expect_result(value_, kF32) && c_.expect_operand(value_, 0, kF32) &&
               c_.expect_operand(value_, 1, kF32) && c_.expect_operand(value_, 2, kF32);
      case Op::pack_export:
        return pack_export();
      case Op::allocate_exports:
        return in_vertex() && c_.expect_operand(value_, 0, kI32);
      case Op::store_parameter:
        return store_parameter();
      case Op::hand_over:
        return hand_over();
      default:
        return true;
    }
  }

 private:
  bool fail(std::string what) { return c_.fail(value_, std::string(info(inst_.op).name) + " " + std::move(what)); }
  ShaderStage stage() const { return c_.shader; }
  bool in_fragment() { return stage() == ShaderStage::fragment || fail("exists in fragment shaders only"); }

  bool in_vertex() { return stage() == ShaderStage::vertex || fail("exists in vertex shaders only"); }

  /// One to four components of 32 bits.
  bool fetch() {
    if (!in_vertex()) return false;
    const Type type = inst_.type;
    if (type.components > 4 || (type.element() != kI32 && type.element() != kF32)) {
      return fail("cannot have type " + type_name(type));
    }
    const Type descriptor = Type{Scalar::i32, 4};
    return c_.expect_operand(value_, 0, descriptor) && c_.expect_operand(value_, 1, kI32);
  }

  bool store_parameter() {
    if (!in_vertex()) return false;
    if (inst_.imm >= kExportParameters) return fail("names no parameter");
    const Type four = Type{Scalar::i32, 4};
    return c_.expect_operand(value_, 0, four) && c_.expect_operand(value_, 1, kI32) &&
           c_.expect_operand(value_, 2, kI32) && c_.expect_operand(value_, 3, four);
  }

  bool parameter() {
    if (!in_fragment()) return false;
    // Of `parameter`, the upper byte is the vertex.
    const uint64_t vertex = inst_.op == Op::parameter ? inst_.imm >> 8 : 0;
    if (inst_.imm - (vertex << 8) >= 4 * kExportParameters || vertex > 2) return fail("names no parameter");
    return c_.expect_result(value_, kF32) && c_.expect_operand(value_, 0, kI32);
  }

  bool pack_export() {
    if (inst_.imm < static_cast<uint64_t>(PackKind::half) || inst_.imm > static_cast<uint64_t>(PackKind::sint16)) {
      return fail("has an unknown kind");
    }
    const Type type = inst_.imm <= static_cast<uint64_t>(PackKind::snorm16) ? kF32 : kI32;
    return in_fragment() && c_.expect_result(value_, kI32) && c_.expect_operand(value_, 0, type) &&
           c_.expect_operand(value_, 1, type);
  }

  bool export_to() {
    const ExportAccess access = ExportAccess::unpack(inst_.imm);
    if (stage() == ShaderStage::compute) return fail("does not exist in compute shaders");
    if (export_target_name(access.target).empty()) return fail("has an unknown target");
    if (access.mask > 0xf) return fail("has more than four channels");
    if (inst_.operand_count != access.operands())
      return fail("needs " + std::to_string(access.operands()) + " operands");
    for (unsigned i = 0; i < inst_.operand_count; ++i) {
      const Type type = c_.operand_type(value_, i);
      if (type != kI32 && type != kF32) return c_.fail_operand(value_, i, "export_to cannot take " + type_name(type));
    }
    return true;
  }

  bool hand_over() {
    if (stage() == ShaderStage::compute) return fail("does not exist in compute shaders");
    const size_t registers = c_.module.handed.size();
    if (inst_.operand_count != registers + 1) {
      return fail("needs a condition and a value for each handed register, " + std::to_string(registers + 1));
    }
    if (!c_.expect_operand(value_, 0, kBool)) return false;
    for (unsigned i = 1; i < inst_.operand_count; ++i) {
      const Type type = c_.operand_type(value_, i);
      if (type != kI32 && type != kF32) return c_.fail_operand(value_, i, "hand_over cannot take " + type_name(type));
    }
    const Value next = inst_.next;
    const bool at_end = next.valid() && c_.function.inst(next).op == Op::ret && !c_.function.inst(next).next.valid() &&
                        c_.function.block(c_.function.layout().back()).last == next;
    return at_end || fail("stands right before the end of the last block");
  }

  bool builtin() {
    if (builtin_name(inst_.imm).empty()) return fail("names no built-in");
    const BuiltInInfo& row = builtin_info(builtin_of(inst_.imm));
    if (!row.in(stage())) {
      return fail(std::string(row.name) + " does not exist in " + std::string(shader_stage_name(stage())) + " shaders");
    }
    return c_.expect_result(value_, row.type);
  }

  /// Whether the stage has such an input or output.
  bool exists() const {
    const bool is_input = inst_.op == Op::input;
    switch (access_.semantic) {
      case Semantic::location:
        return stage() != ShaderStage::compute;
      case Semantic::position:
      case Semantic::point_size:
      case Semantic::layer:
      case Semantic::viewport_index:
        return stage() == ShaderStage::vertex && !is_input;
      case Semantic::clip_distance:
      case Semantic::cull_distance:
        return stage() == (is_input ? ShaderStage::fragment : ShaderStage::vertex);
      case Semantic::depth:
      case Semantic::stencil_reference:
      case Semantic::sample_mask:
        return stage() == ShaderStage::fragment && !is_input;
      case Semantic::barycentric:
        return stage() == ShaderStage::fragment && is_input;
    }
    return false;
  }

  bool fields() {
    if (static_cast<unsigned>(access_.semantic) >= kSemantics || access_.reserved != 0) return fail("is unknown");
    if (!exists()) {
      return fail(interface_name(access_) + " does not exist in " + std::string(shader_stage_name(stage())) +
                  " shaders");
    }
    const unsigned numbers = access_.semantic == Semantic::location ? kMaxLocations : kMaxDistances;
    if (access_.number >= (is_numbered(access_.semantic) ? numbers : 1)) return fail("has too large a number");
    return access_.component < semantic_components(access_.semantic) || fail("has a component that does not exist");
  }

  /// Components have 16 or 32 bits; a component of 64 bits takes two.
  bool type(Type type) {
    const bool ok = !type.is_vector() && (type.is_integer() || type.is_float()) && type.bits() >= 16;
    return ok || fail("cannot have type " + type_name(type));
  }

  bool input() {
    if (!fields() || !type(inst_.type)) return false;
    const bool fragment = stage() == ShaderStage::fragment;
    const bool per_vertex = access_.interpolation == Interpolation::per_vertex;
    if (access_.index > (per_vertex ? 2 : 0)) return fail("has an index that does not exist");
    if (fragment != (access_.interpolation != Interpolation::none)) {
      return fail(fragment ? "says not how it is interpolated" : "cannot be interpolated in this stage");
    }
    const bool varies = is_interpolated(access_.interpolation);
    if (access_.semantic == Semantic::barycentric && !varies) return fail("does not say how it varies");
    if (!varies && access_.place != SamplePlace::center) return fail("has a place, but is not interpolated");
    if (varies && !inst_.type.is_float()) return fail("interpolates " + type_name(inst_.type));
    const unsigned operands = place_operands(access_.place);
    if (inst_.operand_count != operands) return fail("needs " + std::to_string(operands) + " operands");
    for (unsigned i = 0; i < operands; ++i) {
      if (!c_.expect_operand(value_, i, access_.place == SamplePlace::at_offset ? kF32 : kI32)) return false;
    }
    return true;
  }

  bool output() {
    if (!fields() || !type(c_.operand_type(value_, 0))) return false;
    if (access_.interpolation != Interpolation::none || access_.place != SamplePlace::center) {
      return fail("is interpolated, which only inputs are");
    }
    const bool blends = stage() == ShaderStage::fragment && access_.semantic == Semantic::location;
    return access_.index <= (blends ? 1 : 0) || fail("has an index that does not exist");
  }

  VerifyContext& c_;
  Value value_;
  const Inst& inst_;
  const InterfaceAccess access_;
};

}  // namespace

bool verify_interface(VerifyContext& context) {
  for (BlockId id : context.function.layout()) {
    for (Value value : insts(context.function, id)) {
      if (group(context.inst(value).op) == OpGroup::interface && !InstInterface(context, value).run()) return false;
    }
  }
  return true;
}

}  // namespace spalt::ir
