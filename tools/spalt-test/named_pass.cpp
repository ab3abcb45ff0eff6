// SPDX-License-Identifier: MIT
#include "named_pass.h"

#include "amdgpu/isa/target.h"
#include "amdgpu/lower/hoist_loads.h"
#include "amdgpu/lower/lower_float_atomics.h"
#include "amdgpu/lower/lower_scans.h"
#include "amdgpu/lower/lower_shuffles.h"
#include "amdgpu/lower/make_descriptors_uniform.h"
#include "amdgpu/lower/pack_halves.h"
#include "amdgpu/lower/reduce_uniform_atomics.h"
#include "passes/drop_outputs.h"

namespace spalt::golden {
namespace {

/// Of location 0 x and z are wanted, of location 1 nothing, of location 2 everything.
constexpr uint8_t kWantedChannels[] = {0x5, 0x0, 0xf};

/// Steps of target lowering that stay in the core stage, where run lines can check them, and passes that are told what
/// the driver knows.
constexpr passes::PassEntry kSteps[] = {
    {"make_descriptors_uniform",
     [](ir::Module& module, CompileContext& context) {
       analysis::AnalysisCache analyses(module.functions[0], &context.arena);
       return lower::make_descriptors_uniform(module, analyses, context);
     }},
    {"hoist_loads",
     [](ir::Module& module, CompileContext& context) {
       analysis::AnalysisCache analyses(module.functions[0], &context.arena);
       const analysis::Divergence divergence =
           analysis::analyze_divergence(module.functions[0], module, analyses, context);
       return lower::hoist_loads(module.functions[0], divergence, analyses, context, {isa::find_target("gfx1030"), 64});
     }},
    {"lower_float_atomics",
     [](ir::Module& module, CompileContext& context) {
       return lower::lower_float_atomics(module, context, *isa::find_target("gfx900"));
     }},
    {"pack_halves",
     [](ir::Module& module, CompileContext& context) {
       analysis::AnalysisCache analyses(module.functions[0], &context.arena);
       return lower::pack_halves(module, analyses, context);
     }},
    {"reduce_uniform_atomics",
     [](ir::Module& module, CompileContext& context) {
       analysis::AnalysisCache analyses(module.functions[0], &context.arena);
       return lower::reduce_uniform_atomics(module, analyses, context, 64);
     }},
    {"lower_scans",
     [](ir::Module& module, CompileContext& context) {
       analysis::AnalysisCache analyses(module.functions[0], &context.arena);
       return lower::lower_scans(module, analyses, context, 64);
     }},
    {"lower_shuffles",
     [](ir::Module& module, CompileContext& context) {
       analysis::AnalysisCache analyses(module.functions[0], &context.arena);
       return lower::lower_shuffles(module, analyses, context, true);
     }},
    {"drop_outputs", [](ir::Module& module, CompileContext&) { return passes::drop_outputs(module, kWantedChannels); }},
};

}  // namespace

const passes::PassEntry* find_named_pass(std::string_view name) {
  for (const passes::PassEntry& step : kSteps) {
    if (step.name == name) return &step;
  }
  return passes::find_pass(name);
}

}  // namespace spalt::golden
