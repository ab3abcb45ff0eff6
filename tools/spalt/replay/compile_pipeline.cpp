// SPDX-License-Identifier: MIT
#include "replay/compile_pipeline.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <deque>
#include <optional>
#include <utility>

#include "replay/code_hash.h"
#include "replay/vulkan_numbers.h"

namespace spalt_tool::replay {
namespace {

using spalt_api::Compilation;
using spalt_api::sized;

Cause cause_of(spalt_result result) {
  switch (result) {
    case SPALT_SUCCESS:
      return Cause::none;
    case SPALT_ERROR_UNSUPPORTED:
      return Cause::unsupported;
    case SPALT_ERROR_LIMIT_EXCEEDED:
      return Cause::limit;
    case SPALT_ERROR_OUT_OF_MEMORY:
      return Cause::memory;
    case SPALT_ERROR_CANCELLED:
      return Cause::time;
    case SPALT_ERROR_INVALID_ARGUMENT:
    case SPALT_ERROR_INVALID_INPUT:
      return Cause::invalid;
    default:
      return Cause::bug;
  }
}

/// The specialization of a stage in the form of the compiler's interface.
class SpecializationEntries {
 public:
  SpecializationEntries(const SpecializationState& state, spalt_compile_info& info) {
    for (const auto& entry : state.entries) {
      // A size that no constant has belongs to an id that the module does not have, which Vulkan allows.
      if (!std::has_single_bit(entry.size) || entry.size > sizeof(uint64_t)) continue;
      entries_.push_back({entry.constant_id, entry.offset, entry.size});
    }
    info.specialization_entries = entries_.data();
    info.specialization_entry_count = entries_.size();
    info.specialization_entry_size = sizeof(spalt_specialization_entry);
    info.specialization_data = state.data.data();
    info.specialization_data_size = state.data.size();
  }

 private:
  std::vector<spalt_specialization_entry> entries_;
};

/// `demand` is that of the pipeline, `device` what the recorded device had switched on.
uint32_t robustness_level(uint32_t demand, uint32_t device) {
  switch (demand) {
    case vulkan::kDisabled:
      return SPALT_ROBUSTNESS_OFF;
    case vulkan::kRobust:
      return SPALT_ROBUSTNESS_1;
    case vulkan::kRobust2:
      return SPALT_ROBUSTNESS_2;
    default:
      return device;
  }
}

uint32_t device_level(bool first, bool second) {
  return second ? SPALT_ROBUSTNESS_2 : first ? SPALT_ROBUSTNESS_1 : SPALT_ROBUSTNESS_OFF;
}

/// The x size of the workgroup; 0 when the module cannot be read, which compiling it will say.
uint32_t workgroup_width(const spalt_compile_info& info) {
  spalt_reflect_info reflect = sized<spalt_reflect_info>();
  reflect.words = info.words;
  reflect.word_count = info.word_count;
  reflect.entry_point = info.entry_point;
  reflect.stage = SPALT_STAGE_COMPUTE;
  reflect.has_stage = 1;
  reflect.specialization_entries = info.specialization_entries;
  reflect.specialization_entry_count = info.specialization_entry_count;
  reflect.specialization_entry_size = info.specialization_entry_size;
  reflect.specialization_data = info.specialization_data;
  reflect.specialization_data_size = info.specialization_data_size;
  spalt_reflection* raw = nullptr;
  const spalt_result read = spalt_reflect(&reflect, &raw);
  const spalt_api::detail::Owned<spalt_reflection, spalt_reflection_destroy> reflection(raw);
  spalt_reflection_info answer = sized<spalt_reflection_info>();
  if (read != SPALT_SUCCESS || spalt_reflection_get(raw, &answer) != SPALT_SUCCESS) return 0;
  return answer.workgroup_size[0];
}

/// The state of a graphics pipeline in the form of the compiler's interface.
class GraphicsInfo {
 public:
  GraphicsInfo(const GraphicsState& state, const std::vector<uint32_t>& formats) : info_(state.fixed) {
    for (size_t i = 0; i < formats.size() && info_.rasterizer_discard == 0; ++i) {
      spalt_color_target& target = targets_.emplace_back();
      if (i < state.blends.size()) target = state.blends[i].target;
      if (i < state.blends.size() && state.blends[i].dual_source) info_.dual_source_blend = 1;
      target.format = formats[i];
    }
    info_.vertex_bindings = state.bindings.data();
    info_.vertex_binding_count = state.bindings.size();
    info_.vertex_binding_size = sizeof(spalt_vertex_binding);
    info_.vertex_attributes = state.attributes.data();
    info_.vertex_attribute_count = state.attributes.size();
    info_.vertex_attribute_size = sizeof(spalt_vertex_attribute);
    info_.color_targets = targets_.data();
    info_.color_target_count = targets_.size();
    info_.color_target_size = sizeof(spalt_color_target);
  }
  const spalt_graphics_state& info() const { return info_; }

 private:
  spalt_graphics_state info_;
  std::vector<spalt_color_target> targets_;
};

uint64_t nanoseconds_since(std::chrono::steady_clock::time_point start) {
  const auto elapsed = std::chrono::steady_clock::now() - start;
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count());
}

/// Counts add up, what a wave needs is the most of any stage, and the waves that run are the fewest.
void add_statistics(const spalt_statistics& stage, spalt_statistics& sum) {
  using S = spalt_statistics;
  for (uint32_t S::*count : {&S::instructions, &S::code_bytes, &S::spilled_sgprs, &S::spilled_vgprs}) {
    sum.*count += stage.*count;
  }
  for (uint32_t S::*need : {&S::sgprs, &S::vgprs, &S::lds_bytes, &S::scratch_bytes, &S::wave_size}) {
    sum.*need = std::max(sum.*need, stage.*need);
  }
  sum.waves_per_simd =
      sum.waves_per_simd == 0 ? stage.waves_per_simd : std::min(sum.waves_per_simd, stage.waves_per_simd);
}

void take_elf(std::pair<const uint8_t*, size_t> bytes, PipelineResult& result, std::string* elf) {
  result.code_hash = code_hash(bytes.first, bytes.second);
  if (elf != nullptr) elf->assign(reinterpret_cast<const char*>(bytes.first), bytes.second);
}

}  // namespace

bool PipelineCompiler::create(const Settings& settings, const RunOptions& options, std::string& error) {
  settings_ = settings;
  repeat_ = std::max(options.repeat, 1u);
  verify_ = options.verify;
  target_ = sized<spalt_target_info>();
  spalt_compiler_create_info info = sized<spalt_compiler_create_info>();
  info.target = settings.target.c_str();
  spalt_compiler* compiler = nullptr;
  if (spalt_query_target(settings.target.c_str(), &target_) != SPALT_SUCCESS ||
      spalt_compiler_create(&info, &compiler) != SPALT_SUCCESS) {
    error = "target " + settings.target + " is not supported";
    return false;
  }
  compiler_.reset(compiler);
  const uint32_t wave = settings.wave_size != 0 ? settings.wave_size : target_.default_wave_size;
  if (spalt_target_supports(settings.target.c_str(), wave, settings.wgp_mode ? 1 : 0) == 0) {
    error = "target " + settings.target + " has no such waves or no work-group processor mode";
    return false;
  }
  return true;
}

bool PipelineCompiler::choose_wave_size(const StageState& stage, spalt_compile_info& info, Problem& problem) const {
  const bool full = stage.stage == vulkan::kCompute && (stage.flags & vulkan::kRequireFullSubgroups) != 0;
  info.require_full_subgroups = full ? 1 : 0;
  info.wave_size = settings_.wave_size != 0 ? settings_.wave_size : target_.default_wave_size;
  const uint32_t required = stage.required_subgroup_size;
  if (required != 0) {
    info.wave_size = required;
    const bool is_size = required == 32 || required == 64;
    if (is_size && (target_.wave_sizes & required) != 0) return true;
    return fail(problem, Cause::unsupported,
                "the stage requires subgroups of " + std::to_string(required) + ", which " + settings_.target +
                    " does not have");
  }
  // Recorded for a device with small subgroups: a driver would take those that are full.
  if (full && info.wave_size == 64 && (target_.wave_sizes & 32) != 0 && workgroup_width(info) % 64 == 32) {
    info.wave_size = 32;
  }
  return true;
}

void PipelineCompiler::set_robustness(const PipelineInput& input, const StageState& stage,
                                      spalt_compile_info& info) const {
  info.null_descriptors = input.application.null_descriptor ? 1 : 0;
  if (settings_.robustness != "recorded") {
    const uint32_t level = settings_.robustness == "off" ? 0 : settings_.robustness == "1" ? 1 : 2;
    info.uniform_buffer_robustness = info.storage_buffer_robustness = info.image_robustness = level;
    return;
  }
  RobustnessState demand;
  if (input.state.robustness) demand = *input.state.robustness;
  if (stage.robustness) demand = *stage.robustness;
  const ApplicationState& device = input.application;
  const uint32_t buffers = device_level(device.robust_buffer_access, device.robust_buffer_access_2);
  const uint32_t images = device_level(device.robust_image_access, device.robust_image_access_2);
  info.uniform_buffer_robustness = robustness_level(demand.uniform_buffers, buffers);
  info.storage_buffer_robustness = robustness_level(demand.storage_buffers, buffers);
  info.image_robustness = robustness_level(demand.images, images);
}

void PipelineCompiler::compile(const PipelineInput& input, const uint32_t* cancel, PipelineResult& result,
                               std::string* elf) const {
  std::array<spalt_user_data_layout, 2> layouts{};
  std::optional<GraphicsInfo> graphics;
  if (input.state.graphics) graphics.emplace(*input.state.graphics, input.color_formats);
  std::vector<spalt_compile_info> infos;
  std::deque<SpecializationEntries> specializations;
  for (size_t i = input.state.stages.size(); i-- != 0;) {
    const StageState& stage = input.state.stages[i];
    spalt_compile_info& info = infos.emplace_back(sized<spalt_compile_info>());
    info.words = input.words[i].data();
    info.word_count = input.words[i].size();
    info.entry_point = stage.entry_point.c_str();
    info.has_stage = 1;
    info.stage = stage.stage == vulkan::kVertex     ? SPALT_STAGE_VERTEX
                 : stage.stage == vulkan::kFragment ? SPALT_STAGE_FRAGMENT
                                                    : SPALT_STAGE_COMPUTE;
    specializations.emplace_back(stage.specialization, info);
    if (input.layouts[i] != nullptr) {
      layouts[i] = input.layouts[i]->info();
      info.layout = &layouts[i];
    }
    info.graphics = graphics ? &graphics->info() : nullptr;
    info.wgp_mode = settings_.wgp_mode && !graphics ? 1 : 0;
    info.max_vgprs = settings_.max_vgprs;
    info.max_sgprs = settings_.max_sgprs;
    info.max_unroll_instructions = settings_.max_unroll;
    info.verify = verify_ ? 1 : 0;
    info.cancel = cancel;
    set_robustness(input, stage, info);
    if (!choose_wave_size(stage, info, result.problem)) return;
  }
  if (graphics) return compile_graphics(infos, result, elf);
  compile_compute(infos[0], result, elf);
}

void PipelineCompiler::compile_compute(const spalt_compile_info& info, PipelineResult& result, std::string* elf) const {
  for (uint32_t i = 0; i < repeat_; ++i) {
    spalt_compilation* raw = nullptr;
    const auto start = std::chrono::steady_clock::now();
    const spalt_result code = spalt_compile(compiler_.get(), &info, &raw);
    const uint64_t ns = nanoseconds_since(start);
    const Compilation compilation(code, raw);
    if (code != SPALT_SUCCESS) {
      fail(result.problem, cause_of(code), compilation.message());
      return;
    }
    result.nanoseconds = i == 0 ? ns : std::min(result.nanoseconds, ns);
    if (i > 0) continue;
    result.statistics = compilation.statistics();
    take_elf(compilation.elf(), result, elf);
  }
}

void PipelineCompiler::compile_graphics(std::span<spalt_compile_info> infos, PipelineResult& result,
                                        std::string* elf) const {
  for (uint32_t i = 0; i < repeat_; ++i) {
    std::vector<Compilation> compilations;
    std::vector<spalt_stage_object> stages;
    compilations.reserve(infos.size());
    stages.reserve(infos.size());
    const auto start = std::chrono::steady_clock::now();
    for (spalt_compile_info& info : infos) {
      const spalt_stage_object nothing{};
      if (info.stage == SPALT_STAGE_VERTEX) info.next_stage = stages.empty() ? &nothing : &stages.back();
      if (info.stage == SPALT_STAGE_FRAGMENT && infos.size() > 1) info.previous_stage = &infos.back();
      spalt_compilation* raw = nullptr;
      const spalt_result code = spalt_compile_stage(compiler_.get(), &info, &raw);
      const Compilation& compilation = compilations.emplace_back(code, raw);
      if (code != SPALT_SUCCESS) {
        fail(result.problem, cause_of(code), compilation.message());
        return;
      }
      stages.push_back(compilation.stage_object());
    }
    std::reverse(stages.begin(), stages.end());  // as other tools link them: the order is in the metadata
    spalt_link_info link = sized<spalt_link_info>();
    link.stages = stages.data();
    link.stage_count = stages.size();
    link.stage_size = sizeof(spalt_stage_object);
    spalt_pipeline* raw = nullptr;
    const spalt_result code = spalt_link(compiler_.get(), &link, &raw);
    const uint64_t ns = nanoseconds_since(start);
    const spalt_api::Pipeline pipeline(code, raw);
    if (code != SPALT_SUCCESS) {
      fail(result.problem, cause_of(code), pipeline.message());
      return;
    }
    result.nanoseconds = i == 0 ? ns : std::min(result.nanoseconds, ns);
    if (i > 0) continue;
    result.statistics = sized<spalt_statistics>();
    for (const Compilation& compilation : compilations) add_statistics(compilation.statistics(), result.statistics);
    take_elf(pipeline.elf(), result, elf);
  }
}

}  // namespace spalt_tool::replay
