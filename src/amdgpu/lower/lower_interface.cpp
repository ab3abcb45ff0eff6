// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_interface.h"

#include <optional>
#include <string>

#include "amdgpu/lower/lower_compute_inputs.h"
#include "amdgpu/lower/lower_fragment_inputs.h"
#include "amdgpu/lower/lower_fragment_outputs.h"
#include "amdgpu/lower/lower_helper_lanes.h"
#include "amdgpu/lower/lower_user_data.h"
#include "amdgpu/lower/lower_vertex_inputs.h"
#include "amdgpu/lower/lower_vertex_outputs.h"
#include "amdgpu/lower/vertex_frame.h"
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
void rewrite(ir::Function& function, Inserter& insert, UserDataRewriter& user_data, InputRewriter&& inputs) {
  for (ir::BlockId block : function.layout()) {
    for (ir::Value value : ir::insts(function, block)) {
      if (!is_interface(function, value)) continue;
      const ir::Inst inst = function.inst(value);
      insert.before(value);
      ir::Value by = user_data.rewrite(value, inst);
      if (!by.valid()) by = inputs(value, inst);
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
  rewrite(function, insert, user_data_rewriter,
          [&](ir::Value, const ir::Inst& inst) { return input_rewriter.rewrite(inst); });
  entry.finish();
  module.stage = ir::Stage::lowered;
  return interface;
}

/// The body of a primitive shader is what a vertex program is.
Result<abi::StageInterface> lower_vertex(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context,
                                         const LowerConfig& config) {
  const ArenaScope scope(context.scratch);
  ir::Function& function = module.functions[0];
  const abi::VertexHardware& hardware = abi::vertex_hardware(*config.target);
  const bool merged = !hardware.has_vertex_stage || (config.primitive_shader && hardware.has_primitive_shader);
  UserDataFinder user_data(module, *config.layout);
  VertexInputFinder inputs(module, config);
  if (Result<void> found = find_needs(function, user_data, inputs); !found) return found.error();
  VertexOutputWriter outputs(module, config);
  if (Result<void> collected = outputs.collect(); !collected) return collected.error();
  inputs.needs().primitive_id = outputs.outputs().primitive_id;
  abi::StageInterface interface =
      abi::assign_vertex_interface(inputs.needs(), user_data.needs(), *config.layout, *config.target, merged);
  std::optional<analysis::Divergence> divergence;
  if (user_data.has_indexed_resources()) divergence = analysis::analyze_divergence(function, module, analyses, context);
  const ir::Value first = function.block(function.entry()).first;
  Inserter insert(function, context.scratch);
  EntryRegisters entry(module, interface, insert, context.scratch);
  MergedFrame frame(module, config, entry);
  if (merged) frame.open();
  UserDataRewriter user_data_rewriter(module, config, divergence ? &*divergence : nullptr, entry, insert);
  VertexInputRewriter input_rewriter(inputs.used(), config, entry, insert, context.scratch);
  input_rewriter.fetch_attributes(first);
  rewrite(function, insert, user_data_rewriter,
          [&](ir::Value, const ir::Inst& inst) { return input_rewriter.rewrite(inst); });
  const ir::BlockId exit = open_exit(function);
  if (exit.valid()) {
    ir::Value primitive_id;
    if (interface.has(abi::EntryRole::primitive_id)) {
      primitive_id = merged ? frame.primitive_id(exit) : entry.field("primitive_id", abi::EntryRole::primitive_id, ~0u);
    }
    const VertexOutputWriter::Ring ring =
        merged ? frame.ring(exit, outputs.outputs().parameters.size()) : VertexOutputWriter::Ring();
    outputs.write(exit, primitive_id, ring);
  }
  if (merged) {
    frame.close(exit);
  } else if (exit.valid()) {
    ir::Builder builder(function);
    builder.set_end(exit);
    builder.ret();
  }
  entry.finish();
  interface.facts = outputs.outputs();
  module.stage = ir::Stage::lowered;
  return interface;
}

/// What the hardware must know of the shader beside its inputs and outputs.
void describe(const ir::Module& module, abi::PixelFacts& facts) {
  const ir::FragmentFacts& shader = module.fragment();
  facts.early_tests = shader.early_tests;
  facts.post_depth_coverage = shader.post_depth_coverage;
  if (shader.depth_bound == ir::DepthBound::less) facts.conservative_depth = 1;
  if (shader.depth_bound == ir::DepthBound::greater) facts.conservative_depth = 2;
  const ir::Function& function = module.functions[0];
  for (ir::BlockId block : function.layout()) {
    for (ir::Value value : ir::insts(function, block)) {
      const ir::Op op = function.inst(value).op;
      if (op == ir::Op::demote) facts.kills = true;
      const bool writes =
          op == ir::Op::image_store || op == ir::Op::image_atomic || op == ir::Op::store || ir::is_atomic(op);
      if (writes && function.access(value).storage != ir::StorageClass::scratch) facts.writes_memory = true;
    }
  }
}

Result<abi::StageInterface> lower_fragment(ir::Module& module, analysis::AnalysisCache& analyses,
                                           CompileContext& context, const LowerConfig& config) {
  const ArenaScope scope(context.scratch);
  ir::Function& function = module.functions[0];
  UserDataFinder user_data(module, *config.layout);
  FragmentInputFinder inputs(module, config);
  if (Result<void> found = find_needs(function, user_data, inputs); !found) return found.error();
  abi::StageInterface interface = abi::assign_fragment_interface(inputs.needs(), user_data.needs(), *config.layout,
                                                                 *config.target, config.wave_size);
  auto& facts = std::get<abi::PixelFacts>(interface.facts);
  inputs.fill(facts);
  describe(module, facts);
  std::optional<analysis::Divergence> divergence;
  if (user_data.has_indexed_resources()) divergence = analysis::analyze_divergence(function, module, analyses, context);
  Inserter insert(function, context.scratch);
  EntryRegisters entry(module, interface, insert, context.scratch);
  UserDataRewriter user_data_rewriter(module, config, divergence ? &*divergence : nullptr, entry, insert);
  FragmentInputRewriter input_rewriter(config, facts, entry, insert);
  rewrite(function, insert, user_data_rewriter,
          [&](ir::Value value, const ir::Inst& inst) { return input_rewriter.rewrite(function, value, inst); });
  if (Result<void> done = FragmentOutputs(module, config, insert, facts).run(); !done) return done.error();
  entry.finish();
  module.stage = ir::Stage::lowered;
  // When all is there that wants whole quads, and all that has an effect.
  module.fragment().whole_quads = needs_whole_quads(function);
  lower_helper_lanes(module, context, facts.kills || config.graphics->alpha_to_coverage);
  return interface;
}

}  // namespace

Result<abi::StageInterface> lower_interface(ir::Module& module, analysis::AnalysisCache& analyses,
                                            CompileContext& context, const LowerConfig& config) {
  switch (module.shader_stage()) {
    case ir::ShaderStage::compute:
      return lower_compute(module, analyses, context, config);
    case ir::ShaderStage::vertex:
      return lower_vertex(module, analyses, context, config);
    case ir::ShaderStage::fragment:
      return lower_fragment(module, analyses, context, config);
  }
  return Error{Status::unsupported,
               "code for " + std::string(ir::shader_stage_name(module.shader_stage())) + " shaders is not supported"};
}

}  // namespace spalt::lower
