// SPDX-License-Identifier: MIT
#include "device_run.h"

#ifdef SPALT_RUN_EMULATOR

#include <algorithm>
#include <cstring>
#include <map>

#include "vkrun/addresses.h"
#include "vkrun/image_texels.h"

namespace spalt::run {
namespace {

using vkrun::BufferDesc;
using vkrun::BufferKind;
using vkrun::Error;
using vkrun::ImageBinding;
using vkrun::ImageDesc;
using vkrun::ImageUse;

/// Buffers and images are outside of the window of 4 GiB that programs and tables share.
constexpr uint64_t kFirstAddress = 0x7f0300000000;
constexpr uint64_t kFirstTable = 0x7f0180000000;
constexpr uint64_t kAlignment = 0x10000;

template <typename Struct>
Struct sized() {
  Struct result{};
  result.struct_size = sizeof(Struct);
  return result;
}

void check(spalt_result result, const std::string& what, const char* message = "") {
  if (result == SPALT_SUCCESS) return;
  throw Error(what + ": " + spalt_result_string(result) + (message[0] != 0 ? std::string(": ") + message : ""));
}

uint32_t binding_kind(ImageUse use) {
  return use == ImageUse::Combined ? SPALT_BINDING_COMBINED_IMAGE_SAMPLER : SPALT_BINDING_IMAGE;
}

}  // namespace

/// The tables of one dispatch while they are written: bytes by user-data entry.
class DeviceRun::Tables {
 public:
  explicit Tables(const spalt_user_data_layout& layout) : layout_(layout) {}

  /// Where the program does not use the binding, nothing happens.
  void write(uint32_t set, uint32_t binding, uint32_t element, uint32_t kind, const std::vector<uint32_t>& words) {
    const spalt_binding_location* location = find(set, binding, kind);
    if (location == nullptr || element >= location->count) return;
    std::vector<uint64_t>& table = by_entry_[location->user_data_entry];
    const size_t offset = location->offset + size_t{element} * location->stride;
    table.resize(std::max(table.size(), (offset + words.size() * 4 + 7) / 8));
    std::memcpy(reinterpret_cast<uint8_t*>(table.data()) + offset, words.data(), words.size() * 4);
  }

  std::map<uint32_t, std::vector<uint64_t>>& by_entry() { return by_entry_; }

 private:
  const spalt_binding_location* find(uint32_t set, uint32_t binding, uint32_t kind) const {
    const auto* bytes = reinterpret_cast<const uint8_t*>(layout_.bindings);
    for (size_t i = 0; i < layout_.binding_count; ++i) {
      const auto* location = reinterpret_cast<const spalt_binding_location*>(bytes + i * layout_.binding_size);
      if (location->set == set && location->binding == binding && location->kind == kind) return location;
    }
    return nullptr;
  }

  const spalt_user_data_layout& layout_;
  std::map<uint32_t, std::vector<uint64_t>> by_entry_;
};

DeviceRun::DeviceRun(const spalt_compiler* compiler, const std::string& target, const vkrun::Manifest& manifest)
    : compiler_(compiler), manifest_(manifest), next_address_(kFirstAddress) {
  check(spalt_address_space_create(&space_), "spalt_address_space_create");
  auto info = sized<spalt_device_create_info>();
  info.address_space = space_;
  info.target = target.c_str();
  info.threads = 2;
  auto message = sized<spalt_message>();
  check(spalt_device_create(&info, &device_, &message), "spalt_device_create", message.text);
  for (const BufferDesc& desc : manifest.buffers) add_buffer(desc);
  put_addresses();
  for (const ImageDesc& desc : manifest.images) add_image(desc);
}

DeviceRun::~DeviceRun() {
  spalt_device_destroy(device_);
  spalt_address_space_destroy(space_);
}

void DeviceRun::map(Block& block, size_t size, const std::string& name, const std::vector<Range>& absent) {
  block.words.resize((size + 7) / 8);
  block.address = next_address_;
  next_address_ += (size + 2 * kAlignment - 1) / kAlignment * kAlignment;  // unmapped bytes between blocks
  size_t at = 0;
  for (const Range& range : absent) {
    map_part(block, {at, range.first}, name, true);
    map_part(block, range, name, false);
    at = range.last;
  }
  map_part(block, {at, size}, name, true);
}

void DeviceRun::map_part(Block& block, const Range& range, const std::string& name, bool resident) {
  if (range.first == range.last) return;
  auto mapping = sized<spalt_mapping>();
  mapping.address = block.address + range.first;
  mapping.size = range.last - range.first;
  mapping.host = resident ? block.bytes() + range.first : nullptr;
  mapping.not_resident = resident ? 0 : 1;
  mapping.name = name.c_str();
  auto message = sized<spalt_message>();
  check(spalt_address_space_map(space_, &mapping, &message), "mapping " + name, message.text);
}

void DeviceRun::add_buffer(const BufferDesc& desc) {
  Block& block = buffers_.emplace_back();
  if (desc.null) return;
  if (desc.kind == BufferKind::Inline || desc.is_root)
    throw Error("manifests with images or addresses have buffers in tables only");
  map(block, desc.initial.size(), "buffer " + std::to_string(desc.set) + ":" + std::to_string(desc.binding));
  std::memcpy(block.bytes(), desc.initial.data(), desc.initial.size());
}

void DeviceRun::put_addresses() {
  for (const Block& block : buffers_) addresses_.push_back(block.address);
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const BufferDesc& desc = manifest_.buffers[i];
    vkrun::put_addresses(desc.addresses, addresses_, {buffers_[i].bytes(), desc.initial.size()});
  }
}

void DeviceRun::add_image(const ImageDesc& desc) {
  Image& image = *images_.emplace_back(std::make_unique<Image>());
  image.info = sized<spalt_image_info>();
  image.info.format = desc.format->vk;
  image.info.dimensions = desc.dimensions;
  image.info.width = desc.width;
  image.info.height = desc.height;
  image.info.depth = desc.depth;
  image.info.levels = desc.levels;
  image.info.layers = desc.layers;
  image.info.samples = desc.samples;
  image.layout = sized<spalt_image_layout>();
  check(spalt_query_image_layout(compiler_, &image.info, &image.layout), "the layout of image " + desc.name);
  if (image.layout.alignment > kAlignment) throw Error("image " + desc.name + " has a large alignment");
  std::vector<Range> absent;
  const size_t row = image.layout.levels[0].row_bytes;
  for (const auto& [first, last] : desc.absent_rows) absent.push_back({first * row, last * row});
  map(image.block, image.layout.bytes, "image " + desc.name, absent);
  for_each_row(images_.size() - 1, [&](size_t packed, size_t placed, size_t size) {
    std::memcpy(image.block.bytes() + placed, desc.initial.data() + packed, size);
  });
}

/// Calls `copy(offset in the packed contents, offset in the memory of the device, bytes)`.
template <typename Copy>
void DeviceRun::for_each_row(size_t index, Copy copy) const {
  const ImageDesc& desc = manifest_.images[index];
  const spalt_image_layout& layout = images_[index]->layout;
  if (desc.initial.empty()) return;
  size_t packed = 0;
  for (uint32_t level = 0; level < desc.levels; ++level) {
    const size_t size = vkrun::row_bytes(desc, level);
    for (uint32_t slice = 0; slice < vkrun::level_size(desc, level).slices; ++slice) {
      for (uint32_t row = 0; row < vkrun::row_count(desc, level); ++row, packed += size) {
        copy(packed, slice * layout.slice_bytes + layout.levels[level].offset + row * layout.levels[level].row_bytes,
             size);
      }
    }
  }
}

void DeviceRun::write_buffer(Tables& tables, size_t index) const {
  const BufferDesc& desc = manifest_.buffers[index];
  const uint64_t size = desc.null ? 0 : desc.initial.size();
  std::vector<uint32_t> words(4);
  if (desc.format != nullptr) {
    auto info = sized<spalt_texel_buffer_descriptor_info>();
    info.address = buffers_[index].address;
    info.size = size;
    info.format = desc.format->vk;
    check(spalt_write_texel_buffer_descriptor(compiler_, &info, words.data()), "a texel buffer's descriptor");
    tables.write(desc.set, desc.binding, desc.element, SPALT_BINDING_TYPED_BUFFER, words);
    return;
  }
  auto info = sized<spalt_buffer_descriptor_info>();
  info.address = buffers_[index].address;
  info.size = size;
  check(spalt_write_buffer_descriptor(compiler_, &info, words.data()), "a buffer's descriptor");
  tables.write(desc.set, desc.binding, desc.element, SPALT_BINDING_RAW_BUFFER, words);
}

void DeviceRun::write_image(Tables& tables, const Image& image, const ImageBinding& binding) const {
  auto info = sized<spalt_image_descriptor_info>();
  info.image = &image.info;
  info.address = image.block.address;
  info.format = binding.format->vk;
  info.view_type = binding.view_type;
  std::copy(binding.swizzle.begin(), binding.swizzle.end(), info.swizzle);
  info.first_level = binding.first_level;
  info.level_count = binding.level_count;
  info.first_layer = binding.first_layer;
  info.layer_count = binding.layer_count;
  info.storage = binding.use == ImageUse::Storage ? 1 : 0;
  std::vector<uint32_t> words(8);
  check(spalt_write_image_descriptor(compiler_, &info, words.data()), "an image's descriptor");
  if (binding.use == ImageUse::Combined) {
    const std::vector<uint32_t> sampler = sampler_words(manifest_.samplers[binding.sampler]);
    words.insert(words.end(), sampler.begin(), sampler.end());
  }
  tables.write(binding.set, binding.binding, binding.element, binding_kind(binding.use), words);
}

std::vector<uint32_t> DeviceRun::sampler_words(const vkrun::SamplerDesc& desc) const {
  auto info = sized<spalt_sampler_descriptor_info>();
  info.mag_filter = desc.mag_filter;
  info.min_filter = desc.min_filter;
  info.mipmap_mode = desc.mipmap_mode;
  std::copy(desc.address_modes.begin(), desc.address_modes.end(), info.address_modes);
  info.mip_lod_bias = desc.lod_bias;
  info.min_lod = desc.min_lod;
  info.max_lod = desc.max_lod;
  info.max_anisotropy = desc.anisotropy;
  info.compare = desc.compare_op ? 1 : 0;
  info.compare_op = desc.compare_op.value_or(0);
  info.reduction_mode = desc.reduction;
  info.unnormalized = desc.unnormalized ? 1 : 0;
  info.border_color = desc.border_color;
  std::vector<uint32_t> words(4);
  check(spalt_write_sampler_descriptor(compiler_, &info, words.data()), "a sampler's descriptor");
  return words;
}

void DeviceRun::write_descriptors(Tables& tables) const {
  for (size_t i = 0; i < buffers_.size(); ++i) write_buffer(tables, i);
  for (size_t i = 0; i < images_.size(); ++i) {
    for (const ImageBinding& binding : manifest_.images[i].bindings) write_image(tables, *images_[i], binding);
  }
  for (const vkrun::SamplerDesc& desc : manifest_.samplers) {
    if (desc.is_bound) tables.write(desc.set, desc.binding, desc.element, SPALT_BINDING_SAMPLER, sampler_words(desc));
  }
}

void DeviceRun::dispatch(const vkrun::Dispatch& dispatch, const void* elf, size_t elf_size,
                         const spalt_user_data_layout& layout, std::optional<uint64_t> hierarchy_seed) {
  Tables tables(layout);
  write_descriptors(tables);
  std::vector<uint32_t> user_data(layout.push_constant_entry + layout.push_constant_dwords);
  const std::vector<uint32_t> push = vkrun::push_words(dispatch, addresses_);
  std::copy_n(push.begin(), std::min<size_t>(push.size(), layout.push_constant_dwords),
              user_data.begin() + layout.push_constant_entry);
  auto message = sized<spalt_message>();
  uint64_t address = kFirstTable;
  for (auto& [entry, table] : tables.by_entry()) {
    auto mapping = sized<spalt_mapping>();
    mapping.address = address;
    mapping.size = table.size() * 8;
    mapping.host = table.data();
    mapping.read_only = mapping.uncached = 1;
    mapping.name = "descriptor table";
    check(spalt_address_space_map(space_, &mapping, &message), "mapping a table", message.text);
    user_data.resize(std::max<size_t>(user_data.size(), entry + 1));
    user_data[entry] = static_cast<uint32_t>(address);
    address += (mapping.size + 2 * kAlignment - 1) / kAlignment * kAlignment;
  }
  auto program_info = sized<spalt_program_create_info>();
  program_info.elf = elf;
  program_info.elf_size = elf_size;
  spalt_program* program = nullptr;
  check(spalt_program_create(space_, &program_info, &program, &message), "loading " + dispatch.shader, message.text);
  auto info = sized<spalt_dispatch_info>();
  info.program = program;
  info.user_data = user_data.data();
  info.user_data_count = static_cast<uint32_t>(user_data.size());
  std::copy(dispatch.groups.begin(), dispatch.groups.end(), info.workgroup_count);
  info.memory_hierarchy = hierarchy_seed.has_value() ? 1 : 0;
  info.hierarchy_seed = hierarchy_seed.value_or(0);
  auto fault = sized<spalt_fault>();
  const spalt_result result = spalt_device_dispatch(device_, &info, nullptr, &fault);
  spalt_program_destroy(program);
  address = kFirstTable;
  for (auto& [entry, table] : tables.by_entry()) {
    spalt_address_space_unmap(space_, address);
    address += (table.size() * 8 + 2 * kAlignment - 1) / kAlignment * kAlignment;
  }
  check(result, "running " + dispatch.shader, fault.message);
}

vkrun::BufferContents DeviceRun::contents() const {
  vkrun::BufferContents contents = vkrun::initial_contents(manifest_);
  for (size_t i = 0; i < buffers_.size(); ++i) {
    if (!contents[i].empty()) std::memcpy(contents[i].data(), buffers_[i].bytes(), contents[i].size());
  }
  for (size_t i = 0; i < images_.size(); ++i) {
    std::vector<uint8_t>& bytes = contents[buffers_.size() + i];
    const Block& block = images_[i]->block;
    for_each_row(i, [&](size_t packed, size_t placed, size_t size) {
      std::memcpy(bytes.data() + packed, block.bytes() + placed, size);
    });
  }
  return contents;
}

}  // namespace spalt::run

#endif
