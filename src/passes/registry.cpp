// SPDX-License-Identifier: MIT
#include "passes/registry.h"

#include "passes/add_vertex_work.h"
#include "passes/close_loops.h"
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

namespace spalt::passes {
namespace {

/// Calls pass(function, analyses) for each function.
template <class Pass>
bool each_function(ir::Module& module, CompileContext& context, Pass pass) {
  bool changed = false;
  for (ir::Function& function : module.functions) {
    analysis::AnalysisCache analyses(function, &context.arena);
    changed |= pass(function, analyses);
  }
  return changed;
}

bool run_close_loops(ir::Module& module, CompileContext& context) {
  return each_function(module, context, [&](ir::Function& f, analysis::AnalysisCache& analyses) {
    return close_loops(f, module, analyses, context);
  });
}

bool run_promote_scratch(ir::Module& module, CompileContext& context) {
  analysis::AnalysisCache analyses(module.functions[0], &context.arena);
  return promote_scratch(module, analyses, context);
}

bool run_simplify(ir::Module& module, CompileContext& context) {
  SimplifyConfig config;
  config.args = module.args;
  config.bindings = module.bindings;
  config.float_controls = module.float_controls();
  if (module.shader_stage() == ir::ShaderStage::compute) config.workgroup_size = module.compute().workgroup_size;
  return each_function(module, context, [&](ir::Function& f, analysis::AnalysisCache& analyses) {
    return simplify(f, analyses, context, config);
  });
}

bool run_simplify_control_flow(ir::Module& module, CompileContext& context) {
  return each_function(module, context, [&](ir::Function& f, analysis::AnalysisCache& analyses) {
    return simplify_control_flow(f, analyses, context).graph;
  });
}

bool run_unroll_loops(ir::Module& module, CompileContext& context) {
  return each_function(module, context, [&](ir::Function& f, analysis::AnalysisCache& analyses) {
    UnrollLoopsConfig config;
    config.float_controls = module.float_controls();
    return unroll_loops(f, analyses, context, config);
  });
}

bool run_hoist_loop_invariants(ir::Module& module, CompileContext& context) {
  return each_function(module, context, [&](ir::Function& f, analysis::AnalysisCache& analyses) {
    return hoist_loop_invariants(f, analyses, context);
  });
}

bool run_eliminate_dead_loops(ir::Module& module, CompileContext& context) {
  return each_function(module, context, [&](ir::Function& f, analysis::AnalysisCache& analyses) {
    return eliminate_dead_loops(f, analyses, context);
  });
}

template <bool (*pass)(ir::Function&, CompileContext&)>
bool run_plain(ir::Module& module, CompileContext& context) {
  return each_function(module, context, [&](ir::Function& f, analysis::AnalysisCache&) { return pass(f, context); });
}

constexpr PassEntry kPasses[] = {
    {"add_vertex_work", add_vertex_work},
    {"close_loops", run_close_loops},
    {"eliminate_dead_code", run_plain<eliminate_dead_code>},
    {"eliminate_dead_loops", run_eliminate_dead_loops},
    {"eliminate_dead_stores", eliminate_dead_stores},
    {"form_constant_tables", form_constant_tables},
    {"hoist_loop_invariants", run_hoist_loop_invariants},
    {"infer_read_only", infer_read_only},
    {"lower_switch", run_plain<lower_switch>},
    {"move_to_vertices", move_to_vertices},
    {"promote_scratch", run_promote_scratch},
    {"simplify", run_simplify},
    {"simplify_control_flow", run_simplify_control_flow},
    {"split_critical_edges", run_plain<split_critical_edges>},
    {"unroll_loops", run_unroll_loops},
    {"weaken_last_barriers", run_plain<weaken_last_barriers>},
};

}  // namespace

std::span<const PassEntry> all_passes() {
  return kPasses;
}

const PassEntry* find_pass(std::string_view name) {
  for (const PassEntry& pass : kPasses) {
    if (pass.name == name) return &pass;
  }
  return nullptr;
}

}  // namespace spalt::passes
