// SPDX-License-Identifier: MIT
#include "driver/compile_stage.h"

#include "amdgpu/isa/text/listing.h"
#include "amdgpu/lower/lower_module.h"
#include "driver/back_end.h"
#include "driver/make_stage.h"
#include "driver/middle_end.h"
#include "ir/vertex_work.h"

namespace spalt::driver {
namespace {

void record_layout(const ir::Module& module, const abi::UserDataLayout& layout, StageOutput& output) {
  output.push_constant_entry = layout.push_constant_entry;
  output.push_constant_dwords = layout.push_constant_dwords;
  for (const ir::Binding& binding : module.bindings) {
    const Result<const abi::BindingLocation*> found = lower::find_location(layout, binding);
    const bool known = !output.bindings.empty() && output.bindings.back().set == binding.set &&
                       output.bindings.back().binding == binding.binding;
    if (!found) continue;
    const abi::BindingLocation& place = **found;
    if (known && output.bindings.back().kind == place.kind) continue;
    output.bindings.push_back(
        {binding.set, binding.binding, place.count, place.entry, place.offset, place.stride, place.kind});
  }
}

void warn(PassRunner& run, std::string message) {
  run.diagnostics.warnings.push_back({Status::ok, std::move(message), Error::kNoOffset, {}, 0});
}

/// Every binding that the layout has no place for is an error of its own.
bool check_layout(const ir::Module& module, const abi::UserDataLayout& layout, PassRunner& run) {
  for (const ir::Binding& binding : module.bindings) {
    const Result<const abi::BindingLocation*> location = lower::find_location(layout, binding);
    if (!location) {
      if (run.failed()) run.diagnostics.more_errors.push_back(location.error());
      if (!run.failed()) run.fail(location.error());
    } else if ((*location)->count < binding.count) {
      warn(run, "set " + std::to_string(binding.set) + " binding " + std::to_string(binding.binding) + " has " +
                    std::to_string((*location)->count) + " elements in the layout, " + std::to_string(binding.count) +
                    " in the shader");
    }
  }
  if (module.push_constant_bytes > uint64_t{layout.push_constant_dwords} * 4) {
    warn(run, "the shader's push-constant block has " + std::to_string(module.push_constant_bytes) +
                  " bytes, the layout " + std::to_string(layout.push_constant_dwords * 4) +
                  "; what the layout lacks is undefined");
  }
  return !run.failed();
}

/// What the caller demands of the subgroups.
bool check_subgroups(const ir::Module& module, const Options& options, PassRunner& run) {
  if (module.shader_stage() != ir::ShaderStage::compute) return true;
  const uint32_t x = module.compute().workgroup_size[0];
  if (!options.require_full_subgroups || x % options.wave_size == 0) return true;
  return run.fail({Status::invalid_argument, "full subgroups are required, but a row of the workgroup has " +
                                                 std::to_string(x) + " invocations and a subgroup " +
                                                 std::to_string(options.wave_size)});
}

/// What the fragment shader after a vertex shader leaves to it.
bool take_vertex_work(ir::Module& module, const Options& options, PassRunner& run) {
  const GraphicsPipelineFacts* graphics = options.graphics();
  if (graphics == nullptr || !graphics->next_stage || graphics->next_stage->vertex_work.empty()) return true;
  auto work = ir::unpack_vertex_work(graphics->next_stage->vertex_work, &run.context.arena);
  if (!work) return run.fail(work.error());
  module.vertex_work = std::move(*work);
  return true;
}

}  // namespace

bool compile_stage(ir::Module& module, const Options& options, PassRunner& run, StageOutput& output) {
  Arena& arena = run.context.arena;
  analysis::AnalysisCache& analyses = run.analyses.emplace(module.functions[0], &arena);
  if (!take_vertex_work(module, options, run)) return false;
  if (!check_subgroups(module, options, run) || !optimize(module, analyses, options, run)) return false;

  std::optional<abi::UserDataLayout> derived;
  if (!options.layout) derived = lower::default_user_data_layout(module, &arena);
  const abi::UserDataLayout& layout = derived ? *derived : *options.layout;
  if (!check_layout(module, layout, run)) return false;
  record_layout(module, layout, output);
  abi::StageInterface interface;
  std::optional<analysis::Divergence> divergence;
  if (!lower(module, analyses, layout, options, run, interface, divergence)) return false;

  if (!divergence) {
    run.timed(Account::select,
              [&] { divergence = analysis::analyze_divergence(module.functions[0], module, analyses, run.context); });
  }
  BackEnd back_end(module, interface, *divergence, options, run);
  if (!back_end.run()) return false;

  run.charge(Account::object);
  output.stage = make_stage(module, back_end.function(), interface, back_end.program(), options, arena);
  output.origins = back_end.program().origins;
  if (options.want_assembly) {
    output.assembly = isa::list_code(back_end.program().words, *options.target, options.wave_size);
  }
  return true;
}

}  // namespace spalt::driver
