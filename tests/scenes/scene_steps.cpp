// SPDX-License-Identifier: MIT
#include "scene_steps.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "picture.h"
#include "scene_manifest.h"
#include "scene_renderer.h"
#include "vkrun/image_texels.h"

namespace spalt::scenes {
namespace {

std::string text_of(const Pictures& pictures) {
  std::string text;
  for (const std::vector<uint8_t>& picture : pictures) {
    const uint64_t size = picture.size();
    text.append(reinterpret_cast<const char*>(&size), sizeof(size));
    text.append(picture.begin(), picture.end());
  }
  return text;
}

/// Under the validation layer, whose every word is a failure, if the driver is.
Pictures render_checked(const Scene& scene, const ShaderWords& shaders, const Ways& ways, bool validation) {
  if (!validation) return render(scene, shaders, ways);
  run::check_that_layer_is_there();
  const run::PrintedText printed;
  Pictures pictures = render(scene, shaders, ways);
  if (const std::string text = printed.text(); !text.empty()) throw Error("the validation layer says: " + text);
  return pictures;
}

/// What the reference driver draws for a scene.
Scene load_judge(const std::string& path) {
  Scene scene = load_scene(path);
  scene.needs.insert(scene.needs.end(), scene.reference_needs.begin(), scene.reference_needs.end());
  if (scene.judge.empty()) return scene;
  Scene judge = load_scene(scene.folder + "/" + scene.judge);
  judge.name = scene.name;
  if (!judge.judge.empty()) throw Error("the judge of a scene has a judge of its own");
  const auto same = [&](const Comparison& a, const Comparison& b) {
    return a.aspect == b.aspect &&
           vkrun::image_bytes(picture_desc(scene, a)) == vkrun::image_bytes(picture_desc(judge, b));
  };
  if (!std::ranges::equal(scene.comparisons, judge.comparisons, same)) {
    throw Error("a scene and its judge compare different images");
  }
  return judge;
}

void write_pictures(const Scene& scene, const Pictures& pictures, const std::string& folder, const std::string& label) {
  if (folder.empty()) return;
  std::filesystem::create_directories(folder);
  for (size_t i = 0; i < pictures.size(); ++i) {
    const Comparison& comparison = scene.comparisons[i];
    if (comparison.buffer) continue;
    std::string name = scene.name + "." + scene.images[comparison.image].desc.name;
    if (comparison.aspect == VK_IMAGE_ASPECT_STENCIL_BIT) name += ".stencil";
    if (comparison.level != 0) name += "." + std::to_string(comparison.level);
    write_png(folder + "/" + name + "." + label + ".png", scene, comparison, pictures[i]);
  }
}

std::string summary(const PictureDifference& difference, double allowed) {
  char numbers[128];
  std::snprintf(numbers, sizeof(numbers), "%zu of %zu pixels differ (%.3f %%, %.3f %% may): ", difference.different,
                difference.pixels, difference.share() * 100, allowed * 100);
  return numbers + difference.first;
}

}  // namespace

std::string draw_reference(const std::string& path, const run::Driver& driver, const StepOptions& options, bool twice) {
  const Scene scene = load_judge(path);
  const ShaderWords shaders = load_shaders(scene, options.variant, options.vulkan_1_2);
  run::choose_driver(driver, "", 0);
  const Pictures pictures = render_checked(scene, shaders, {.rendering = options.ways.rendering}, driver.validation);
  if (twice) {
    const Pictures again = render_checked(scene, shaders, {.rendering = Rendering::RenderPass}, driver.validation);
    if (again != pictures) throw Error("drawn again, the scene is not the same");
  }
  if (twice && options.ways.libraries != Libraries::None) {
    const Pictures linked = render_checked(scene, shaders, options.ways, driver.validation);
    if (linked != pictures) throw Error("drawn with pipelines from libraries, the scene is not the same");
  }
  write_pictures(scene, pictures, options.png_folder, "expected");
  return text_of(pictures);
}

Pictures read_pictures(const std::string& text) {
  Pictures pictures;
  for (size_t at = 0; at < text.size();) {
    uint64_t size = 0;
    std::memcpy(&size, text.data() + at, sizeof(size));
    at += sizeof(size);
    const char* begin = text.data() + at;
    pictures.emplace_back(begin, begin + size);
    at += size;
  }
  return pictures;
}

std::string draw_and_compare(const std::string& path, const run::Driver& driver, const std::string& target,
                             uint32_t wave, const StepOptions& options, const Pictures& expected) {
  const Scene scene = load_scene(path);
  const ShaderWords shaders = load_shaders(scene, options.variant, options.vulkan_1_2);
  run::choose_driver(driver, target, wave);
  const Pictures pictures = render_checked(scene, shaders, options.ways, driver.validation);
  write_pictures(scene, pictures, options.png_folder, target + "." + std::to_string(wave));
  std::string notes;
  for (size_t i = 0; i < pictures.size(); ++i) {
    const Comparison& comparison = scene.comparisons[i];
    const PictureDifference difference = compare_pictures(scene, comparison, expected.at(i), pictures[i]);
    if (difference.different == 0) continue;
    const std::string text = summary(difference, comparison.share);
    if (difference.share() > comparison.share) throw Error(text);
    notes += (notes.empty() ? "" : "; ") + text;
  }
  return notes;
}

}  // namespace spalt::scenes
