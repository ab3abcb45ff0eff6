// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>
#include <vector>

#include "emu/raster/state.h"
#include "texel/format.h"

namespace spalt::emu {

/// An attachment with memory, and a guard of bytes around it that must stay as they are.
class SurfaceMemory {
 public:
  SurfaceMemory(uint32_t format, uint32_t width, uint32_t height, uint32_t samples = 1, uint32_t layers = 1)
      : bytes_(texel::find_format(format)->shape().bytes) {
    surface_ = {nullptr, format, width, height, layers, samples, (width + 1) * bytes_, 0};
    surface_.slice_bytes = surface_.row_bytes * height + 64;
    memory_.assign(2 * kGuard + surface_.slice_bytes * samples * layers, std::byte{kFill});
    surface_.bytes = memory_.data() + kGuard;
  }
  SurfaceMemory(const SurfaceMemory&) = delete;
  SurfaceMemory& operator=(const SurfaceMemory&) = delete;

  const RasterSurface& surface() const { return surface_; }
  template <class T>
  T get(int x, int y, unsigned sample = 0, uint32_t layer = 0) const {
    T value;
    std::memcpy(&value, surface_.at(x, y, layer, sample, bytes_), sizeof value);
    return value;
  }
  template <class T>
  void set(T value, int x, int y, unsigned sample = 0, uint32_t layer = 0) {
    std::memcpy(surface_.at(x, y, layer, sample, bytes_), &value, sizeof value);
  }
  /// How many bytes differ from what they were at first.
  size_t touched() const {
    size_t count = 0;
    for (const std::byte byte : memory_) count += byte != std::byte{kFill};
    return count;
  }

 private:
  static constexpr size_t kGuard = 64;
  static constexpr uint8_t kFill = 0xa5;
  unsigned bytes_;
  std::vector<std::byte> memory_;
  RasterSurface surface_;
};

}  // namespace spalt::emu
