// SPDX-License-Identifier: MIT
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "run/buffer_argument.h"
#include "run/image_argument.h"
#include "run/image_memory.h"
#include "run/machine.h"
#include "run/sampler_argument.h"
#include "run/shader_bindings.h"

namespace spalt_tool {

/// What the arguments of a run describe: buffers, images and samplers by their places.
class Resources {
 public:
  /// Each as on the command line. Throws Failure.
  void parse(const std::vector<std::string>& buffers, const std::vector<std::string>& images,
             const std::vector<std::string>& samplers);
  bool has_buffer(const Place& place) const { return buffers_.count(place) != 0; }
  bool has_image(const Place& place) const;

  /// Reads files, and makes what the shader will see. Throws Failure.
  void load(const spalt_compiler* compiler, const ShaderBindings& shader);
  /// Puts everything into the memory and the tables of the machine, once. Throws Failure where something that the
  /// program uses is missing.
  void bind(const spalt_compiler* compiler, const ShaderBindings& shader, Machine& machine);

  /// As the run left them.
  const std::vector<uint8_t>& buffer(const Place& place) const { return buffers_.at(place).bytes; }
  ImageData image(const Place& place) const;

 private:
  struct Buffer {
    BufferArgument argument;
    std::vector<uint8_t> bytes;
  };
  struct Image {
    ImageArgument argument;
    std::unique_ptr<ImageMemory> memory;  ///< NULL: a view of another one, or none
    uint64_t address = 0;
  };
  const Image& image_behind(const Image& image) const;
  void bind_buffer(const spalt_compiler* compiler, const ShaderBindings& shader, Machine& machine, Buffer& buffer);
  void bind_texel_buffer(const spalt_compiler* compiler, const spalt_reflected_binding& shader, Machine& machine,
                         Buffer& buffer);
  void bind_image(const spalt_compiler* compiler, const ShaderBindings& shader, Machine& machine, const Image& image);
  bool has_any_image(uint32_t set, uint32_t binding) const;

  std::map<Place, Buffer> buffers_;
  std::map<Place, Image> images_;
  std::map<Place, SamplerArgument> samplers_;
};

}  // namespace spalt_tool
