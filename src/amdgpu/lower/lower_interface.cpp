// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_interface.h"

#include <algorithm>
#include <optional>
#include <string>

#include "amdgpu/lower/lower_compute_inputs.h"
#include "amdgpu/lower/lower_fragment_inputs.h"
#include "amdgpu/lower/lower_fragment_outputs.h"
#include "amdgpu/lower/lower_helper_lanes.h"
#include "amdgpu/lower/lower_pieces.h"
#include "amdgpu/lower/lower_user_data.h"
#include "amdgpu/lower/lower_vertex_inputs.h"
#include "amdgpu/lower/lower_vertex_outputs.h"
#include "amdgpu/lower/vertex_frame.h"
#include "base/bits.h"
#include "ir/names.h"
#include "ir/vertex_work.h"

namespace spalt::lower {
namespace {

/// Whether the instruction is of those that the finders and rewriters look at.
bool is_interface(const ir::Function& function, ir::Value value) {
  const ir::Op op = function.inst(value).op;
  if (op == ir::Op::load) {
    const ir::StorageClass storage = function.access(value).storage;
    return storage == ir::StorageClass::push || storage == ir::StorageClass::uniform;
  }
  return ir::group(op) == ir::OpGroup::interface || op == ir::Op::ballot || op == ir::Op::pack64 ||
         ir::is_image_query(op);
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
  UserDataFinder user_data(module, config);
  ComputeInputFinder inputs(module);
  if (Result<void> found = find_needs(function, user_data, inputs); !found) return found.error();
  const abi::StageInterface interface = abi::assign_compute_interface(inputs.needs(), user_data.needs(), *config.layout,
                                                                      *config.target, config.wave_size);
  std::optional<analysis::Divergence> divergence;
  if (user_data.may_have_divergent_indices())
    divergence = analysis::analyze_divergence(function, module, analyses, context);
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

/// What a body starts with stays as it is while a prolog runs: user SGPRs and, after them, the offset of scratch
/// memory.
abi::VertexSeam seam_of(const VertexInputFinder& inputs, const abi::StageInterface& interface) {
  abi::VertexSeam seam = inputs.seam();
  const unsigned sgprs = interface.first_user_sgpr + interface.user_sgpr_count + 1u;
  seam.kept_sgprs = static_cast<uint8_t>(align_up(sgprs, abi::kKeptSgprGranule));
  return seam;
}

/// The body of a primitive shader is what a vertex program is.
Result<abi::StageInterface> lower_vertex(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context,
                                         const LowerConfig& config) {
  const ArenaScope scope(context.scratch);
  ir::Function& function = module.functions[0];
  const bool merged = is_primitive_shader(config);
  UserDataFinder user_data(module, config);
  VertexInputFinder inputs(module, config);
  if (Result<void> found = find_needs(function, user_data, inputs); !found) return found.error();
  VertexOutputWriter outputs(module, config);
  if (Result<void> collected = outputs.collect(); !collected) return collected.error();
  // A prolog finds the registers of a draw where every body has them.
  inputs.needs().vertex_table_in_pair = config.address_high.has_value() && !config.body_only;
  inputs.needs().primitive_id = outputs.outputs().primitive_id;
  if (config.body_only && merged && outputs.outputs().primitive_id) {
    return Error{Status::unsupported,
                 "which vertex passes on the id of a primitive depends on the topology, which a body does not know"};
  }
  abi::StageInterface interface =
      abi::assign_vertex_interface(inputs.needs(), user_data.needs(), *config.layout, *config.target, merged);
  std::optional<analysis::Divergence> divergence;
  if (user_data.may_have_divergent_indices())
    divergence = analysis::analyze_divergence(function, module, analyses, context);
  const ir::Value first = function.block(function.entry()).first;
  Inserter insert(function, context.scratch);
  EntryRegisters entry(module, interface, insert, context.scratch);
  MergedFrame frame(module, config, entry);
  if (merged) frame.open();
  UserDataRewriter user_data_rewriter(module, config, divergence ? &*divergence : nullptr, entry, insert);
  VertexInputRewriter input_rewriter(inputs.used(), config, entry, insert, context.scratch);
  if (config.body_only) {
    interface.seam = seam_of(inputs, interface);
    input_rewriter.take_attributes(std::get<abi::VertexSeam>(interface.seam),
                                   abi::first_attribute_vgpr(merged, *config.target));
  } else {
    input_rewriter.fetch_attributes(first);
  }
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
  UserDataFinder user_data(module, config);
  FragmentInputFinder inputs(module, config);
  if (Result<void> found = find_needs(function, user_data, inputs); !found) return found.error();
  abi::StageInterface interface = abi::assign_fragment_interface(inputs.needs(), user_data.needs(), *config.layout,
                                                                 *config.target, config.wave_size);
  auto& facts = std::get<abi::PixelFacts>(interface.facts);
  inputs.fill(facts);
  describe(module, facts);
  facts.vertex_work = ir::pack_vertex_work(module.vertex_work);
  module.vertex_work = ir::Function(module.functions.arena());
  std::optional<analysis::Divergence> divergence;
  if (user_data.may_have_divergent_indices())
    divergence = analysis::analyze_divergence(function, module, analyses, context);
  Inserter insert(function, context.scratch);
  EntryRegisters entry(module, interface, insert, context.scratch);
  UserDataRewriter user_data_rewriter(module, config, divergence ? &*divergence : nullptr, entry, insert);
  FragmentInputRewriter input_rewriter(config, facts, entry, insert);
  rewrite(function, insert, user_data_rewriter,
          [&](ir::Value value, const ir::Inst& inst) { return input_rewriter.rewrite(function, value, inst); });
  FragmentOutputs outputs(module, config, insert, facts);
  bool swaps_lanes = false;
  if (config.body_only) {
    abi::PixelSeam seam;
    if (Result<void> done = outputs.hand_over(seam); !done) return done.error();
    seam.kills = facts.kills;
    // The epilog may exchange sources among neighbours, whose lanes must have some.
    const auto is_second = [](const abi::PixelResult& r) { return r.kind == abi::PixelResultKind::second_source; };
    swaps_lanes =
        config.target->swizzles_dual_source && std::any_of(seam.results.begin(), seam.results.end(), is_second);
    interface.seam = std::move(seam);
  } else if (Result<void> done = outputs.run(); !done) {
    return done.error();
  }
  entry.finish();
  module.stage = ir::Stage::lowered;
  // When all is there that wants whole quads, and all that has an effect.
  module.fragment().whole_quads = swaps_lanes || needs_whole_quads(function);
  lower_helper_lanes(module, context, facts.kills || config.graphics->alpha_to_coverage);
  return interface;
}

}  // namespace

Result<abi::StageInterface> lower_interface(ir::Module& module, analysis::AnalysisCache& analyses,
                                            CompileContext& context, const LowerConfig& config) {
  if (config.prolog != nullptr) return lower_prolog(module, context, config);
  if (config.epilog != nullptr) return lower_epilog(module, context, config);
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
