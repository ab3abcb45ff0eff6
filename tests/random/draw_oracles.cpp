// SPDX-License-Identifier: MIT
#include "draw_oracles.h"

#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "run/driver_environment.h"
#include "scenes/picture.h"
#include "scenes/scene_manifest.h"
#include "scenes/scene_renderer.h"
#include "vkrun/vulkan_memory.h"

namespace spalt::random_programs {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Configuration {
  std::string target;
  uint32_t wave = 0;
};

std::vector<Configuration> configurations(const DrawOptions& options) {
  std::vector<Configuration> list;
  for (const std::string& target : options.targets) {
    for (const uint32_t wave : options.waves) {
      if (wave == 64 || !target.starts_with("gfx9")) list.push_back({target, wave});
    }
  }
  return list;
}

/// A sentence, empty when the pictures agree.
std::string difference(const scenes::Scene& scene, const scenes::Pictures& expected, const scenes::Pictures& actual) {
  std::string text;
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto found = scenes::compare_pictures(scene, scene.comparisons[i], expected[i], actual[i]);
    if (found.different == 0) continue;
    text += (text.empty() ? "" : ", ") + found.first + " and " + std::to_string(found.different - 1) + " more";
  }
  return text;
}

/// Puts what was drawn in one pixel to what was drawn in the ones before: its texels, and words that have changed.
void merge(const scenes::Scene& scene, uint32_t pixel, const scenes::Pictures& one, scenes::Pictures& all) {
  const bool is_first = all.empty();
  if (is_first) all = one;
  for (size_t i = 0; i < one.size(); ++i) {
    const scenes::Comparison& comparison = scene.comparisons[i];
    if (comparison.buffer) {
      const std::vector<uint8_t>& initial = scene.buffers[*comparison.buffer].bytes;
      for (size_t at = 0; at < initial.size(); ++at) {
        if (one[i][at] != initial[at]) all[i][at] = one[i][at];
      }
      continue;
    }
    const vkrun::ImageDesc& desc = scene.images[comparison.image].desc;
    const size_t bytes = one[i].size() / (size_t{desc.width} * desc.height);
    const size_t at = pixel * bytes;
    std::copy_n(one[i].begin() + static_cast<ptrdiff_t>(at), bytes, all[i].begin() + static_cast<ptrdiff_t>(at));
  }
}

void write_words(const std::string& path, const Words& words) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 4));
}

void validate(const DrawProgram& program) {
  const fs::path folder = fs::temp_directory_path() / ("spalt_random_draw_" + std::to_string(program.seed));
  fs::create_directories(folder);
  bool valid = true;
  for (const bool is_vertex : {true, false}) {
    const std::string path = folder / (is_vertex ? kVertexFile : kFragmentFile);
    write_words(path, is_vertex ? program.vertex : program.fragment);
    valid &= std::system(("spirv-val --target-env vulkan1.2 " + path).c_str()) == 0;
  }
  fs::remove_all(folder);
  if (!valid) throw vkrun::Error("spirv-val rejects a shader");
}

/// What `spalt compile --state` reads: the part of the pipeline that the code depends on.
json compiler_state(const json& scene) {
  const json& pipeline = scene.at("pipelines").at("draw");
  json state;
  for (const char* name : {"vertex_bindings", "topology"}) state[name] = pipeline.at(name);
  state["vertex_attributes"] = pipeline.at("attributes");
  state["provoking_vertex"] = pipeline.at("provoking");
  if (pipeline.contains("min_sample_shading")) state["min_sample_shading"] = pipeline.at("min_sample_shading");
  const json& colors = scene.at("passes").at(0).at("color");
  for (size_t i = 0; i < colors.size(); ++i) {
    const json& image = scene.at("images").at(colors[i].at("image").get<std::string>());
    const json& blend = pipeline.at("blend").at(i);
    state["samples"] = image.value("samples", 1);
    state["color_targets"].push_back(
        {{"format", image.at("format")}, {"write_mask", blend.at("mask")}, {"blend", blend.contains("color")}});
  }
  return state;
}

}  // namespace

/// What is not the same; configurations that find the same are told together.
std::string DrawOracles::text_of(const std::vector<Result>& results) {
  std::vector<std::pair<std::string, std::string>> found;
  size_t complaints = 0;
  for (const Result& result : results) {
    if (result.complaint.empty()) continue;
    ++complaints;
    const auto same =
        std::find_if(found.begin(), found.end(), [&](const auto& other) { return other.second == result.complaint; });
    if (same == found.end()) {
      found.emplace_back(result.who, result.complaint);
    } else {
      same->first += ", " + result.who;
    }
  }
  if (found.size() == 1 && complaints == results.size() && complaints > 1) found[0].first = "all";
  std::string text;
  for (const auto& [who, what] : found) text += (text.empty() ? "" : "; ") + who + ": " + what;
  return text;
}

/// An instance that is open keeps the loader from loading the reference's library anew for each draw.
struct DrawOracles::Libraries {
  Libraries() {
    VkInstanceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    vkrun::check_vulkan(vkCreateInstance(&info, nullptr, &instance), "vkCreateInstance");
  }
  ~Libraries() { vkDestroyInstance(instance, nullptr); }
  Libraries(const Libraries&) = delete;
  Libraries& operator=(const Libraries&) = delete;

  VkInstance instance = VK_NULL_HANDLE;
};

void choose_reference_driver() {
  constexpr const char* kLavapipe = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";
  setenv("LP_NUM_THREADS", "1", 0);
  if (const char* files = std::getenv("VK_ICD_FILENAMES")) setenv("VK_DRIVER_FILES", files, 0);
  setenv("VK_DRIVER_FILES", kLavapipe, 0);
  unsetenv("VK_ICD_FILENAMES");
}

DrawOracles::DrawOracles(const DrawOptions& options)
    : options_(options), reference_(std::getenv("VK_DRIVER_FILES")), libraries_(std::make_unique<Libraries>()) {}

DrawOracles::~DrawOracles() = default;

std::optional<std::string> DrawOracles::check(const DrawProgram& program) {
  try {
    if (options_.validate) validate(program);
    const scenes::Scene scene = scenes::read_scene(program.scene, std::to_string(program.seed));
    const scenes::ShaderWords shaders = {{kVertexFile, program.vertex}, {kFragmentFile, program.fragment}};
    std::vector<Configuration> list = configurations(options_);
    constexpr scenes::Libraries kLibraries[] = {scenes::Libraries::None, scenes::Libraries::None,
                                                scenes::Libraries::Linked, scenes::Libraries::Optimized};
    const scenes::Ways ways{scenes::Rendering::Any, kLibraries[program.seed / list.size() % 4]};
    if (options_.rotate) list = {list[program.seed % list.size()]};
    const scenes::Pictures expected = draw_reference(scene, shaders);
    std::vector<Result> results;
    bool all_agree = true;
    for (const Configuration& one : list) {
      Result& result = results.emplace_back(Result{one.target + " wave" + std::to_string(one.wave), {}, {}});
      try {
        run::choose_driver({options_.driver, false}, one.target, one.wave);
        result.pictures = scenes::render(scene, shaders, ways);
        result.complaint = difference(scene, expected, result.pictures);
      } catch (const std::exception& error) {
        result.complaint = error.what();
      }
      all_agree &= result.complaint.empty();
    }
    if (all_agree) return std::nullopt;
    const std::string complaint = text_of(results);
    return agrees_alone(scene, shaders, results) ? kReferenceDiffers + complaint : complaint;
  } catch (const std::exception& error) {
    return std::string("draw: ") + error.what();
  }
}

scenes::Pictures DrawOracles::draw_reference(scenes::Scene scene, const scenes::ShaderWords& shaders) const {
  scene.needs.insert(scene.needs.end(), scene.reference_needs.begin(), scene.reference_needs.end());
  run::choose_driver({reference_, false}, "", 0);
  return scenes::render(scene, shaders, {});
}

/// Without other lanes, the reference makes no mistakes about lanes of different paths. Pixels do not depend on each
/// other, but for atomic operations, which are left out.
bool DrawOracles::agrees_alone(const scenes::Scene& scene, const scenes::ShaderWords& shaders,
                               const std::vector<Result>& results) const {
  scenes::Scene alone = scene;
  std::erase_if(alone.comparisons, [&](const scenes::Comparison& one) {
    return one.buffer && scene.buffers[*one.buffer].name == "atomics";
  });
  const VkExtent2D extent = scene.passes[0].area.extent;
  scenes::Pictures merged;
  for (uint32_t pixel = 0; pixel < extent.width * extent.height; ++pixel) {
    alone.passes[0].draws[0].pipeline.spec[kPixelConstant] = {pixel};
    merge(alone, pixel, draw_reference(alone, shaders), merged);
  }
  return std::all_of(results.begin(), results.end(), [&](const Result& result) {
    if (result.complaint.empty() || result.pictures.empty()) return result.complaint.empty();
    scenes::Pictures ours;
    for (size_t i = 0; i < scene.comparisons.size(); ++i) {
      const auto& buffer = scene.comparisons[i].buffer;
      if (!buffer || scene.buffers[*buffer].name != "atomics") ours.push_back(result.pictures[i]);
    }
    return difference(alone, merged, ours).empty();
  });
}

void write_draw(const DrawProgram& program, const std::string& folder) {
  const fs::path place = fs::path(folder) / std::to_string(program.seed);
  fs::create_directories(place);
  std::ofstream(place / "draw.json") << program.scene << "\n";
  std::ofstream(place / "state.json") << compiler_state(json::parse(program.scene)).dump(1) << "\n";
  for (const bool is_vertex : {true, false}) {
    const std::string path = place / (is_vertex ? kVertexFile : kFragmentFile);
    write_words(path, is_vertex ? program.vertex : program.fragment);
    const std::string command = "spirv-dis --raw-id " + path + " -o " + path + "asm";
    if (std::system(command.c_str()) != 0) std::fprintf(stderr, "spirv-dis failed on %s\n", path.c_str());
  }
}

}  // namespace spalt::random_programs
