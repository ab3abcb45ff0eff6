// SPDX-License-Identifier: MIT
//
// Runs the dispatches of a manifest on the emulator as a device: buffers and images in its memory, and the descriptors
// of all of them in tables that the layouts of the programs describe. What a driver does, in short.
#pragma once

#include <spalt/descriptor.h>
#include <spalt/device.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "vkrun/manifest.h"

namespace spalt::run {

class DeviceRun {
 public:
  /// All of them must outlive it.
  DeviceRun(const spalt_compiler* compiler, const std::string& target, const vkrun::Manifest& manifest);
  ~DeviceRun();
  DeviceRun(const DeviceRun&) = delete;
  DeviceRun& operator=(const DeviceRun&) = delete;

  /// Throws vkrun::Error with the fault.
  void dispatch(const vkrun::Dispatch& dispatch, const void* elf, size_t elf_size, const spalt_user_data_layout& layout,
                std::optional<uint64_t> hierarchy_seed);
  vkrun::BufferContents contents() const;

 private:
  /// Memory of the device.
  struct Block {
    uint64_t address = 0;
    std::vector<uint64_t> words;
    uint8_t* bytes() { return reinterpret_cast<uint8_t*>(words.data()); }
    const uint8_t* bytes() const { return reinterpret_cast<const uint8_t*>(words.data()); }
  };
  struct Image {
    spalt_image_info info{};
    spalt_image_layout layout{};
    Block block;
  };
  class Tables;

  void put_addresses();
  void add_buffer(const vkrun::BufferDesc& desc);
  void add_image(const vkrun::ImageDesc& desc);
  /// Bytes [first, last) of a block.
  struct Range {
    size_t first, last;
  };
  /// `absent`, in ascending order, is not resident.
  void map(Block& block, size_t size, const std::string& name, const std::vector<Range>& absent = {});
  void map_part(Block& block, const Range& range, const std::string& name, bool resident);
  void write_descriptors(Tables& tables) const;
  void write_buffer(Tables& tables, size_t index) const;
  void write_image(Tables& tables, const Image& image, const vkrun::ImageBinding& binding) const;
  std::vector<uint32_t> sampler_words(const vkrun::SamplerDesc& desc) const;
  template <typename Copy>
  void for_each_row(size_t index, Copy copy) const;

  const spalt_compiler* compiler_;
  const vkrun::Manifest& manifest_;
  spalt_address_space* space_ = nullptr;
  spalt_device* device_ = nullptr;
  uint64_t next_address_;
  std::vector<Block> buffers_;
  std::vector<uint64_t> addresses_;  ///< of buffers_
  std::vector<std::unique_ptr<Image>> images_;
};

}  // namespace spalt::run
