// SPDX-License-Identifier: MIT
#include "passes/registry.h"

#include "passes/close_loops.h"
#include "passes/eliminate_dead_code.h"
#include "passes/hoist_loop_invariants.h"
#include "passes/lower_switch.h"
#include "passes/promote_scratch.h"
#include "passes/simplify/simplify.h"
#include "passes/simplify_control_flow.h"
#include "passes/split_critical_edges.h"
#include "passes/unroll_loops.h"

namespace spalt::passes {
namespace {

template <class Pass>
bool each_function(ir::Module& module, Pass pass) {
  bool changed = false;
  for (ir::Function& function : module.functions) changed |= pass(function);
  return changed;
}

bool run_simplify(ir::Module& module) {
  return each_function(module, [&](ir::Function& f) {
    return simplify(f, {module.compute().workgroup_size, {0xffffffff, 0xffffffff, 0xffffffff}, module.args});
  });
}

bool run_simplify_control_flow(ir::Module& module) {
  return each_function(module, [](ir::Function& f) { return simplify_control_flow(f).graph; });
}

bool run_unroll_loops(ir::Module& module) {
  return each_function(module, [](ir::Function& f) { return unroll_loops(f); });
}

template <bool (*pass)(ir::Function&)>
bool run_plain(ir::Module& module) {
  return each_function(module, [](ir::Function& f) { return pass(f); });
}

constexpr PassEntry kPasses[] = {
    {"close_loops", [](ir::Module& module) { return close_loops(module); }},
    {"eliminate_dead_code", run_plain<eliminate_dead_code>},
    {"hoist_loop_invariants", run_plain<hoist_loop_invariants>},
    {"lower_switch", run_plain<lower_switch>},
    {"promote_scratch", [](ir::Module& module) { return promote_scratch(module); }},
    {"simplify", run_simplify},
    {"simplify_control_flow", run_simplify_control_flow},
    {"split_critical_edges", run_plain<split_critical_edges>},
    {"unroll_loops", run_unroll_loops},
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
