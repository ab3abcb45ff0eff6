// SPDX-License-Identifier: MIT
//
// spalt-vkrun: runs manifests on the Vulkan driver that the loader finds and writes the final buffers to files.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "compare.h"
#include "manifest.h"
#include "shader_source.h"
#include "vulkan_runner.h"

namespace {

using namespace spalt::vkrun;

constexpr const char* kUsage =
    "usage: spalt-vkrun MANIFEST.json... [--out DIR] [--spirv DIR] [--variant plain|optimized|debug]\n"
    "  Runs each manifest and checks its literal expectations. With --out, writes each buffer to\n"
    "  DIR/NAME.SET.BINDING.ELEMENT.bin. With --spirv, writes each shader to DIR/NAME.spv.\n";

struct Options {
  std::vector<std::string> manifests;
  std::string out;
  std::string spirv;
  Variant variant = Variant::Plain;
};

Variant parse_variant(const std::string& name) {
  if (name == "plain") return Variant::Plain;
  if (name == "optimized") return Variant::Optimized;
  if (name == "debug") return Variant::Debug;
  throw Error("unknown variant '" + name + "'");
}

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = argument == "--out" || argument == "--spirv" || argument == "--variant";
    if (has_value && i + 1 == argc) throw Error(argument + " needs a value");
    if (argument == "--out") {
      options.out = argv[++i];
    } else if (argument == "--spirv") {
      options.spirv = argv[++i];
    } else if (argument == "--variant") {
      options.variant = parse_variant(argv[++i]);
    } else if (argument.starts_with("-")) {
      throw Error("unknown option '" + argument + "'");
    } else {
      options.manifests.push_back(argument);
    }
  }
  return options;
}

void write_file(const std::string& path, const void* data, size_t size) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  if (!file) throw Error("cannot write " + path);
}

void write_buffers(const Manifest& manifest, const BufferContents& contents, const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (size_t i = 0; i < contents.size(); ++i) {
    const BufferDesc& desc = manifest.buffers[i];
    const std::string path = folder + "/" + manifest.name + "." + std::to_string(desc.set) + "." +
                             std::to_string(desc.binding) + "." + std::to_string(desc.element) + ".bin";
    write_file(path, contents[i].data(), contents[i].size());
  }
}

void write_shaders(const ShaderWords& shaders, const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (const auto& [name, words] : shaders) {
    write_file(folder + "/" + std::filesystem::path(name).stem().string() + ".spv", words.data(), words.size() * 4);
  }
}

bool run_one(VulkanRunner& runner, const std::string& path, const Options& options) try {
  const Manifest manifest = load_manifest(path);
  ShaderWords shaders;
  for (const Dispatch& dispatch : manifest.dispatches) {
    if (shaders.contains(dispatch.shader)) continue;
    shaders[dispatch.shader] = load_shader(manifest.folder + "/" + dispatch.shader, options.variant);
  }
  if (!options.spirv.empty()) write_shaders(shaders, options.spirv);
  const BufferContents contents =
      manifest.robust ? VulkanRunner({.robust = true}).run(manifest, shaders) : runner.run(manifest, shaders);
  if (!options.out.empty()) write_buffers(manifest, contents, options.out);
  const auto difference = compare_expectations(manifest, contents);
  if (difference) std::printf("%s: %s\n", manifest.name.c_str(), difference->c_str());
  return !difference;
} catch (const Error& error) {
  std::printf("%s\n", error.what());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse_options(argc, argv);
    if (options.manifests.empty()) {
      std::fputs(kUsage, stderr);
      return 2;
    }
    VulkanRunner runner;
    std::printf("device: %s\n", runner.device_name().c_str());
    bool passed = true;
    for (const std::string& path : options.manifests) passed = run_one(runner, path, options) && passed;
    return passed ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
