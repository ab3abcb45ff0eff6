// SPDX-License-Identifier: MIT
#include "image_kernels.h"

#include <cstring>
#include <map>
#include <ostream>

#include "device_runner.h"

namespace spalt::opencl {

std::string test_name(const ImageTarget& target) {
  const Configuration& c = target.configuration;
  return c.target + "_wave" + std::to_string(c.wave) + "_O" + c.optimization.substr(2);
}

void PrintTo(const ImageTarget& target, std::ostream* out) {
  *out << test_name(target);
}

std::vector<ImageTarget> image_targets() {
  using namespace emu::test;
  std::vector<ImageTarget> targets;
  for (unsigned i = 0; i < std::size(kImageTargets); ++i) {
    targets.push_back({i, {kImageTargets[i], i == kGfx9 ? 64u : 32u, "-O3", {}, ""}});
  }
  targets.push_back({kGfx9, {"gfx900", 64, "-O0", {}, ""}});
  targets.push_back({kGfx103, {"gfx1030", 64, "-O3", {}, ""}});
  targets.push_back({kGfx103, {"gfx1030", 32, "-O0", {}, ""}});
  targets.push_back({kGfx12, {"gfx1200", 64, "-O3", {}, ""}});
  return targets;
}

ImageKernels& ImageKernels::get(const std::string& file, const ImageTarget& target) {
  static std::map<std::string, ImageKernels> cache;
  ImageKernels& kernels = cache[file + " " + target.configuration.label()];
  if (!kernels.object_.kernels.empty()) return kernels;
  const TemporaryFolder folder;
  KernelFile source;
  source.path = std::string(SPALT_IMAGE_KERNELS) + "/" + file;
  // clang does not list them for the target; what they need is there.
  source.options = {"-Xclang", "-cl-ext=+cl_khr_depth_images,+cl_khr_mipmap_image"};
  compile_for_device(source, target.configuration, folder.path(), folder.path() + "/kernels.elf");
  kernels.object_ = load_code_object(folder.path() + "/kernels.elf");
  return kernels;
}

std::string ImageKernels::run(const std::string& kernel, ClImage& image, const std::vector<Argument>& arguments,
                              size_t items) const {
  emu::HsaDispatchInfo info;
  info.kernel = kernel;
  info.grid_items = {static_cast<uint32_t>(items), 1, 1};
  info.group_size = {64, 1, 1};
  info.step_limit = 1'000'000;
  info.mappings.push_back({ClImage::kAddress, image.memory(), image.bytes(), "texels"});
  for (const Argument& argument : arguments) {
    emu::HsaArgument& out = info.arguments.emplace_back();
    out.name = "argument " + std::to_string(info.arguments.size() - 1);
    if (argument.kind == Argument::Kind::object) {
      out.kind = emu::HsaArgument::Kind::object;
      out.bytes = argument.object;
    } else if (argument.kind == Argument::Kind::data) {
      out.kind = emu::HsaArgument::Kind::buffer;
      out.data = static_cast<uint8_t*>(argument.data);
      out.size = argument.bytes;
    } else {
      out.bytes.resize(sizeof argument.number);
      std::memcpy(out.bytes.data(), &argument.number, sizeof argument.number);
    }
  }
  const Result<emu::DispatchOutcome> outcome = emu::run_hsa_dispatch(object_, info);
  return outcome ? outcome->fault : outcome.error().message;
}

}  // namespace spalt::opencl
