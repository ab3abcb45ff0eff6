// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_interface.h"

#include <optional>
#include <string>

#include "amdgpu/lower/lower_compute_inputs.h"
#include "amdgpu/lower/lower_user_data.h"
#include "ir/names.h"

namespace spalt::lower {
namespace {

/// Whether the instruction is of those that the finders and rewriters look at.
bool is_interface(const ir::Function& function, ir::Value value) {
  const ir::Op op = function.inst(value).op;
  if (op == ir::Op::load) {
    const ir::StorageClass storage = function.access(value).storage;
    return storage == ir::StorageClass::push || storage == ir::StorageClass::uniform;
  }
  return ir::group(op) == ir::OpGroup::interface || op == ir::Op::ballot || ir::is_image_query(op);
}

/// Phase 1: calls both finders.
template <class InputFinder>
Result<void> find_needs(const ir::Function& function, UserDataFinder& user_data, InputFinder& inputs) {
  for (ir::BlockId block : function.layout()) {
    for (ir::Value value : ir::insts(function, block)) {
      if (!is_interface(function, value)) continue;
      if (Result<void> result = user_data.visit(value); !result) return result;
      if (Result<void> result = inputs.visit(value); !result) return result;
    }
  }
  return {};
}

/// Phase 3.
template <class InputRewriter>
void rewrite(ir::Function& function, Inserter& insert, UserDataRewriter& user_data, InputRewriter& inputs) {
  for (ir::BlockId block : function.layout()) {
    for (ir::Value value : ir::insts(function, block)) {
      if (!is_interface(function, value)) continue;
      const ir::Inst inst = function.inst(value);
      insert.before(value);
      ir::Value by = user_data.rewrite(value, inst);
      if (!by.valid()) by = inputs.rewrite(inst);
      if (by.valid()) insert.replace(value, by);
    }
  }
  insert.finish();
}

Result<abi::StageInterface> lower_compute(ir::Module& module, analysis::AnalysisCache& analyses,
                                          CompileContext& context, const LowerConfig& config) {
  const ArenaScope scope(context.scratch);
  ir::Function& function = module.functions[0];
  UserDataFinder user_data(module, *config.layout);
  ComputeInputFinder inputs(module);
  if (Result<void> found = find_needs(function, user_data, inputs); !found) return found.error();
  const abi::StageInterface interface = abi::assign_compute_interface(inputs.needs(), user_data.needs(), *config.layout,
                                                                      *config.target, config.wave_size);
  std::optional<analysis::Divergence> divergence;
  if (user_data.has_indexed_resources()) divergence = analysis::analyze_divergence(function, module, analyses, context);
  Inserter insert(function, context.scratch);
  EntryRegisters entry(module, interface, insert, context.scratch);
  UserDataRewriter user_data_rewriter(module, config, divergence ? &*divergence : nullptr, entry, insert);
  ComputeInputRewriter input_rewriter(module, config, entry, insert);
  rewrite(function, insert, user_data_rewriter, input_rewriter);
  entry.finish();
  module.stage = ir::Stage::lowered;
  return interface;
}

}  // namespace

Result<abi::StageInterface> lower_interface(ir::Module& module, analysis::AnalysisCache& analyses,
                                            CompileContext& context, const LowerConfig& config) {
  switch (module.shader_stage()) {
    case ir::ShaderStage::compute:
      return lower_compute(module, analyses, context, config);
    case ir::ShaderStage::vertex:
    case ir::ShaderStage::fragment:
      break;
  }
  return Error{Status::unsupported,
               "code for " + std::string(ir::shader_stage_name(module.shader_stage())) + " shaders is not supported"};
}

}  // namespace spalt::lower
