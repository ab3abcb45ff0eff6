// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "amdgpu/exec/lower_control_flow.h"
#include "amdgpu/expand/expand.h"
#include "amdgpu/hazard/form_clauses.h"
#include "amdgpu/hazard/insert_delays.h"
#include "amdgpu/hazard/insert_waits.h"
#include "amdgpu/hazard/prioritize_exports.h"
#include "amdgpu/hazard/resolve_hazards.h"
#include "amdgpu/mir/parser.h"
#include "amdgpu/mir/printer.h"
#include "amdgpu/mir/verifier.h"
#include "amdgpu/opt/combine_vector.h"
#include "amdgpu/opt/form_halves.h"
#include "amdgpu/opt/form_sdwa.h"
#include "amdgpu/opt/forward_copies.h"
#include "amdgpu/opt/hoist_edge_code.h"
#include "amdgpu/opt/reuse_moves.h"
#include "amdgpu/opt/share_literals.h"
#include "amdgpu/opt/shrink_encodings.h"
#include "amdgpu/opt/simplify_exec.h"
#include "amdgpu/regalloc/move_reserved.h"
#include "amdgpu/sched/pair_vector.h"
#include "amdgpu/sched/schedule.h"
#include "base/ice.h"
#include "command.h"
#include "machine_passes.h"

namespace spalt::golden {
namespace {

void lower_control_flow(mir::Function& function, CompileContext& context) {
  if (const Result<void> done = exec::lower_control_flow(function, context); !done) SPALT_ICE(done.error().message);
}

constexpr MachinePass kPasses[] = {
    {"reuse_moves", mir::Stage::selected, [](mir::Function& f, CompileContext& c) { opt::reuse_moves(f, c); }},
    {"combine_vector", mir::Stage::selected, [](mir::Function& f, CompileContext& c) { opt::combine_vector(f, c); }},
    {"form_halves", mir::Stage::selected, [](mir::Function& f, CompileContext& c) { opt::form_halves(f, c); }},
    {"form_sdwa", mir::Stage::selected, [](mir::Function& f, CompileContext& c) { opt::form_sdwa(f, c); }},
    {"share_literals", mir::Stage::selected, [](mir::Function& f, CompileContext& c) { opt::share_literals(f, c); }},
    {"hoist_edge_code", mir::Stage::selected, [](mir::Function& f, CompileContext& c) { opt::hoist_edge_code(f, c); }},
    {"lower_control_flow", mir::Stage::selected, lower_control_flow},
    {"schedule", mir::Stage::masked, [](mir::Function& f, CompileContext& c) { sched::schedule(f, c); }},
    {"move_reserved", mir::Stage::allocated, [](mir::Function& f, CompileContext&) { regalloc::move_reserved(f); }},
    {"expand_pseudos", mir::Stage::allocated,
     [](mir::Function& f, CompileContext& c) { expand::expand_pseudos(f, c); }},
    {"forward_copies", mir::Stage::allocated, [](mir::Function& f, CompileContext& c) { opt::forward_copies(f, c); }},
    {"simplify_exec", mir::Stage::allocated, [](mir::Function& f, CompileContext& c) { opt::simplify_exec(f, c); }},
    {"shrink_encodings", mir::Stage::allocated,
     [](mir::Function& f, CompileContext& c) { opt::shrink_encodings(f, c); }},
    {"expand_branches", mir::Stage::allocated,
     [](mir::Function& f, CompileContext& c) { expand::expand_branches(f, c); }},
    {"insert_waits", mir::Stage::final, [](mir::Function& f, CompileContext& c) { hazard::insert_waits(f, c); }},
    {"form_clauses", mir::Stage::final, [](mir::Function& f, CompileContext& c) { hazard::form_clauses(f, c); }},
    {"pair_vector", mir::Stage::final, [](mir::Function& f, CompileContext& c) { sched::pair_vector(f, c); }},
    {"prioritize_exports", mir::Stage::final,
     [](mir::Function& f, CompileContext& c) { hazard::prioritize_exports(f, c); }},
    {"resolve_hazards", mir::Stage::final, [](mir::Function& f, CompileContext& c) { hazard::resolve_hazards(f, c); }},
    {"insert_delays", mir::Stage::final, [](mir::Function& f, CompileContext& c) { hazard::insert_delays(f, c); }},
};

}  // namespace

const MachinePass* find_machine_pass(std::string_view name) {
  const auto* pass = std::find_if(std::begin(kPasses), std::end(kPasses),
                                  [&](const MachinePass& entry) { return entry.name == name; });
  return pass == std::end(kPasses) ? nullptr : pass;
}

namespace {

/// Applies machine passes in order; the function is verified before, between and after them.
class MachinePassCommand : public Command {
 public:
  std::string_view name() const override { return "machine_pass"; }
  std::string_view summary() const override {
    return "apply the named machine passes in order and print the machine IR";
  }

  Result<std::optional<std::string>> run(const TestFile& file, std::span<const std::string> args) const override {
    if (args.empty()) return test_error("expected the name of a machine pass");
    Result<mir::Function> function = mir::parse(file.input);
    if (!function) return function.error();
    if (const Result<void> verdict = mir::verify(*function); !verdict) {
      return test_error("before the passes: " + verdict.error().message);
    }
    CompileContext context;
    for (const std::string& name : args) {
      const MachinePass* pass = find_machine_pass(name);
      if (pass == nullptr) return test_error("unknown machine pass '" + name + "'");
      if (function->stage != pass->stage)
        return test_error("the input of " + name + " is not of the stage it requires");
      pass->run(*function, context);
      if (const Result<void> verdict = mir::verify(*function); !verdict) {
        return test_error("after " + name + ": " + verdict.error().message + "\n" + mir::print(*function));
      }
    }
    return std::optional(mir::print(*function));
  }
};

}  // namespace

const Command& machine_pass_command() {
  static const MachinePassCommand command;
  return command;
}

}  // namespace spalt::golden
