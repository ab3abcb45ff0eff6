// SPDX-License-Identifier: MIT
//
// The border colours of a device that samplers name by a number (spalt_sampler_descriptor_info::border_index): a table
// in device memory, which is there from the first such sampler on. Samplers with the same colour share a place.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "icd/memory/device_space.h"

namespace spalt::icd {

inline constexpr uint32_t kMaxBorderColors = 4096;

/// Four floats or integers.
using BorderColor = std::array<uint32_t, 4>;

/// Safe to call from all threads.
class BorderPalette {
 public:
  explicit BorderPalette(DeviceSpace& space) : space_(&space) {}

  /// The number of the colour, which stays until as many calls of give_back(). Throws std::bad_alloc,
  /// VulkanError{VK_ERROR_TOO_MANY_OBJECTS} when all numbers are taken.
  uint32_t take(const BorderColor& color);
  void give_back(uint32_t number) noexcept;
  /// Of the table; 0: there is none yet.
  uint64_t address() const;

 private:
  struct Place {
    BorderColor color{};
    uint32_t users = 0;
  };
  DeviceSpace* space_;
  mutable std::mutex mutex_;
  OwnedBlock table_;
  std::vector<Place> places_;
};

/// A place in a palette for as long as this lives.
class BorderPlace {
 public:
  BorderPlace() = default;
  BorderPlace(BorderPalette& palette, const BorderColor& color) : palette_(&palette), number_(palette.take(color)) {}
  ~BorderPlace() {
    if (palette_ != nullptr) palette_->give_back(number_);
  }
  BorderPlace(const BorderPlace&) = delete;
  BorderPlace& operator=(const BorderPlace&) = delete;
  BorderPlace(BorderPlace&& other) noexcept
      : palette_(std::exchange(other.palette_, nullptr)), number_(other.number_) {}
  BorderPlace& operator=(BorderPlace&& other) noexcept {
    std::swap(palette_, other.palette_);
    std::swap(number_, other.number_);
    return *this;
  }
  uint32_t number() const { return number_; }

 private:
  BorderPalette* palette_ = nullptr;
  uint32_t number_ = 0;
};

}  // namespace spalt::icd
