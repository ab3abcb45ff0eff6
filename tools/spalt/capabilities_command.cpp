// SPDX-License-Identifier: MIT
#include <spalt/spalt.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "commands.h"
#include "spirv_registry.h"

namespace spalt_tool {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string target;
  bool json = false;
};

constexpr const char* kStageNames[] = {
    "vertex", "tessellation_control", "tessellation_evaluation", "geometry", "fragment", "compute"};
constexpr const char* kKindNames[] = {"raw_buffer",  "typed_buffer",    "image", "sampler", "combined_image_sampler",
                                      "inline_data", "user_data_buffer"};
constexpr const char* kFloatModeNames[] = {"preserve_denormals_32", "flush_denormals_16_64", "round_to_zero_32",
                                           "round_to_zero_16_64", "preserve_signed_zero_inf_nan"};

/// Names of the bits that are set.
template <size_t N>
Json bits(uint32_t set, const char* const (&names)[N]) {
  Json list = Json::array();
  for (size_t i = 0; i < N; ++i) {
    if ((set >> i & 1) != 0) list.push_back(names[i]);
  }
  return list;
}

Json describe(const spalt_target_info& info) {
  Json waves = Json::array();
  for (uint32_t size : {32u, 64u}) {
    if ((info.wave_sizes & size) != 0) waves.push_back(size);
  }
  Json capabilities = Json::array(), extensions = Json::array(), versions = Json::array();
  for (size_t i = 0; i < info.spirv_capability_count; ++i) capabilities.push_back(info.spirv_capability_names[i]);
  for (size_t i = 0; i < info.spirv_extension_count; ++i) extensions.push_back(info.spirv_extension_names[i]);
  for (size_t i = 0; i < info.pal_abi_version_count; ++i) {
    versions.push_back(std::to_string(info.pal_abi_versions[i] >> 16) + "." +
                       std::to_string(info.pal_abi_versions[i] & 0xffff));
  }
  return {{"target", info.name},
          {"stages", bits(info.stages, kStageNames)},
          {"binding_kinds", bits(info.binding_kinds, kKindNames)},
          {"wave_sizes", waves},
          {"default_wave_size", info.default_wave_size},
          {"wgp_mode", info.has_wgp_mode != 0},
          {"max_workgroup_size", {info.max_workgroup_size[0], info.max_workgroup_size[1], info.max_workgroup_size[2]}},
          {"max_workgroup_invocations", info.max_workgroup_invocations},
          {"max_shared_bytes", info.max_shared_bytes},
          {"max_push_constant_bytes", info.max_push_constant_bytes},
          {"max_user_data_entries", info.max_user_data_entries},
          {"max_sgprs", info.max_sgprs},
          {"max_vgprs", info.max_vgprs},
          {"buffer_descriptor_bytes", info.buffer_descriptor_bytes},
          {"max_robustness", info.max_robustness},
          {"null_descriptors", info.null_descriptors != 0},
          {"float_modes", bits(info.float_modes, kFloatModeNames)},
          {"spirv_version",
           std::to_string(info.spirv_version >> 16) + "." + std::to_string(info.spirv_version >> 8 & 0xff)},
          {"spirv_capabilities", capabilities},
          {"spirv_extensions", extensions},
          {"pal_abi_versions", versions}};
}

std::string plain(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const Json& item : value) text += (text.empty() ? "" : ", ") + plain(item);
  return text;
}

void print(const Json& target) {
  for (const auto& [key, value] : target.items()) std::printf("%-26s %s\n", key.c_str(), plain(value).c_str());
}

bool takes_capability(const spalt_target_info& info, uint32_t number) {
  return std::binary_search(info.spirv_capabilities, info.spirv_capabilities + info.spirv_capability_count, number);
}

bool takes_extension(const spalt_target_info& info, std::string_view name) {
  const char* const* end = info.spirv_extension_names + info.spirv_extension_count;
  return std::find(info.spirv_extension_names, end, name) != end;
}

/// All that the registry knows; supported is what any of the targets takes.
Json describe_registry(const std::vector<spalt_target_info>& targets) {
  Json capabilities = Json::array(), extensions = Json::array();
  for (const RegistryCapability& capability : registry_capabilities()) {
    const bool supported = std::any_of(targets.begin(), targets.end(), [&](const spalt_target_info& info) {
      return takes_capability(info, capability.number);
    });
    capabilities.push_back({{"name", capability.name},
                            {"number", capability.number},
                            {"extensions", extensions_of(capability)},
                            {"supported", supported}});
  }
  for (const char* name : registry_extensions()) {
    const bool supported = std::any_of(targets.begin(), targets.end(),
                                       [&](const spalt_target_info& info) { return takes_extension(info, name); });
    extensions.push_back({{"name", name}, {"supported", supported}});
  }
  return {{"capabilities", capabilities}, {"extensions", extensions}};
}

/// Of the target with that name, or of all.
std::vector<spalt_target_info> query_targets(const std::string& wanted) {
  std::vector<spalt_target_info> targets;
  for (size_t i = 0; i < spalt_target_count(); ++i) {
    spalt_target_info info{};
    info.struct_size = sizeof info;
    if (!wanted.empty() && wanted != spalt_target_name(i)) continue;
    if (spalt_query_target(spalt_target_name(i), &info) == SPALT_SUCCESS) targets.push_back(info);
  }
  return targets;
}

int show(const Options& options) {
  const std::vector<spalt_target_info> infos = query_targets(options.target);
  Json targets = Json::array();
  for (const spalt_target_info& info : infos) targets.push_back(describe(info));
  if (targets.empty()) {
    std::fprintf(stderr, "spalt: target %s is not supported\n", options.target.c_str());
    return kUnsupported;
  }
  if (options.json) {
    const Json all = {
        {"build", spalt_build_identifier()}, {"targets", targets}, {"spirv_registry", describe_registry(infos)}};
    std::printf("%s\n", all.dump(2).c_str());
    return kOk;
  }
  std::printf("%-26s %s\n", "build", spalt_build_identifier());
  for (const Json& target : targets) {
    std::printf("\n");
    print(target);
  }
  return kOk;
}

}  // namespace

void add_capabilities_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command =
      line.add_command("capabilities",
                       "Show what can be compiled for each processor: stages, kinds of bindings, limits, "
                       "SPIR-V capabilities and extensions\nExample: spalt capabilities --target gfx1100 --json",
                       [options] { return show(*options); });
  command.add_option("--target", options->target, "Processor (default: all)");
  command.add_flag("--json", options->json,
                   "Print JSON: build, targets, and which of all names of the SPIR-V registry they take");
}

}  // namespace spalt_tool
