// SPDX-License-Identifier: MIT
// The passes on machine IR. Each line is one pass; comments say why it stands where it does.
#include "driver/back_end.h"

#include "amdgpu/expand/expand.h"
#include "amdgpu/hazard/form_clauses.h"
#include "amdgpu/hazard/insert_delays.h"
#include "amdgpu/hazard/insert_waits.h"
#include "amdgpu/hazard/prioritize_exports.h"
#include "amdgpu/hazard/resolve_hazards.h"
#include "amdgpu/opt/combine_vector.h"
#include "amdgpu/opt/form_halves.h"
#include "amdgpu/opt/form_sdwa.h"
#include "amdgpu/opt/forward_copies.h"
#include "amdgpu/opt/hoist_edge_code.h"
#include "amdgpu/opt/merge_memory.h"
#include "amdgpu/opt/reuse_moves.h"
#include "amdgpu/opt/share_literals.h"
#include "amdgpu/opt/shrink_encodings.h"
#include "amdgpu/opt/simplify_exec.h"
#include "amdgpu/regalloc/check/check.h"
#include "amdgpu/regalloc/move_reserved.h"
#include "amdgpu/sched/pair_vector.h"
#include "amdgpu/sched/schedule.h"
#include "amdgpu/select/select.h"
#include "base/ice.h"

namespace spalt::driver {
namespace {

/// After that many rounds every critical edge keeps its block.
constexpr unsigned kEdgeRounds = 3;

/// VGPRs that a wave may have.
unsigned max_vgprs(const ir::Module& module, const Options& options) {
  switch (module.shader_stage()) {
    case ir::ShaderStage::compute:
      // The waves of a workgroup share the registers of the SIMDs that it runs on.
      return std::min(options.max_vgprs,
                      options.target->vgprs_in_workgroup(
                          options.wave_size, static_cast<unsigned>(module.compute().invocations()), options.wgp_mode));
    case ir::ShaderStage::vertex:
    case ir::ShaderStage::fragment:
      break;
  }
  return options.max_vgprs;
}

}  // namespace

bool BackEnd::run() {
  for (;;) {
    switch (attempt()) {
      case Outcome::done:
        return true;
      case Outcome::ended:
        return false;
      case Outcome::needs_edge_blocks:
        if (!keep_more_edges()) return false;
        break;
      case Outcome::needs_scratch_prolog:
        scratch_prolog_ = true;
        kept_edges_.clear();
        edge_rounds_ = 0;
        break;
      case Outcome::needs_far_jumps:
        if (far_jumps_) SPALT_ICE("a branch does not reach its target");
        far_jumps_ = true;
        kept_edges_.clear();
        edge_rounds_ = 0;
        break;
    }
  }
}

BackEnd::Outcome BackEnd::attempt() {
  if (!select() || !combine() || !schedule_masked()) return Outcome::ended;
  if (const Outcome allocated = allocate(); allocated != Outcome::done) return allocated;
  // The prolog that sets scratch up is made by selection.
  const bool wants_descriptor = function_->facts.scratch_bytes != 0 && !options_.target->architected_flat_scratch;
  if (wants_descriptor && !function_->scratch_descriptor.valid()) return Outcome::needs_scratch_prolog;
  if (!expand()) return Outcome::ended;
  return encode();
}

bool BackEnd::keep_more_edges() {
  if (edge_rounds_ == kEdgeRounds) SPALT_ICE("a critical logical edge without a block");
  ++edge_rounds_;
  kept_edges_.insert(kept_edges_.end(), crowded_edges_.begin(), crowded_edges_.end());
  return true;
}

bool BackEnd::select() {
  select::SelectConfig config;
  config.wave_size = options_.wave_size;
  config.wgp_mode = options_.wgp_mode;
  config.enable_scratch = scratch_prolog_;
  config.address_high = options_.address_high;
  config.follows_code = options_.graphics() != nullptr && options_.graphics()->follows_code(options_.stage);
  config.scratch = {interface_.user_register(abi::kGlobalTable), interface_.scratch_descriptor_offset,
                    interface_.field(abi::EntryRole::scratch_wave_offset).reg};
  auto selected = runner_.timed(Account::select, [&] {
    return select::select_function(module_, divergence_, runner_.analyses->loops(), *options_.target, config,
                                   runner_.context);
  });
  if (!selected) return runner_.fail(selected.error());
  function_.emplace(std::move(*selected));
  return runner_.after(Pass::select, *function_);
}

/// While the blocks are the logical ones and every value has one definition.
bool BackEnd::combine() {
  // Accesses with one address register can be merged.
  return pass(Pass::reuse_moves, opt::reuse_moves) && pass(Pass::combine_vector, opt::combine_vector) &&
         // Halves come first, since they save more than the parts of integers that SDWA selects.
         pass(Pass::form_halves, opt::form_halves) && pass(Pass::form_sdwa, opt::form_sdwa) &&
         pass(Pass::merge_memory, opt::merge_memory) && pass(Pass::hoist_edge_code, opt::hoist_edge_code) &&
         pass(Pass::share_literals, opt::share_literals);
}

/// Blocks on critical edges are folded before anybody knows whether values must move there, as they seldom must.
bool BackEnd::schedule_masked() {
  exec::Config exec_config;
  exec_config.fold_edges = edge_rounds_ < kEdgeRounds;
  exec_config.kept_edges = kept_edges_;
  sched::ScheduleConfig schedule_config;
  schedule_config.max_vgprs = max_vgprs(module_, options_);
  return pass(Pass::lower_control_flow,
              [&](mir::Function& f, CompileContext& memory) {
                return exec::lower_control_flow(f, memory, exec_config);
              }) &&
         pass(Pass::schedule,
              [&](mir::Function& f, CompileContext& memory) { sched::schedule(f, memory, schedule_config); });
}

BackEnd::Outcome BackEnd::allocate() {
  regalloc::Config limits;
  limits.max_vgprs = max_vgprs(module_, options_);
  if (options_.max_sgprs < options_.target->sgpr_count) limits.max_sgprs = options_.max_sgprs;
  if (far_jumps_ || encode::may_need_jump_pair(*function_)) {
    // The last pair; the scratch descriptor lies below it.
    function_->jump_pair = isa::sgpr((options_.target->sgpr_count - 2u) & ~1u);
  }
  std::optional<mir::Function> before;
  if (options_.verify) before.emplace(*function_);
  crowded_edges_ = runner_.timed(Account::regalloc,
                                 [&] { return regalloc::try_allocate_registers(*function_, limits, runner_.context); });
  if (!crowded_edges_.empty()) return Outcome::needs_edge_blocks;
  if (!runner_.after(Pass::allocate_registers, *function_)) return Outcome::ended;
  if (before) {
    const Result<void> verdict = regalloc::check_allocation(*before, *function_);
    if (!verdict && !runner_.fail(verdict.error())) return Outcome::ended;
  }
  return Outcome::done;
}

bool BackEnd::expand() {
  return pass(Pass::move_reserved, [](mir::Function& f, CompileContext&) { regalloc::move_reserved(f); }) &&
         pass(Pass::expand_pseudos, expand::expand_pseudos) &&
         // Copies are instructions, and nothing has changed the lanes that they are for.
         pass(Pass::forward_copies, opt::forward_copies) &&
         // Only now it is certain which sides of a branch need no copies.
         pass(Pass::simplify_exec, opt::simplify_exec) &&
         // The registers are known, and copies for phis are instructions like all others.
         pass(Pass::shrink_encodings, opt::shrink_encodings) && pass(Pass::expand_branches, expand::expand_branches) &&
         // On the final linear graph, since copies and reloads move data too.
         pass(Pass::insert_waits, hazard::insert_waits) &&
         // Nothing may come between two halves any more but what knows of them.
         pass(Pass::pair_vector, sched::pair_vector) &&
         // Rows of exports are what they are in the end.
         pass(Pass::prioritize_exports, hazard::prioritize_exports) &&
         // After the waits, which resolve some hazards; nothing but clauses and delays may come after it.
         pass(Pass::resolve_hazards, hazard::resolve_hazards) && pass(Pass::form_clauses, hazard::form_clauses) &&
         // A delay counts the instructions up to the one it is for.
         pass(Pass::insert_delays, hazard::insert_delays);
}

BackEnd::Outcome BackEnd::encode() {
  program_ = runner_.timed(Account::encode, [&] {
    return encode::encode(*function_, runner_.context, options_.verify, options_.templates);
  });
  if (!program_.branches_reach) return Outcome::needs_far_jumps;
  return runner_.after(Pass::encode) ? Outcome::done : Outcome::ended;
}

}  // namespace spalt::driver
