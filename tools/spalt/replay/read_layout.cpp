// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "replay/read_state.h"
#include "replay/vulkan_numbers.h"

namespace spalt_tool::replay {
namespace {

float to_float(Fields& fields, const char* name) {
  constexpr double kMax = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(fields.real(name), -kMax, kMax));
}

void read_sampler_structure(Fields next, SamplerState& state) {
  const uint64_t type = next.number("sType");
  if (type == vulkan::kSamplerReductionMode) {
    state.reduction_mode = static_cast<uint32_t>(next.number("reductionMode"));
  } else if (next.ok()) {
    fail(next.problem(), Cause::unsupported,
         "an immutable sampler has structure " + std::to_string(type) + ", which is not supported");
  }
}

SetBindingState read_binding(Fields fields) {
  SetBindingState binding;
  binding.binding = static_cast<uint32_t>(fields.number("binding"));
  binding.type = static_cast<uint32_t>(fields.number("descriptorType"));
  binding.count = static_cast<uint32_t>(fields.number("descriptorCount"));
  binding.immutable_samplers = fields.hashes("immutableSamplers");
  if (!binding.immutable_samplers.empty() && binding.immutable_samplers.size() != binding.count) {
    fields.wrong("binding " + std::to_string(binding.binding) + " has not as many immutable samplers as descriptors");
  }
  return binding;
}

/// The lists are in the order of the recorded bindings.
void read_mutable_types(Fields& next, std::vector<SetBindingState>& bindings) {
  size_t index = 0;
  next.for_each("mutableDescriptorTypeLists", [&](const nlohmann::json& list) {
    const size_t at = index++;
    if (!list.is_array()) return next.wrong("a list of mutable descriptor types is no list");
    for (const nlohmann::json& type : list) {
      if (!type.is_number_unsigned() || type.get<uint64_t>() > UINT32_MAX) {
        return next.wrong("a mutable descriptor type is no number");
      }
      if (at < bindings.size()) bindings[at].mutable_types.push_back(type.get<uint32_t>());
    }
  });
}

void read_set_structure(Fields next, std::vector<SetBindingState>& bindings) {
  const uint64_t type = next.number("sType");
  if (type == vulkan::kMutableDescriptorType) return read_mutable_types(next, bindings);
  // Flags of bindings (update after bind, partially bound, variable count) change no place.
  if (type == vulkan::kDescriptorSetLayoutBindingFlags || !next.ok()) return;
  fail(next.problem(), Cause::unsupported,
       "a descriptor set layout has structure " + std::to_string(type) + ", which is not supported");
}

}  // namespace

bool read_sampler(const Document& document, uint64_t hash, SamplerState& state, Problem& problem) {
  const nlohmann::json* object = document.find("samplers", hash, problem);
  if (object == nullptr) return false;
  Fields fields(*object, "the sampler", problem);
  const auto number = [&](const char* name) { return static_cast<uint32_t>(fields.number(name)); };
  state.flags = number("flags");
  state.mag_filter = number("magFilter");
  state.min_filter = number("minFilter");
  state.mipmap_mode = number("mipmapMode");
  state.address_mode = {number("addressModeU"), number("addressModeV"), number("addressModeW")};
  state.compare_enable = number("compareEnable");
  state.compare_op = number("compareOp");
  state.anisotropy_enable = number("anisotropyEnable");
  state.border_color = number("borderColor");
  state.unnormalized_coordinates = number("unnormalizedCoordinates");
  state.max_anisotropy = to_float(fields, "maxAnisotropy");
  state.mip_lod_bias = to_float(fields, "mipLodBias");
  state.min_lod = to_float(fields, "minLod");
  state.max_lod = to_float(fields, "maxLod");
  fields.for_each("pNext", [&](const nlohmann::json& value) {
    read_sampler_structure(Fields(value, "a structure of the sampler", problem), state);
  });
  return fields.ok();
}

bool read_set_layout(const Document& document, uint64_t hash, SetLayoutState& state, Problem& problem) {
  const nlohmann::json* object = document.find("setLayouts", hash, problem);
  if (object == nullptr) return false;
  Fields fields(*object, "the set layout", problem);
  state.flags = static_cast<uint32_t>(fields.number("flags"));
  fields.for_each("bindings", [&](const nlohmann::json& value) {
    state.bindings.push_back(read_binding(Fields(value, "a binding", problem)));
  });
  fields.for_each("pNext", [&](const nlohmann::json& value) {
    read_set_structure(Fields(value, "a structure of the set layout", problem), state.bindings);
  });
  const auto before = [](const SetBindingState& a, const SetBindingState& b) { return a.binding < b.binding; };
  const auto same = [](const SetBindingState& a, const SetBindingState& b) { return a.binding == b.binding; };
  std::stable_sort(state.bindings.begin(), state.bindings.end(), before);
  const auto twice = std::adjacent_find(state.bindings.begin(), state.bindings.end(), same);
  if (twice != state.bindings.end()) fields.wrong("binding " + std::to_string(twice->binding) + " is there twice");
  return fields.ok();
}

bool read_pipeline_layout(const Document& document, uint64_t hash, PipelineLayoutState& state, Problem& problem) {
  const nlohmann::json* object = document.find("pipelineLayouts", hash, problem);
  if (object == nullptr) return false;
  Fields fields(*object, "the pipeline layout", problem);
  state.sets = fields.hashes("setLayouts");
  fields.for_each("pushConstantRanges", [&](const nlohmann::json& value) {
    Fields range(value, "a push constant range", problem);
    const uint64_t end = range.number("offset") + range.number("size");
    if (end > UINT32_MAX) range.wrong("a push constant range ends beyond 4 GiB");
    state.push_constant_bytes = std::max(state.push_constant_bytes, static_cast<uint32_t>(end));
  });
  return fields.ok();
}

bool read_application(const Document& document, ApplicationState& state, Problem& problem) {
  Fields root(document.root(), "the description", problem);
  const nlohmann::json& object = root.object("physicalDeviceFeatures");
  if (!root.ok()) return false;
  Fields fields(object, "the features", problem);
  state.robust_buffer_access = fields.number_or("robustBufferAccess", 0) != 0;
  // Features that are not known here are those that change no compute code.
  fields.for_each("pNext", [&](const nlohmann::json& value) {
    Fields next(value, "a structure of the features", problem);
    const uint64_t type = next.number("sType");
    if (type == vulkan::kRobustness2Features) {
      state.robust_buffer_access_2 = next.number("robustBufferAccess2") != 0;
      state.robust_image_access_2 = next.number("robustImageAccess2") != 0;
      state.null_descriptor = next.number("nullDescriptor") != 0;
    } else if (type == vulkan::kImageRobustnessFeatures) {
      state.robust_image_access = next.number("robustImageAccess") != 0;
    }
  });
  return fields.ok();
}

bool read_application_link(const Document& document, ApplicationLinkState& state, Problem& problem) {
  Fields root(document.root(), "the description", problem);
  const nlohmann::json& object = root.object("link");
  if (!root.ok()) return false;
  Fields fields(object, "the link", problem);
  state.application = fields.hash("application");
  state.tag = static_cast<uint32_t>(fields.number("tag"));
  state.hash = fields.hash("hash");
  return fields.ok();
}

}  // namespace spalt_tool::replay
