// SPDX-License-Identifier: MIT
//
// Everything of a random draw but its shaders: what they read and write, the geometry, and the state. Drawn from the
// seed before the shaders are, which follow it.
//
// Results do not depend on how precisely an implementation interpolates: corners lie on a grid, twice the area of a
// triangle is a power of two where values are interpolated (`exact_planes`), w is a power of two, and interpolated
// values are small integers at the vertices. Then every interpolated value is a multiple of a small power of two, which
// a float holds with any order of operations. Where w differs between vertices, what is interpolated with perspective
// is the same integer at all of them, and shaders round it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "generator.h"

namespace spalt::random_programs {

enum class Topology : uint8_t { Points, Lines, LineStrip, Triangles, Strip, Fan };

/// An input of the vertex shader besides the position.
struct Attribute {
  uint32_t location = 0;
  uint32_t component = 0;
  const char* format = nullptr;
  uint32_t bytes = 0;     ///< of the format
  bool is_float = false;  ///< as the shader sees it
  enum class Data : uint8_t { Integers, Halves, Floats } data = Data::Integers;
  Type type;              ///< of the shader's variable; its base does not matter for floats
  int high = 0, low = 0;  ///< of floats, as in Exact
  uint32_t offset = 0;
  bool shares_location = false;  ///< with the attribute before, which has the format
  bool per_instance = false;
};

enum class Interpolation : uint8_t { Flat, Smooth, NoPerspective, Centroid, Sample };

/// A value from vertices to fragments.
struct Varying {
  uint32_t location = 0, component = 0;
  Interpolation interpolation = Interpolation::Flat;
  bool is_float = false;
  Type type;
  uint32_t length = 0;  ///< of an array; 0: none
  bool is_read = true;
};

struct Target {
  const char* format = nullptr;
  Type type;  ///< of the shader's variable; its base does not matter for floats
  bool is_float = false;
  std::array<uint8_t, 4> bits{};  ///< of integers that fit; floats: of an integer that is multiplied by the scale
  float scale = 0.0f;
  bool is_signed = false;
  bool rounds = false;  ///< the average of samples need not be a value of the format
  bool is_written = true;
  uint32_t write_mask = 15;
  bool adds = false;  ///< blended: source plus destination
};

/// An image that both stages read, with a nearest sampler; a texel buffer, which is fetched only; or an input
/// attachment.
struct Texture {
  enum class Kind : uint8_t { Image, Buffer, Input } kind = Kind::Image;
  const char* format = nullptr;
  Base base = Base::Int;  ///< of what is read, unless floats
  bool is_float = false;
  int high = 0, low = 0;  ///< of floats, as in Exact
  float scale = 0.0f;     ///< floats are that integer when multiplied by this and rounded; 0: as they are
  uint32_t width_bits = 2, height_bits = 2;  ///< sizes are powers of two
  uint32_t levels = 1;
  uint32_t layers = 1;  ///< more: an array
  const char* address = nullptr;
};
constexpr uint32_t kMostTextures = 4;

/// An image with a texel for each slot; no format: none.
struct StoreFormat {
  const char* format = nullptr;
  uint32_t spirv = 0;  ///< spv::ImageFormat
  Base base = Base::Int;
  uint32_t bits = 32, components = 1;
};
constexpr StoreFormat kStoreFormats[] = {{"R32_UINT", spv::ImageFormatR32ui, Base::Uint, 32, 1},
                                         {"R32_SINT", spv::ImageFormatR32i, Base::Int, 32, 1},
                                         {"R32G32B32A32_UINT", spv::ImageFormatRgba32ui, Base::Uint, 32, 4},
                                         {"R16G16B16A16_SINT", spv::ImageFormatRgba16i, Base::Int, 16, 4},
                                         {"R8G8B8A8_UINT", spv::ImageFormatRgba8ui, Base::Uint, 8, 4}};
constexpr uint32_t kStoreWidthBits = 6;  ///< of the image; slots go row by row

/// Descriptors of set 1; the first one are the records.
constexpr uint32_t kStoreBinding = 1, kFirstTextureBinding = 2;
constexpr uint32_t kTexelBufferBytes = 256;

/// Among indices: the next primitive begins.
constexpr uint32_t kRestart = 0xffffffff;

/// A corner on the grid of 1/256 of a pixel.
struct Corner {
  int32_t x = 0, y = 0;
};

struct DrawShape {
  uint64_t seed = 0;
  uint32_t width = 8, height = 8;
  uint32_t samples = 1;
  bool sample_shading = false;      ///< an invocation for each sample
  bool sample_shading_set = false;  ///< by the state, not by what the shader reads alone
  bool exact_planes = true;
  bool even_points = false;  ///< points have sizes 2 and 4, else 1 and 3
  Topology topology = Topology::Triangles;
  bool provoking_last = false;
  std::vector<Corner> corners;    ///< by number of the vertex
  std::vector<uint32_t> indices;  ///< in the order of the draw; of an unindexed one 0, 1, ...
  bool indexed = false, restart = false, short_indices = false;
  uint32_t base = 0;        ///< VertexIndex of vertex 0
  uint32_t index_bias = 0;  ///< the index of vertex 0
  uint32_t instances = 1, first_instance = 0;
  float w = 1.0f;
  bool varied_w = false;        ///< then w is not the same everywhere
  bool varied_depth = false;    ///< and this goes for z
  bool has_derivatives = true;  ///< then helpers read no storage buffers, see docs/isa-errata.md, "llvmpipe: draws"
  int32_t instance_shift = 0;   ///< pixels to the right
  uint32_t clip_distances = 0;
  std::vector<Attribute> attributes;
  uint32_t vertex_stride = 16, instance_stride = 4;
  std::vector<Varying> varyings;
  std::vector<Target> targets;
  std::vector<Texture> textures;
  StoreFormat store_format;
  // With two layers or viewports, instances take turns.
  uint32_t layers = 1, first_layer = 0;
  uint32_t viewports = 1, first_viewport = 0;
  std::array<int32_t, 2> viewport_shift{};  ///< pixels from the first one to the second one
  uint32_t views = 1;                       ///< more: each draw is drawn in so many views
  bool reads_views = false;
  const char* depth_format = nullptr;
  const char* depth_compare = "less";
  bool depth_write = true;
  bool exports_depth = false, exports_mask = false, early_tests = false;
  const char* cull = "none";
  const char* front_face = "counter_clockwise";
  std::array<std::array<uint32_t, 4>, 2> scissors{};  ///< of the viewports
  uint32_t sample_mask = 0xffffffff;
  bool render_pass = false;
  uint32_t divisor = 1;                  ///< of what is for each instance
  std::array<const char*, 4> stencil{};  ///< fail, depth fail, pass, comparison; of a format with both
  uint32_t stencil_reference = 0;
  bool dynamic_viewport = false, dynamic_scissor = false;
  bool reads_primitive = false, reads_helper = false, reads_mask = false, reads_clip_distances = false;

  bool is_of_lines() const { return topology == Topology::Lines || topology == Topology::LineStrip; }
  uint32_t vertex_count() const { return static_cast<uint32_t>(corners.size()); }
  /// One for each primitive and sample that may have an invocation, then one for each vertex of each instance and view.
  uint32_t fragment_slots() const { return vertex_runs() * width * height * (sample_shading ? samples : 1); }
  uint32_t slots() const { return fragment_slots() + vertex_runs(); }
  /// Vertices of all instances and views.
  uint32_t vertex_runs() const { return vertex_count() * instances * views; }
};

DrawShape draw_shape(uint64_t seed);
void draw_geometry(Rng& rng, DrawShape& shape);

/// A manifest of tests/scenes that draws it with draw.vert.spv and draw.frag.spv.
std::string scene_text(const DrawShape& shape);

/// A specialization constant of fragment shaders: the number of the only pixel that is not demoted at once, row by row.
constexpr uint32_t kPixelConstant = 0, kAllPixels = 0xffffffff;

constexpr const char* kVertexFile = "draw.vert.spv";
constexpr const char* kFragmentFile = "draw.frag.spv";

struct DrawProgram {
  uint64_t seed = 0;
  Words vertex, fragment;
  std::string scene;
};

/// The same for the same seed, everywhere.
DrawProgram generate_draw(uint64_t seed);

}  // namespace spalt::random_programs
