// SPDX-License-Identifier: MIT
#include "draw_oracles.h"

#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "draw_judge.h"
#include "run/driver_environment.h"
#include "scenes/picture.h"
#include "scenes/scene_manifest.h"
#include "scenes/scene_renderer.h"
#include "seed_run.h"
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

DrawOracles::DrawOracles(const DrawOptions& options) : options_(options), libraries_(std::make_unique<Libraries>()) {
  const char* reference = std::getenv("VK_DRIVER_FILES");
  if (reference == nullptr) throw vkrun::Error("no reference driver: VK_DRIVER_FILES names none");
  reference_ = reference;
}

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
    const DrawJudge judge(scene, program, [&](const scenes::Scene& one, const scenes::ShaderWords& words) {
      return draw_reference(one, words);
    });
    const bool all_drew =
        std::all_of(results.begin(), results.end(), [](const Result& result) { return !result.pictures.empty(); });
    const std::string complaint = text_of(results);
    if (!all_drew) return complaint;
    const auto excuse = judge.excuse([&](const scenes::Pictures& pictures) {
      return std::all_of(results.begin(), results.end(),
                         [&](const Result& result) { return difference(scene, pictures, result.pictures).empty(); });
    });
    return excuse ? kReferenceDiffers + *excuse + ": " + complaint : complaint;
  } catch (const std::exception& error) {
    return std::string("draw: ") + error.what();
  }
}

scenes::Pictures DrawOracles::draw_reference(scenes::Scene scene, const scenes::ShaderWords& shaders) const {
  scene.needs.insert(scene.needs.end(), scene.reference_needs.begin(), scene.reference_needs.end());
  run::choose_driver({reference_, false}, "", 0);
  return scenes::render(scene, shaders, {});
}

void write_draw(const DrawProgram& program, const std::string& folder) {
  const fs::path place = fs::path(folder) / std::to_string(program.seed);
  fs::create_directories(place);
  std::ofstream(place / "draw.json") << program.scene << "\n";
  std::ofstream(place / "state.json") << compiler_state(json::parse(program.scene)).dump(1) << "\n";
  for (const bool is_vertex : {true, false}) {
    const std::string path = place / (is_vertex ? kVertexFile : kFragmentFile);
    write_with_assembly(path, is_vertex ? program.vertex : program.fragment);
  }
}

}  // namespace spalt::random_programs
