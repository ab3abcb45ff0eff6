// SPDX-License-Identifier: MIT
// The passes on IR. Each line is one pass; comments say why it stands where it does.
#include "driver/middle_end.h"

#include <algorithm>

#include "amdgpu/abi/export_format.h"
#include "amdgpu/lower/hoist_loads.h"
#include "amdgpu/lower/lower_arithmetic.h"
#include "amdgpu/lower/lower_doubles.h"
#include "amdgpu/lower/lower_float_atomics.h"
#include "amdgpu/lower/lower_image_halves.h"
#include "amdgpu/lower/lower_images.h"
#include "amdgpu/lower/lower_interface.h"
#include "amdgpu/lower/lower_narrow.h"
#include "amdgpu/lower/lower_samples.h"
#include "amdgpu/lower/lower_scans.h"
#include "amdgpu/lower/lower_shuffles.h"
#include "amdgpu/lower/lower_wide_integers.h"
#include "amdgpu/lower/make_descriptors_uniform.h"
#include "amdgpu/lower/pack_halves.h"
#include "amdgpu/lower/reduce_uniform_atomics.h"
#include "amdgpu/lower/split_memory.h"
#include "amdgpu/lower/trim_loads.h"
#include "amdgpu/lower/zero_workgroup_memory.h"
#include "ir/interface.h"
#include "passes/add_vertex_work.h"
#include "passes/close_loops.h"
#include "passes/drop_outputs.h"
#include "passes/eliminate_dead_code.h"
#include "passes/eliminate_dead_loops.h"
#include "passes/eliminate_dead_stores.h"
#include "passes/form_constant_tables.h"
#include "passes/hoist_loop_invariants.h"
#include "passes/infer_read_only.h"
#include "passes/lower_switch.h"
#include "passes/move_to_vertices.h"
#include "passes/promote_scratch.h"
#include "passes/simplify/simplify.h"
#include "passes/simplify_control_flow.h"
#include "passes/split_critical_edges.h"
#include "passes/unroll_loops.h"
#include "passes/weaken_last_barriers.h"
#include "spirv/reflect/float_modes.h"

namespace spalt::driver {
namespace {

/// What is known of built-ins.
passes::SimplifyConfig simplify_config(const ir::Module& module, const Options& options) {
  passes::SimplifyConfig config;
  config.bindings = module.bindings;
  config.float_controls = module.float_controls();
  switch (module.shader_stage()) {
    case ir::ShaderStage::compute:
      config.workgroup_size = module.compute().workgroup_size;
      config.max_workgroups = options.max_workgroups;
      break;
    case ir::ShaderStage::vertex:
    case ir::ShaderStage::fragment:
      break;
  }
  return config;
}

/// Of a fragment shader whose targets are known.
void drop_outputs(ir::Module& module, const GraphicsPipelineFacts& graphics) {
  std::array<uint8_t, abi::kMaxColorTargets> wanted{};
  for (unsigned location = 0; location < wanted.size(); ++location) {
    wanted[location] = abi::wanted_channels(graphics.state, location);
  }
  passes::drop_outputs(module, wanted);
}

/// Loops in a row each of which only decides about the next one.
constexpr unsigned kMaxDeadLoopRounds = 4;

/// A copy of a loop has at least one instruction.
void limit_unrolling(uint32_t most, passes::UnrollLoopsConfig& config) {
  if (most == 0) return;
  for (unsigned* limit : {&config.max_instructions, &config.max_exiting_instructions, &config.max_scratch_instructions,
                          &config.max_growth}) {
    *limit = std::min<unsigned>(*limit, most);
  }
}

}  // namespace

bool optimize(ir::Module& module, analysis::AnalysisCache& analyses, const Options& options, PassRunner& run) {
  CompileContext& context = run.context;
  ir::Function& entry = module.functions[0];
  const passes::SimplifyConfig config = simplify_config(module, options);
  passes::UnrollLoopsConfig loops;
  loops.float_controls = module.float_controls();
  limit_unrolling(options.max_unroll_instructions, loops);
  bool unrolled = false, changed = false;
  const auto simplify = [&] { passes::simplify(entry, analyses, context, config); };
  const auto simplify_branches = [&] { changed = passes::simplify_control_flow(entry, analyses, context).values; };
  const auto simplify_copies = [&] { return unrolled && passes::simplify(entry, analyses, context, config); };
  const auto simplify_copied_branches = [&] {
    if (unrolled) simplify_branches();
  };
  const GraphicsPipelineFacts* graphics = options.graphics();
  // The vertex shader of that stage is compiled after this one, and learns what it has to do.
  const bool knows_vertices =
      graphics != nullptr && graphics->previous_stage && !spirv::declares_float_modes(graphics->previous_stage->words);
  const bool takes_colors =
      graphics != nullptr && module.shader_stage() == ir::ShaderStage::fragment && !graphics->body_only;
  return run.run(Pass::add_vertex_work, module, [&] { passes::add_vertex_work(module, context); }) &&
         // What nobody takes is not worth any work.
         run.run(Pass::drop_outputs, module,
                 [&] {
                   if (takes_colors) drop_outputs(module, *graphics);
                 }) &&
         run.run(Pass::infer_read_only, module, [&] { passes::infer_read_only(module, context); }) &&
         run.run(Pass::simplify, module, simplify) && run.run(Pass::simplify_control_flow, module, simplify_branches) &&
         run.run(Pass::unroll_loops, module,
                 [&] { unrolled = passes::unroll_loops(entry, analyses, context, loops); }) &&
         // Unrolling turns loop conditions and indices into constants: the branches go, and only then can arrays leave
         // memory.
         run.run(Pass::simplify_unrolled, module, simplify_copies) &&
         run.run(Pass::simplify_control_flow_unrolled, module, simplify_copied_branches) &&
         // What nobody reads any more is not part of the size of a loop.
         run.run(Pass::eliminate_dead_code_unrolled, module,
                 [&] {
                   if (unrolled) passes::eliminate_dead_code(entry, context);
                 }) &&
         // A loop around unrolled ones is a candidate only now; small nests, such as filters, become straight code.
         run.run(Pass::unroll_outer_loops, module,
                 [&] { unrolled = unrolled && passes::unroll_loops(entry, analyses, context, loops); }) &&
         run.run(Pass::simplify_unrolled_outer, module, simplify_copies) &&
         run.run(Pass::simplify_control_flow_unrolled_outer, module, simplify_copied_branches) &&
         run.run(Pass::promote_scratch, module,
                 [&] { changed |= passes::promote_scratch(module, analyses, context); }) &&
         // What could become values has done so. Leaves limits on indices that may hold anyway.
         run.run(Pass::form_constant_tables, module,
                 [&] { changed |= passes::form_constant_tables(module, context); }) &&
         // Where nothing has changed since the last time, nothing is left to simplify.
         run.run(Pass::simplify_promoted, module,
                 [&] { return changed && passes::simplify(entry, analyses, context, config); }) &&
         run.run(Pass::hoist_loop_invariants, module,
                 [&] { passes::hoist_loop_invariants(entry, analyses, context); }) &&
         // What computes data and addresses goes with the stores.
         run.run(Pass::eliminate_dead_stores, module, [&] { passes::eliminate_dead_stores(module, context); }) &&
         run.run(Pass::eliminate_dead_code, module, [&] { passes::eliminate_dead_code(entry, context); }) &&
         // Uses are final; what a loop was for goes with it, and perhaps another loop.
         run.run(Pass::eliminate_dead_loops, module,
                 [&] {
                   for (unsigned round = 0; round < kMaxDeadLoopRounds; ++round) {
                     if (!passes::eliminate_dead_loops(entry, analyses, context)) break;
                     passes::simplify_control_flow(entry, analyses, context);
                     passes::eliminate_dead_code(entry, context);
                   }
                 }) &&
         run.run(Pass::weaken_last_barriers, module, [&] { passes::weaken_last_barriers(entry, context); }) &&
         // What is left of the shader is final.
         run.run(Pass::move_to_vertices, module, [&] {
           if (knows_vertices) passes::move_to_vertices(module, context);
         });
}

bool lower(ir::Module& module, analysis::AnalysisCache& analyses, const abi::UserDataLayout& layout,
           const Options& options, PassRunner& run, abi::StageInterface& interface,
           std::optional<analysis::Divergence>& divergence) {
  CompileContext& context = run.context;
  ir::Function& entry = module.functions[0];
  lower::LowerConfig config;
  config.target = options.target;
  config.wave_size = options.wave_size;
  config.layout = &layout;
  config.address_high = options.address_high;
  config.max_workgroups = options.max_workgroups;
  abi::GraphicsState state;
  if (const GraphicsPipelineFacts* graphics = options.graphics()) {
    state = graphics->state;
    if (graphics->derive_attributes) state.attributes = lower::default_graphics_state(module).attributes;
    config.graphics = &state;
    config.next_stage = graphics->next_stage ? &*graphics->next_stage : nullptr;
    config.primitive_shader = graphics->primitive_shader;
    config.body_only = graphics->body_only;
    config.prolog = std::get_if<abi::VertexSeam>(&graphics->piece);
    config.epilog = std::get_if<abi::PixelSeam>(&graphics->piece);
  }
  bool lowered_switch = false;
  const auto simplify_lowered = [&] {
    passes::SimplifyConfig simplify_config;
    simplify_config.args = module.args;
    simplify_config.bindings = module.bindings;
    simplify_config.float_controls = module.float_controls();
    passes::simplify(entry, analyses, context, simplify_config);
  };
  // Before the lowerings that insert expansions and must see the final blocks of a switch.
  return run.run(Pass::lower_switch, module, [&] { lowered_switch = passes::lower_switch(entry, context); }) &&
         // Cases without instructions of cost become selects, as the arms of other branches have.
         run.run(Pass::simplify_control_flow_switch, module,
                 [&] {
                   if (lowered_switch) passes::simplify_control_flow(entry, analyses, context);
                 }) &&
         // While there are built-ins.
         run.run(Pass::zero_workgroup_memory, module, [&] { lower::zero_workgroup_memory(module, context); }) &&
         // Makes scans.
         run.run(Pass::reduce_uniform_atomics, module,
                 [&] { lower::reduce_uniform_atomics(module, analyses, context, options.wave_size); }) &&
         // While values of 64 bits are whole.
         run.run(Pass::lower_scans, module,
                 [&] { lower::lower_scans(module, analyses, context, options.wave_size); }) &&
         // Leaves conversions to wide integers, and push constants as such, to the next one.
         run.run(Pass::lower_doubles, module, [&] { lower::lower_doubles(entry, context, module.float_controls()); }) &&
         // While push constants are loads, and before the lowerings that make addresses of 64 bits.
         run.run(Pass::lower_wide_integers, module,
                 [&] { lower::lower_wide_integers(entry, context, module.float_controls()); }) &&
         // The arithmetic stays outside of the loops of the next pass.
         run.run(Pass::lower_samples, module, [&] { lower::lower_samples(entry, context); }) &&
         // While descriptors still have an index.
         run.run(Pass::make_descriptors_uniform, module,
                 [&] { lower::make_descriptors_uniform(module, analyses, context); }) &&
         // What it makes are loads and arithmetic like any other.
         run.run(Pass::lower_interface, module,
                 [&]() -> Result<void> {
                   Result<abi::StageInterface> assigned = lower::lower_interface(module, analyses, context, config);
                   if (!assigned) return assigned.error();
                   interface = *assigned;
                   return {};
                 }) &&
         // What helpers are is settled, and ballots know how many lanes there are.
         run.run(Pass::lower_shuffles, module,
                 [&] {
                   const bool halves = options.wave_size > 32 && !options.target->permutes_whole_wave;
                   lower::lower_shuffles(module, analyses, context, halves);
                 }) &&
         // No helper is left at atomic operations, which would never leave a loop.
         run.run(Pass::lower_float_atomics, module,
                 [&] { lower::lower_float_atomics(module, context, *options.target); }) &&
         // Descriptors are values now.
         run.run(Pass::lower_images, module, [&] { lower::lower_images(entry, context, *options.target); }) &&
         // While values of 16 bits still have their types, and only texels are left that something reads.
         run.run(Pass::lower_image_halves, module,
                 [&] { lower::lower_image_halves(entry, context, *options.target); }) &&
         // What it makes may have no instruction either.
         run.run(Pass::lower_narrow, module, [&] { lower::lower_narrow(entry, context, module.float_controls()); }) &&
         run.run(Pass::lower_arithmetic, module,
                 [&] { lower::lower_arithmetic(entry, context, *options.target, module.float_controls()); }) &&
         run.run(Pass::trim_loads, module, [&] { lower::trim_loads(entry, context); }) &&
         run.run(Pass::split_memory, module, [&] { lower::split_memory(entry, context); }) &&
         // The expansions have much in common: descriptors, addresses, ids.
         run.run(Pass::simplify_lowered, module, simplify_lowered) &&
         // Comparisons of ids may be decided now, and the exports of a fragment shader have a block of their own.
         run.run(Pass::simplify_control_flow_lowered, module,
                 [&] {
                   if (passes::has_needless_branch(entry)) passes::simplify_control_flow(entry, analyses, context);
                 }) &&
         // Conversions and selects have their last form; leaves halves that nobody reads.
         run.run(Pass::pack_halves, module, [&] { lower::pack_halves(module, analyses, context); }) &&
         run.run(Pass::eliminate_dead_code_lowered, module, [&] { passes::eliminate_dead_code(entry, context); }) &&
         // Copies for phis need a place that only their edge passes; closing loops puts phis on exit edges.
         run.run(Pass::split_critical_edges, module, [&] { passes::split_critical_edges(entry, context); }) &&
         run.run(Pass::close_loops, module,
                 [&] { passes::close_loops(entry, module, analyses, context, {}, &divergence); }) &&
         // What lanes agree about is settled, and nothing before selection changes blocks any more.
         run.run(Pass::hoist_loads, module, [&] {
           if (!divergence) divergence.emplace(analysis::analyze_divergence(entry, module, analyses, context));
           lower::hoist_loads(entry, *divergence, analyses, context, {options.target, options.wave_size});
         });
}

}  // namespace spalt::driver
