// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "amdgpu/isa/generation_set.h"

namespace spalt::metadata {

/// What a key's value, or each element of its array, is. Loaders take a number for a boolean and the other way round.
enum class Kind : uint8_t {
  flag,         ///< boolean
  integer,      ///< not negative, up to Key::max
  real,         ///< floating point
  text,         ///< any string, up to Key::max bytes
  name,         ///< one of Key::names
  bytes,        ///< a blob
  map,          ///< Key::members says of what
  named_maps,   ///< a map from any name to maps of Key::members
  registers,    ///< a map from register numbers to 32-bit values
  stage_names,  ///< a string of kStageNames
};

/// Metadata versions that want a key to be there.
enum class Required : uint8_t { never, always, in_version_2 };

/// A key that loaders know: a row of the key tables of docs/abi/pal.md#metadata-keys.
struct Key {
  std::string_view key;
  Kind kind = Kind::flag;
  uint64_t max = 0;
  uint8_t elements = 0;  ///< 0: one value; else an array of at most so many
  Required required = Required::never;
  std::span<const std::string_view> names{};
  std::span<const Key> (*members)() = nullptr;
  isa::GenerationSet generations = isa::kGfx9To12;  ///< whose loaders read it

  constexpr Key array(uint8_t count) const {
    Key copy = *this;
    copy.elements = count;
    return copy;
  }
  constexpr Key read_by(isa::GenerationSet set) const {
    Key copy = *this;
    copy.generations = set;
    return copy;
  }
  constexpr Key needed(Required when = Required::always) const {
    Key copy = *this;
    copy.required = when;
    return copy;
  }
};

constexpr Key flag(std::string_view key) {
  return {.key = key, .kind = Kind::flag, .max = 1};
}
constexpr Key integer(std::string_view key, uint64_t max) {
  return {.key = key, .kind = Kind::integer, .max = max};
}
constexpr Key u8(std::string_view key) {
  return integer(key, UINT8_MAX);
}
constexpr Key u16(std::string_view key) {
  return integer(key, UINT16_MAX);
}
constexpr Key u32(std::string_view key) {
  return integer(key, UINT32_MAX);
}
constexpr Key u64(std::string_view key) {
  return integer(key, UINT64_MAX);
}
constexpr Key real(std::string_view key) {
  return {.key = key, .kind = Kind::real};
}
constexpr Key text(std::string_view key, uint64_t max = UINT32_MAX) {
  return {.key = key, .kind = Kind::text, .max = max};
}
constexpr Key name(std::string_view key, std::span<const std::string_view> names) {
  return {.key = key, .kind = Kind::name, .names = names};
}
constexpr Key map(std::string_view key, std::span<const Key> (*members)()) {
  return {.key = key, .kind = Kind::map, .members = members};
}
/// The members of a map as a function, so that tables may refer to each other.
template <const auto& Members>
std::span<const Key> shape() {
  return Members;
}

/// The members of the document's root.
std::span<const Key> root_keys();
std::span<const Key> graphics_register_keys();

}  // namespace spalt::metadata
