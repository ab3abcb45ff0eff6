// SPDX-License-Identifier: MIT
// The order of everything. Each line is one pass; comments say why a pass stands where it does.
#include "driver/pipeline.h"

#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include "amdgpu/encode/encode.h"
#include "amdgpu/exec/lower_control_flow.h"
#include "amdgpu/expand/expand.h"
#include "amdgpu/hazard/form_clauses.h"
#include "amdgpu/hazard/insert_delays.h"
#include "amdgpu/hazard/insert_waits.h"
#include "amdgpu/hazard/resolve_hazards.h"
#include "amdgpu/isa/text/listing.h"
#include "amdgpu/lower/lower_module.h"
#include "amdgpu/opt/combine_vector.h"
#include "amdgpu/opt/form_halves.h"
#include "amdgpu/opt/form_sdwa.h"
#include "amdgpu/opt/hoist_edge_code.h"
#include "amdgpu/opt/merge_memory.h"
#include "amdgpu/opt/reuse_moves.h"
#include "amdgpu/opt/share_literals.h"
#include "amdgpu/opt/shrink_encodings.h"
#include "amdgpu/opt/simplify_exec.h"
#include "amdgpu/regalloc/allocate.h"
#include "amdgpu/regalloc/check/check.h"
#include "amdgpu/regalloc/move_reserved.h"
#include "amdgpu/sched/pair_vector.h"
#include "amdgpu/sched/schedule.h"
#include "amdgpu/select/select.h"
#include "analysis/divergence.h"
#include "base/ice.h"
#include "driver/make_object.h"
#include "driver/pass_runner.h"
#include "passes/close_loops.h"
#include "passes/eliminate_dead_code.h"
#include "passes/hoist_loop_invariants.h"
#include "passes/lower_switch.h"
#include "passes/promote_scratch.h"
#include "passes/simplify/simplify.h"
#include "passes/simplify_control_flow.h"
#include "passes/split_critical_edges.h"
#include "passes/unroll_loops.h"

namespace spalt::driver {
namespace {

/// The stages whose times are reported: the rows of the data-flow table in docs/architecture.md.
constexpr const char kSpirv[] = "spirv", kPasses[] = "passes", kLower[] = "lower", kSelect[] = "select", kOpt[] = "opt",
                     kExec[] = "exec", kSched[] = "sched", kRegalloc[] = "regalloc", kExpand[] = "expand",
                     kHazard[] = "hazard", kEncode[] = "encode", kObject[] = "object";

constexpr const char* kPassNames[] = {
    "read",
    "simplify",
    "simplify_control_flow",
    "unroll_loops",
    "simplify_1",
    "simplify_control_flow_1",
    "unroll_loops_1",
    "simplify_2",
    "simplify_control_flow_2",
    "promote_scratch",
    "simplify_3",
    "hoist_loop_invariants",
    "eliminate_dead_code",
    "lower_switch",
    "simplify_control_flow_3",
    "lower_module",
    "simplify_4",
    "split_critical_edges",
    "close_loops",
    "select",
    "reuse_moves",
    "combine_vector",
    "form_halves",
    "form_sdwa",
    "merge_memory",
    "hoist_edge_code",
    "share_literals",
    "lower_control_flow",
    "schedule",
    "allocate_registers",
    "expand_pseudos",
    "simplify_exec",
    "shrink_encodings",
    "expand_branches",
    "insert_waits",
    "pair_vector",
    "resolve_hazards",
    "form_clauses",
    "insert_delays",
    "encode",
};

class Pipeline {
 public:
  Pipeline(const Options& options, Output& output) : options_(options), output_(output), run_(options, output) {}

  Result<void> compile(std::span<const uint32_t> words) {
    if (read(words) && optimize() && lower() && generate_code() && finish()) return {};
    if (run_.failed()) return run_.error();
    return {};
  }

 private:
  bool fail(Error error) {
    run_.fail(std::move(error));
    return false;
  }

  template <class Pass>
  bool ir_pass(const char* stage, const char* name, Pass&& pass) {
    run_.timed(stage, pass);
    return run_.after(name, module_);
  }
  template <class Pass>
  bool machine_pass(const char* stage, const char* name, mir::Function& function, Pass&& pass) {
    run_.timed(stage, [&] { pass(function); });
    return run_.after(name, function);
  }
  ir::Function& entry() { return module_.functions[0]; }

  bool read(std::span<const uint32_t> words) {
    spirv::ReadOptions read_options;
    read_options.entry_point = options_.entry_point;
    read_options.specialization = options_.specialization;
    auto module = run_.timed(kSpirv, [&] { return spirv::read(words, read_options); });
    if (!module) return fail(module.error());
    module_ = std::move(*module);
    return run_.after("read", module_);
  }

  bool optimize() {
    passes::SimplifyConfig config;
    config.workgroup_size = module_.workgroup_size;
    config.max_workgroups = options_.max_workgroups;
    const auto simplify = [&] { passes::simplify(entry(), config); };
    // A loop around unrolled ones is a candidate only then; small nests, such as filters, become straight code.
    passes::UnrollLoopsConfig outer_loops;
    outer_loops.max_instructions = 256;
    bool unrolled = false, changed = false;
    const auto simplify_copies = [&] { return unrolled && passes::simplify(entry(), config); };
    const auto simplify_branches = [&] {
      if (unrolled) changed = passes::simplify_control_flow(entry()).values;
    };
    return ir_pass(kPasses, "simplify", simplify) &&
           ir_pass(kPasses, "simplify_control_flow",
                   [&] { changed = passes::simplify_control_flow(entry()).values; }) &&
           ir_pass(kPasses, "unroll_loops", [&] { unrolled = passes::unroll_loops(entry()); }) &&
           // Unrolling turns loop conditions and indices into constants: the branches go, and only then can arrays
           // leave memory.
           ir_pass(kPasses, "simplify_1", simplify_copies) &&
           ir_pass(kPasses, "simplify_control_flow_1", simplify_branches) &&
           ir_pass(kPasses, "unroll_loops_1",
                   [&] { unrolled = unrolled && passes::unroll_loops(entry(), outer_loops); }) &&
           ir_pass(kPasses, "simplify_2", simplify_copies) &&
           ir_pass(kPasses, "simplify_control_flow_2", simplify_branches) &&
           ir_pass(kPasses, "promote_scratch", [&] { changed |= passes::promote_scratch(module_); }) &&
           // Where nothing has changed since the last time, nothing is left to simplify.
           ir_pass(kPasses, "simplify_3", [&] { return changed && passes::simplify(entry(), config); }) &&
           ir_pass(kPasses, "hoist_loop_invariants", [&] { passes::hoist_loop_invariants(entry()); }) &&
           ir_pass(kPasses, "eliminate_dead_code", [&] { passes::eliminate_dead_code(entry()); });
  }

  bool lower() {
    // Before lower_module, which inserts expansions and must see the final blocks of a switch.
    bool lowered = false;
    if (!ir_pass(kLower, "lower_switch", [&] { lowered = passes::lower_switch(entry()); })) return false;
    // Cases without instructions of cost become selects, as the arms of other branches have.
    const auto simplify_branches = [&] {
      if (lowered) passes::simplify_control_flow(entry());
    };
    if (!ir_pass(kPasses, "simplify_control_flow_3", simplify_branches)) return false;
    if (!options_.has_layout) layout_ = lower::default_user_data_layout(module_);
    if (options_.has_layout) layout_ = options_.layout;
    record_layout();
    lower::LowerConfig config;
    config.target = options_.target;
    config.wave_size = options_.wave_size;
    config.layout = &layout_;
    config.max_workgroups = options_.max_workgroups;
    auto interface = run_.timed(kLower, [&] { return lower::lower_module(module_, config); });
    if (!interface) return fail(interface.error());
    interface_ = *interface;
    // The expansions have much in common: descriptors, addresses, ids.
    return run_.after("lower_module", module_) &&
           ir_pass(kPasses, "simplify_4",
                   [&] {
                     passes::SimplifyConfig simplify_config;
                     simplify_config.args = module_.args;
                     passes::simplify(entry(), simplify_config);
                     // Comparisons of ids may be decided now.
                     if (passes::has_decided_branch(entry())) passes::simplify_control_flow(entry());
                     passes::eliminate_dead_code(entry());
                   }) &&
           // Copies for phis need a place that only their edge passes; closing loops puts phis on exit edges.
           ir_pass(kLower, "split_critical_edges", [&] { passes::split_critical_edges(entry()); }) &&
           ir_pass(kLower, "close_loops", [&] { passes::close_loops(module_, {}, &divergence_); });
  }

  bool generate_code() {
    // Known already where loops needed no closing, and when this starts again.
    run_.timed(kSelect, [&] {
      if (!divergence_) divergence_ = analysis::analyze_divergence(entry(), module_);
    });
    if (!allocate(false)) return false;
    // Whether values spill to scratch is known after allocation, but the prolog that sets scratch up is made by
    // selection. Spilling is rare, so the second pass over the back end costs nothing in general.
    const bool wants_descriptor = function_->facts.scratch_bytes != 0 && !options_.target->architected_flat_scratch;
    if (wants_descriptor && !function_->scratch_descriptor.valid() && !allocate(true)) return false;
    return machine_pass(kRegalloc, "move_reserved", *function_, [](mir::Function& f) { regalloc::move_reserved(f); }) &&
           machine_pass(kExpand, "expand_pseudos", *function_, [](mir::Function& f) { expand::expand_pseudos(f); }) &&
           // Only now it is certain which sides of a branch need no copies.
           machine_pass(kOpt, "simplify_exec", *function_, [](mir::Function& f) { opt::simplify_exec(f); }) &&
           // The registers are known, and copies for phis are instructions like all others.
           machine_pass(kOpt, "shrink_encodings", *function_, [](mir::Function& f) { opt::shrink_encodings(f); }) &&
           machine_pass(kExpand, "expand_branches", *function_, [](mir::Function& f) { expand::expand_branches(f); }) &&
           // On the final linear graph, since copies and reloads move data too.
           machine_pass(kHazard, "insert_waits", *function_, [](mir::Function& f) { hazard::insert_waits(f); }) &&
           // Nothing may come between two halves any more but what knows of them.
           machine_pass(kSched, "pair_vector", *function_, [](mir::Function& f) { sched::pair_vector(f); }) &&
           // After the waits, which resolve some hazards; nothing but clauses and delays may come behind it.
           machine_pass(kHazard, "resolve_hazards", *function_, [](mir::Function& f) { hazard::resolve_hazards(f); }) &&
           machine_pass(kHazard, "form_clauses", *function_, [](mir::Function& f) { hazard::form_clauses(f); }) &&
           // A delay counts the instructions up to the one it is for.
           machine_pass(kHazard, "insert_delays", *function_, [](mir::Function& f) { hazard::insert_delays(f); });
  }

  /// Blocks on critical edges are folded before anybody knows whether values must move there, as they seldom must.
  /// Where they do and cannot elsewhere the back end starts again with these blocks in place.
  bool allocate(bool enable_scratch) {
    constexpr unsigned kRounds = 3;
    std::vector<mir::LogicalEdge> kept_edges;
    for (unsigned round = 0;; ++round) {
      exec::Config config;
      config.fold_edges = round < kRounds;
      config.kept_edges = kept_edges;
      crowded_edges_.clear();
      if (!allocate(enable_scratch, config)) return false;
      if (crowded_edges_.empty()) return true;
      if (!config.fold_edges) SPALT_ICE("a critical logical edge without a block");
      kept_edges.insert(kept_edges.end(), crowded_edges_.begin(), crowded_edges_.end());
    }
  }

  /// False when the compilation ends here. Sets crowded_edges_ when it must be done again.
  bool allocate(bool enable_scratch, const exec::Config& exec_config) {
    select::SelectConfig config;
    config.wave_size = options_.wave_size;
    config.wgp_mode = options_.wgp_mode;
    config.enable_scratch = enable_scratch;
    config.arena = &context_.arena;
    auto selected = run_.timed(
        kSelect, [&] { return select::select_function(module_, interface_, *divergence_, *options_.target, config); });
    if (!selected) return fail(selected.error());
    function_ = std::make_unique<mir::Function>(std::move(*selected));
    if (!run_.after("select", *function_)) return false;
    if (!combine()) return false;
    // The waves of a workgroup share the registers of the SIMDs that it runs on.
    const std::array<uint32_t, 3>& size = module_.workgroup_size;
    regalloc::Config limits;
    limits.max_vgprs =
        options_.target->vgprs_in_workgroup(options_.wave_size, size[0] * size[1] * size[2], options_.wgp_mode);
    sched::ScheduleConfig schedule_config;
    schedule_config.max_vgprs = limits.max_vgprs;
    const auto lowered = run_.timed(kExec, [&] { return exec::lower_control_flow(*function_, exec_config); });
    if (!lowered) return fail(lowered.error());
    if (!run_.after("lower_control_flow", *function_)) return false;
    if (!machine_pass(kSched, "schedule", *function_, [&](mir::Function& f) { sched::schedule(f, schedule_config); })) {
      return false;
    }
    if (branches_far_ || encode::may_need_jump_pair(*function_)) {
      // The last pair; the scratch descriptor lies below it.
      function_->jump_pair = isa::sgpr((options_.target->sgpr_count - 2u) & ~1u);
    }
    std::optional<mir::Function> before;
    if (options_.verify) before.emplace(*function_);
    crowded_edges_ =
        run_.timed(kRegalloc, [&] { return regalloc::try_allocate_registers(*function_, limits, context_); });
    if (!crowded_edges_.empty()) return true;
    if (!run_.after("allocate_registers", *function_)) return false;
    if (!before) return true;
    const auto verdict = regalloc::check_allocation(*before, *function_);
    return verdict ? true : fail(verdict.error());
  }

  /// While the blocks are the logical ones and every value has one definition.
  bool combine() {
    // Accesses with one address register can be merged.
    return machine_pass(kOpt, "reuse_moves", *function_, [](mir::Function& f) { opt::reuse_moves(f); }) &&
           machine_pass(kOpt, "combine_vector", *function_, [](mir::Function& f) { opt::combine_vector(f); }) &&
           // Halves come first, since they save more than the parts of integers that SDWA selects.
           machine_pass(kOpt, "form_halves", *function_, [](mir::Function& f) { opt::form_halves(f); }) &&
           machine_pass(kOpt, "form_sdwa", *function_, [](mir::Function& f) { opt::form_sdwa(f); }) &&
           machine_pass(kOpt, "merge_memory", *function_, [](mir::Function& f) { opt::merge_memory(f); }) &&
           machine_pass(kOpt, "hoist_edge_code", *function_, [](mir::Function& f) { opt::hoist_edge_code(f); }) &&
           machine_pass(kOpt, "share_literals", *function_, [](mir::Function& f) { opt::share_literals(f); });
  }

  bool finish() {
    encode::Program program = run_.timed(kEncode, [&] { return encode::encode(*function_); });
    if (!program.branches_reach) {
      // Without a pair, for the guess was that branches reach; rare.
      branches_far_ = true;
      if (!generate_code()) return false;
      program = run_.timed(kEncode, [&] { return encode::encode(*function_); });
      if (!program.branches_reach) SPALT_ICE("a branch does not reach its target");
    }
    if (!run_.after("encode")) return false;
    auto elf = run_.timed(kObject, [&] {
      return object::write_elf(make_object(module_, *function_, interface_, program.words, options_),
                               options_.metadata);
    });
    if (!elf) return fail(elf.error());
    output_.elf = std::move(*elf);
    output_.statistics = make_statistics(module_, *function_, program, options_);
    if (options_.want_assembly) {
      output_.assembly = isa::list_code(program.words, *options_.target, options_.wave_size);
    }
    return true;
  }

  void record_layout() {
    output_.push_constant_entry = layout_.push_constant_entry;
    output_.push_constant_dwords = layout_.push_constant_dwords;
    for (const ir::Binding& binding : module_.bindings) {
      const abi::BindingLocation* place = layout_.find_binding(binding.set, binding.binding);
      const abi::SetLocation* set = layout_.find_set(binding.set);
      if (place == nullptr || set == nullptr) continue;  // lower_module reports it
      output_.bindings.push_back(
          {binding.set, binding.binding, binding.count, set->entry, place->offset, place->stride});
    }
  }

  const Options& options_;
  Output& output_;
  CompileContext context_;  ///< first, for what follows lies in it
  PassRunner run_;
  ir::Module module_;
  abi::UserDataLayout layout_;
  abi::ComputeInterface interface_;
  std::optional<analysis::Divergence> divergence_;  ///< of the function that selection reads
  std::unique_ptr<mir::Function> function_;
  std::vector<mir::LogicalEdge> crowded_edges_;  ///< of the last allocation: they need blocks of their own
  bool branches_far_ = false;                    ///< known from a first attempt
};

}  // namespace

std::span<const char* const> pass_names() {
  return kPassNames;
}

Result<Output> compile(std::span<const uint32_t> words, const Options& options) {
  Output output;
  const auto done = Pipeline(options, output).compile(words);
  if (!done) return done.error();
  return output;
}

}  // namespace spalt::driver
