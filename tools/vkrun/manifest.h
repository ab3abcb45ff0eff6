// SPDX-License-Identifier: MIT
//
// A manifest describes one run of a compute program: shaders, dispatches, buffers with their initial contents, and how
// the final contents are judged. It knows nothing of Vulkan or of any compiler, so that every way to execute a program
// starts from the same data. The JSON schema is documented in tests/run/README.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "image_desc.h"

namespace spalt::vkrun {

/// The manifest, a shader or the device is not usable; what() is one sentence for the user.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class ElementType { U32, I32, F32, F64 };
enum class BufferKind { Storage, Uniform, Inline, UniformTexel, StorageTexel };

/// A byte range of a buffer that two runs must agree on.
struct Check {
  ElementType type = ElementType::U32;
  size_t offset = 0;
  size_t size = 0;
  double rel = 0.0;
  double abs = 0.0;
};

/// Literal values, known from outside of any run, for the final contents at `offset`.
struct Expectation {
  Check check;
  std::vector<uint8_t> bytes;
};

/// Where the address of a byte of a buffer is put.
struct AddressSlot {
  size_t at = 0;      // bytes
  size_t buffer = 0;  // index in the manifest
  size_t plus = 0;    // bytes from the start of that buffer
};

struct BufferDesc {
  uint32_t set = 0;
  uint32_t binding = 0;
  uint32_t element = 0;  // index in an array of descriptors
  BufferKind kind = BufferKind::Storage;
  bool null = false;     // a null descriptor: no buffer at all
  bool is_root = false;  // its descriptor lies in user data, where the way to execute the program can do that
  const texel::Format* format = nullptr;  // of a texel buffer
  std::vector<uint8_t> initial;
  std::vector<AddressSlot> addresses;
  std::vector<Check> checks;
  std::vector<Expectation> expectations;
};

/// By id: the words of the value, two for one of 64 bits.
using SpecConstants = std::map<uint32_t, std::vector<uint32_t>>;

struct Dispatch {
  std::string shader;  // file name, relative to the manifest
  std::array<uint32_t, 3> groups = {1, 1, 1};
  std::vector<uint32_t> push;
  std::vector<AddressSlot> addresses;  // in `push`
  SpecConstants spec;
};

struct Manifest {
  std::string name;    // stem of the file name
  std::string folder;  // where shader names are looked up
  std::string note;
  std::string reference;   // name of a C++ reference, empty when there is none
  std::string layer_bug;   // what the validation layer cannot do; it does not watch then
  std::string driver_bug;  // what the Vulkan driver gets wrong or cannot do; the C++ reference then stands in for it
  uint32_t min_subgroup_size = 1;  // lanes that the program names by their numbers
  bool robust = false;  // accesses out of bounds and through null descriptors are defined (VK_EXT_robustness2)
  std::vector<Dispatch> dispatches;
  std::vector<BufferDesc> buffers;
  std::vector<ImageDesc> images;
  std::vector<SamplerDesc> samplers;

  /// Whether it has anything besides buffers without a format.
  bool has_images() const;
  /// Whether shaders find addresses of buffers.
  bool has_addresses() const;
};

/// Contents of the buffers of a manifest and then of its images (image_texels.h), in its order.
using BufferContents = std::vector<std::vector<uint8_t>>;

/// Reads and validates a manifest file; throws Error.
Manifest load_manifest(const std::string& path);

BufferContents initial_contents(const Manifest& manifest);

}  // namespace spalt::vkrun
