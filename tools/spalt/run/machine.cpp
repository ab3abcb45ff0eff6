// SPDX-License-Identifier: MIT
#include "run/machine.h"

#include <spalt/descriptor.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "compiler.h"
#include "run/failure.h"

namespace spalt_tool {
namespace {

/// Tables share a window of 4 GiB with the program; everything else is outside of it.
constexpr uint64_t kFirstAddress = 0x7f0300000000, kFirstTable = 0x7f0180000000;
constexpr uint64_t kSpacing = 0x100000;
constexpr uint32_t kImageBytes = 32;
constexpr uint64_t kMostTableBytes = 0x10000000;

uint64_t after(uint64_t address, uint64_t size) {
  return address + (size + 2 * kSpacing - 1) / kSpacing * kSpacing;
}

/// Whether a location of kind `has` holds a descriptor of that kind.
bool holds_kind(uint32_t has, uint32_t kind) {
  const bool part = kind == SPALT_BINDING_IMAGE || kind == SPALT_BINDING_SAMPLER;
  return has == kind || (part && has == SPALT_BINDING_COMBINED_IMAGE_SAMPLER);
}

std::vector<uint32_t> null_descriptor(const spalt_compiler* compiler, uint32_t kind,
                                      std::span<const uint32_t> sampler) {
  std::vector<uint32_t> words;
  if (kind == SPALT_BINDING_IMAGE || kind == SPALT_BINDING_COMBINED_IMAGE_SAMPLER) {
    const auto info = spalt_api::sized<spalt_image_descriptor_info>();
    words.resize(kImageBytes / 4);
    spalt_write_image_descriptor(compiler, &info, words.data());
  } else if (kind == SPALT_BINDING_RAW_BUFFER) {
    const auto info = spalt_api::sized<spalt_buffer_descriptor_info>();
    words.resize(4);
    spalt_write_buffer_descriptor(compiler, &info, words.data());
  } else if (kind == SPALT_BINDING_TYPED_BUFFER) {
    words.resize(4);
  }
  if (kind == SPALT_BINDING_SAMPLER || kind == SPALT_BINDING_COMBINED_IMAGE_SAMPLER) {
    words.insert(words.end(), sampler.begin(), sampler.end());
  }
  return words;
}

}  // namespace

Machine::Machine(const spalt_compiler* compiler, const spalt_user_data_layout& layout,
                 std::span<const uint32_t> sampler)
    : compiler_(compiler), layout_(layout), next_address_(kFirstAddress) {
  if (!space_.ok()) throw Failure{spalt_result_string(space_.result()), exit_code_of(space_.result())};
  for (size_t i = 0; i < layout_.binding_count; ++i) fill(location(i), sampler);
}

const spalt_binding_location& Machine::location(size_t index) const {
  const char* const bytes = reinterpret_cast<const char*>(layout_.bindings) + index * layout_.binding_size;
  return *reinterpret_cast<const spalt_binding_location*>(bytes);
}

const spalt_binding_location* Machine::find(const Place& place, uint32_t kind) const {
  for (size_t i = 0; i < layout_.binding_count; ++i) {
    const spalt_binding_location& found = location(i);
    const bool inside = found.count == 0 || place.element < found.count || found.kind == SPALT_BINDING_INLINE_DATA;
    if (found.set == place.set && found.binding == place.binding && inside && holds_kind(found.kind, kind)) {
      return &found;
    }
  }
  return nullptr;
}

std::vector<Place> Machine::places_of(uint32_t kind) const {
  std::vector<Place> places;
  for (size_t i = 0; i < layout_.binding_count; ++i) {
    if (holds_kind(location(i).kind, kind)) places.push_back({location(i).set, location(i).binding, 0});
  }
  return places;
}

/// Of a runtime array one element: the others come with what is written to them.
void Machine::fill(const spalt_binding_location& location, std::span<const uint32_t> sampler) {
  if (location.kind == SPALT_BINDING_INLINE_DATA) {
    const std::vector<uint8_t> zeros(location.count);
    return put(location, 0, zeros.data(), zeros.size());
  }
  const std::vector<uint32_t> words = null_descriptor(compiler_, location.kind, sampler);
  for (uint32_t element = 0; element < std::max(location.count, 1u); ++element) {
    put(location, uint64_t{element} * location.stride, words.data(), words.size() * sizeof(uint32_t));
  }
}

void Machine::put(const spalt_binding_location& location, uint64_t offset, const void* data, size_t size) {
  const uint64_t begin = location.offset + offset, end = begin + size;
  if (end > kMostTableBytes) throw Failure{"the descriptors of a set take more than 256 MiB", kInput};
  Table& table = tables_[location.user_data_entry];
  table.resize(std::max<size_t>(table.size(), (end + 7) / 8));
  std::memcpy(reinterpret_cast<uint8_t*>(table.data()) + begin, data, size);
}

bool Machine::write(const Place& place, uint32_t kind, std::span<const uint32_t> words) {
  const spalt_binding_location* found = find(place, kind);
  if (found == nullptr) return false;
  const bool after_image = kind == SPALT_BINDING_SAMPLER && found->kind == SPALT_BINDING_COMBINED_IMAGE_SAMPLER;
  const uint64_t offset = uint64_t{place.element} * found->stride + (after_image ? kImageBytes : 0);
  put(*found, offset, words.data(), words.size() * sizeof(uint32_t));
  return true;
}

bool Machine::write_inline(const Place& place, std::span<const uint8_t> bytes) {
  const spalt_binding_location* found = find(place, SPALT_BINDING_INLINE_DATA);
  if (found == nullptr) return false;
  put(*found, 0, bytes.data(), std::min<size_t>(bytes.size(), found->count));
  return true;
}

void Machine::map_at(uint64_t address, void* host, uint64_t size, const std::string& name, bool is_table) {
  const spalt_api::Outcome mapped = space_.map(address, host, size, name.c_str(), is_table, is_table);
  if (!mapped.ok()) throw Failure{mapped.message, exit_code_of(mapped.result)};
}

uint64_t Machine::map(void* host, uint64_t size, const std::string& name) {
  const uint64_t address = next_address_;
  map_at(address, host, size, name, false);
  next_address_ = after(address, size);
  return address;
}

std::vector<uint32_t> Machine::finish(std::span<const uint8_t> push_constants) {
  std::vector<uint32_t> user_data(layout_.push_constant_entry + layout_.push_constant_dwords);
  const size_t bytes = std::min<size_t>(push_constants.size(), size_t{layout_.push_constant_dwords} * 4);
  if (bytes != 0) std::memcpy(&user_data[layout_.push_constant_entry], push_constants.data(), bytes);
  uint64_t address = kFirstTable;
  for (auto& [entry, table] : tables_) {
    map_at(address, table.data(), table.size() * 8, "descriptor table of entry " + std::to_string(entry), true);
    user_data.resize(std::max<size_t>(user_data.size(), entry + 1));
    user_data[entry] = static_cast<uint32_t>(address);
    address = after(address, table.size() * 8);
  }
  return user_data;
}

}  // namespace spalt_tool
