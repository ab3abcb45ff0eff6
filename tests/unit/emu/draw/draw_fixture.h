// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>
#include <spalt/draw.h>

#include <array>
#include <string>
#include <vector>

#include "../device_fixture.h"

namespace spalt::emu::test {

constexpr uint64_t kVertices = 0x20000000000, kIndices = 0x20010000000, kColor = 0x20020000000, kDepth = 0x20030000000;
/// In the window of the programs.
constexpr uint64_t kVertexTable = kWindow + 0x2000000;

/// Position and one attribute, as vertex buffers hold them.
struct TestVertex {
  std::array<float, 4> position, color;
};

/// What differs between the generations in the programs of these tests.
struct Dialect {
  const char* target;
  unsigned wave_size;
  bool is_primitive_shader;
};
void PrintTo(const Dialect& dialect, std::ostream* out);
/// All kinds of processors that differ in how they draw.
extern const std::vector<Dialect> kDialects;

/// Programs of pipelines in the assembly of one processor.
class Programs {
 public:
  explicit Programs(const Dialect& dialect) : dialect_(dialect) {}

  /// Position and attribute come from binding 0; `between` is executed by the lanes of the vertices, which have the
  /// position in v[8:11] and the attribute in v[12:15]; the vertex number, with its base, is in v20 and the instance
  /// number, with its base, in v21.
  object::StageObject vertex(const std::string& between = "") const;
  /// Exports what `body` leaves in v[8:11] as colour 0. I and J are in v0 and v1; `exact` is what lanes were covered.
  object::StageObject pixel(const std::string& body) const;
  /// Exports v[8:11] as colour 0, the last export.
  std::string export_color() const;
  /// Interpolates the attribute into v[8:11].
  std::string interpolate() const;

 private:
  object::StageObject stage(abi::HardwareStage kind, const std::string& text) const;
  std::string load_vertex(unsigned table_sgpr, unsigned base_sgpr, unsigned id, unsigned instance,
                          const std::string& between) const;
  std::string hardware_vertex(const std::string& between) const;
  std::string primitive_shader(const std::string& between) const;
  bool is_new() const;
  bool is_12() const;

  Dialect dialect_;
};

/// A device with a colour image of floats, which has some slices for layers and samples, and a depth image.
class DrawFixture {
 public:
  static constexpr unsigned kSize = 16, kSlices = 4;

  DrawFixture(const Dialect& dialect, std::vector<TestVertex> vertices, uint32_t threads = 1);
  /// Links and loads a pipeline.
  spalt_api::Program load(const object::StageObject& vertex, const object::StageObject& pixel) const;
  spalt_api::Program load_elf(const uint8_t* elf, size_t size) const;
  /// Of `count` vertices from 0 on; all fields may be changed.
  spalt_draw_info info(const spalt_api::Program& program, uint32_t count) const;
  spalt_api::Device::DrawReport draw(const spalt_draw_info& info) const { return device_.device.draw(info); }
  const spalt_api::Device& device() const { return device_.device; }
  void map_indices(std::vector<uint16_t> indices);

  std::array<float, 4> color(unsigned x, unsigned y, unsigned slice = 0) const;
  /// The colour image has so many layers and samples, and there is no depth image.
  void set_slices(unsigned layers, unsigned samples);
  float depth(unsigned x, unsigned y) const { return depth_[y * kSize + x]; }
  void set_depth(float value) { depth_.assign(depth_.size(), value); }

  spalt_raster_state state;

 private:
  DeviceFixture device_;
  const isa::Target& target_;
  std::vector<TestVertex> vertices_;
  std::vector<uint16_t> indices_;
  std::array<uint32_t, 4> table_{};
  std::vector<float> color_, depth_;
  spalt_viewport viewport_{};
  spalt_rect scissor_{};
  spalt_color_blend blend_{};
  spalt_attachment target_info_{};
  std::vector<uint32_t> no_data_;
};

}  // namespace spalt::emu::test
