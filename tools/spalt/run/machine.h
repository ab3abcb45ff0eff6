// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <spalt/device.hpp>
#include <span>
#include <string>
#include <vector>

#include "run/place.h"

namespace spalt_tool {

/// What a driver has between a layout and a dispatch: memory at device addresses, tables of descriptors, user data.
class Machine {
 public:
  /// Tables begin with null descriptors, and with `sampler` for each sampler. All arguments must outlive this. Throws
  /// Failure.
  Machine(const spalt_compiler* compiler, const spalt_user_data_layout& layout, std::span<const uint32_t> sampler);
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// The address of host memory, which is aligned to 8 and lives as long as this; a multiple of 1 MiB, with unmapped
  /// bytes after it. `size` is above 0.
  uint64_t map(void* host, uint64_t size, const std::string& name);
  /// Puts a descriptor where the layout has `kind` at this place: an image or a sampler also into a combined one.
  /// False: the program does not use it.
  bool write(const Place& place, uint32_t kind, std::span<const uint32_t> words);
  /// The same for the bytes of inline data, as many as fit.
  bool write_inline(const Place& place, std::span<const uint8_t> bytes);
  bool holds(const Place& place, uint32_t kind) const { return find(place, kind) != nullptr; }

  /// First elements of what the program uses and holds that kind.
  std::vector<Place> places_of(uint32_t kind) const;

  const spalt_api::AddressSpace& space() const { return space_; }
  /// Maps the tables, so that nothing may be written any more; returns the user data.
  std::vector<uint32_t> finish(std::span<const uint8_t> push_constants);

 private:
  using Table = std::vector<uint64_t>;
  const spalt_binding_location& location(size_t index) const;
  const spalt_binding_location* find(const Place& place, uint32_t kind) const;
  void fill(const spalt_binding_location& location, std::span<const uint32_t> sampler);
  void put(const spalt_binding_location& location, uint64_t offset, const void* data, size_t size);
  void map_at(uint64_t address, void* host, uint64_t size, const std::string& name, bool is_table);

  const spalt_compiler* compiler_;
  const spalt_user_data_layout& layout_;
  spalt_api::AddressSpace space_;
  std::map<uint32_t, Table> tables_;  ///< by user-data entry
  uint64_t next_address_;
};

}  // namespace spalt_tool
