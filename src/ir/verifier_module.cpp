// SPDX-License-Identifier: MIT
// What the stage allows, and the fields of the module that belong to no function.
#include <array>
#include <tuple>

#include "ir/verifier_context.h"

namespace spalt::ir {
namespace {

/// Empty if the stage allows it, else why not.
std::string_view illegal(Stage stage, const Inst& inst) {
  const bool access = is_memory(inst.op);
  const StorageClass storage = MemoryAccess::unpack(inst.imm).storage;
  if (stage == Stage::core) {
    if (inst.op == Op::arg) return "entry registers exist in the lowered stage only";
    if (inst.op == Op::builtin && builtin_of(inst.imm) == BuiltIn::address_high) {
      return "address_high exists in the lowered stage only";
    }
    if (inst.op == Op::hand_over) return "registers are handed over in the lowered stage only";
    if (inst.op == Op::fsin_turns || inst.op == Op::fcos_turns) return "sines of turns exist in the lowered stage only";
    if (access && storage == StorageClass::constant) return "constant memory exists in the lowered stage only";
    if (inst.op == Op::fetch || inst.op == Op::export_to || inst.op == Op::allocate_exports || inst.op == Op::covered ||
        inst.op == Op::interpolate || inst.op == Op::parameter || inst.op == Op::load_parameter ||
        inst.op == Op::interpolate_quad || inst.op == Op::store_parameter || inst.op == Op::pack_export) {
      return "fetches, exports and parameters exist in the lowered stage only";
    }
    return {};
  }
  if (inst.op == Op::input || inst.op == Op::output) return "inputs and outputs exist in the core stage only";
  if (inst.op == Op::resource || inst.op == Op::sampler || inst.op == Op::buffer_key)
    return "resources exist in the core stage only";
  if (inst.op == Op::builtin && !is_lowered_builtin(builtin_of(inst.imm))) {
    return "built-ins but subgroup_invocation_id and address_high exist in the core stage only";
  }
  if (inst.type.scalar == Scalar::resource) return "resources exist in the core stage only";
  if (access && storage == StorageClass::push) return "push constants exist in the core stage only";
  return {};
}

Error module_error(std::string message) {
  return Error{Status::internal_error, std::move(message), Error::kNoOffset, {}, 0};
}

Result<void> verify_facts(const ComputeFacts& facts) {
  for (uint32_t size : facts.workgroup_size) {
    if (size == 0) return module_error("the workgroup is empty in one dimension");
  }
  const auto& size = facts.workgroup_size;
  const bool squares = size[0] % 2 == 0 && size[1] % 2 == 0;
  if (facts.derivatives == DerivativeGroup::quads && !squares) {
    return module_error("the workgroup cannot be cut into squares of two by two");
  }
  if (facts.derivatives == DerivativeGroup::linear && facts.invocations() % 4 != 0) {
    return module_error("the workgroup cannot be cut into groups of four");
  }
  return {};
}

/// No two values go to one register.
Result<void> verify_handed(const Module& module) {
  if (module.stage == Stage::core && !module.handed.empty()) {
    return module_error("registers are handed over in the lowered stage only");
  }
  std::array<std::array<bool, 256>, 2> taken{};
  for (const HandedRegister& handed : module.handed) {
    if (handed.reg >= 256) {
      return module_error("handed register '" + std::string(handed.name.view()) + "' does not fit the register file");
    }
    bool& is_taken = taken[static_cast<unsigned>(handed.file)][handed.reg];
    if (is_taken) return module_error("two values are handed over in one register");
    is_taken = true;
  }
  return {};
}

Result<void> verify_facts(const VertexFacts&) {
  return {};
}

Result<void> verify_facts(const FragmentFacts&) {
  return {};
}

Result<void> verify_zeroed(const Module& module) {
  uint64_t end = 0;
  for (const SharedRange& range : module.zeroed_shared) {
    const std::string name = "the zeroed range at " + std::to_string(range.begin);
    if (range.begin % 16 != 0) return module_error(name + " does not begin at a multiple of 16");
    if (range.begin < end) return module_error(name + " overlaps another one or is out of order");
    end = uint64_t{range.begin} + range.bytes;
    if (end > module.shared_bytes) return module_error(name + " reaches beyond workgroup memory");
  }
  if (module.stage == Stage::core || module.zeroed_shared.empty()) return {};
  return module_error("zeroed ranges exist in the core stage only");
}

}  // namespace

bool verify_stage(VerifyContext& context) {
  for (BlockId id : context.function.layout()) {
    for (Value value : insts(context.function, id)) {
      const std::string_view reason = illegal(context.module.stage, context.inst(value));
      if (!reason.empty()) return context.fail(value, std::string(reason));
    }
  }
  return true;
}

Result<void> verify_module_fields(const Module& module) {
  if (module.functions.empty()) return module_error("the module has no entry point");
  if (Result<void> facts = std::visit([](const auto& f) { return verify_facts(f); }, module.shader); !facts) {
    return facts;
  }
  for (size_t i = 1; i < module.bindings.size(); ++i) {
    const Binding& a = module.bindings[i - 1];
    const Binding& b = module.bindings[i];
    if (std::tie(a.set, a.binding, a.kind) >= std::tie(b.set, b.binding, b.kind)) {
      return module_error("binding " + std::to_string(b.set) + ", " + std::to_string(b.binding) +
                          " is out of order or there twice");
    }
  }
  if (Result<void> zeroed = verify_zeroed(module); !zeroed) return zeroed;
  for (const ScratchVariable& variable : module.scratch_variables) {
    if (uint64_t{variable.offset} + variable.bytes > module.scratch_bytes) {
      return module_error("the scratch variable at " + std::to_string(variable.offset) +
                          " reaches beyond scratch memory");
    }
  }
  if (module.tables.size() % 4 != 0) return module_error("the constant tables are no whole number of dwords");
  const auto* vertex = std::get_if<VertexFacts>(&module.shader);
  if (module.stage == Stage::core && vertex != nullptr && vertex->all_lanes) {
    return module_error("that all lanes run is said in the lowered stage only");
  }
  const auto* fragment = std::get_if<FragmentFacts>(&module.shader);
  if (module.stage == Stage::core && fragment != nullptr && fragment->whole_quads) {
    return module_error("that quads are whole is said in the lowered stage only");
  }
  if (module.stage == Stage::core && !module.args.empty()) {
    return module_error("entry registers exist in the lowered stage only");
  }
  for (const EntryArg& arg : module.args) {
    if (arg.dwords == 0 || arg.reg + arg.dwords > 256) {
      return module_error("entry register '" + std::string(arg.name.view()) + "' does not fit the register file");
    }
  }
  if (Result<void> handed = verify_handed(module); !handed) return handed;
  return {};
}

}  // namespace spalt::ir
