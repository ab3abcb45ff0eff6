// SPDX-License-Identifier: MIT
#include "replay/compile_pipeline.h"

#include <algorithm>
#include <bit>
#include <chrono>
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
  const bool full = (stage.flags & vulkan::kRequireFullSubgroups) != 0;
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

void PipelineCompiler::set_robustness(const PipelineInput& input, spalt_compile_info& info) const {
  info.null_descriptors = input.application.null_descriptor ? 1 : 0;
  if (settings_.robustness != "recorded") {
    const uint32_t level = settings_.robustness == "off" ? 0 : settings_.robustness == "1" ? 1 : 2;
    info.uniform_buffer_robustness = info.storage_buffer_robustness = info.image_robustness = level;
    return;
  }
  const StageState& stage = input.state.stages[0];
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
  const StageState& stage = input.state.stages[0];
  spalt_compile_info info = spalt_api::sized<spalt_compile_info>();
  info.words = input.words.data();
  info.word_count = input.words.size();
  info.entry_point = stage.entry_point.c_str();
  const SpecializationEntries specialization(stage.specialization, info);
  const spalt_user_data_layout layout = input.layout.info();
  info.layout = &layout;
  info.wgp_mode = settings_.wgp_mode ? 1 : 0;
  info.max_vgprs = settings_.max_vgprs;
  info.max_sgprs = settings_.max_sgprs;
  info.max_unroll_instructions = settings_.max_unroll;
  info.verify = verify_ ? 1 : 0;
  info.cancel = cancel;
  set_robustness(input, info);
  if (!choose_wave_size(stage, info, result.problem)) return;
  for (uint32_t i = 0; i < repeat_; ++i) {
    spalt_compilation* raw = nullptr;
    const auto start = std::chrono::steady_clock::now();
    const spalt_result code = spalt_compile(compiler_.get(), &info, &raw);
    const auto elapsed = std::chrono::steady_clock::now() - start;
    const Compilation compilation(code, raw);
    if (code != SPALT_SUCCESS) {
      fail(result.problem, cause_of(code), compilation.message());
      return;
    }
    const auto ns = static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count());
    result.nanoseconds = i == 0 ? ns : std::min(result.nanoseconds, ns);
    if (i > 0) continue;
    result.statistics = compilation.statistics();
    const auto [bytes, size] = compilation.elf();
    result.code_hash = code_hash(bytes, size);
    if (elf != nullptr) elf->assign(reinterpret_cast<const char*>(bytes), size);
  }
}

}  // namespace spalt_tool::replay
