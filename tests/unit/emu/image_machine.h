// SPDX-License-Identifier: MIT
//
// Runs one image instruction on many lanes, and makes descriptors for it. Bit positions and the layout of surfaces are
// written here from the hardware's tables again, so that a mistake in those of the library shows.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "amdgpu/isa/opcode.h"
#include "assemble.h"

namespace spalt::emu::test {

/// One processor of each generation.
constexpr const char* kImageTargets[] = {"gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"};
/// Index in kImageTargets.
enum TargetIndex : unsigned { kGfx9, kGfx10, kGfx103, kGfx11, kGfx115, kGfx12 };

constexpr uint64_t kImageBase = 0x20000000000;

enum TestType : uint32_t { k1D = 8, k2D, k3D, kCube, k1DArray, k2DArray, kMsaa, kMsaaArray };

/// What an image descriptor says.
struct TestImage {
  uint32_t type = k2D;
  uint32_t format = 0;  ///< as the generation numbers it
  uint32_t width = 1, height = 1;
  uint32_t depth = 1;  ///< 3D
  uint32_t levels = 1;
  uint32_t base_level = 0, last_level = 0;
  uint32_t first_layer = 0, last_layer = 0;
  uint32_t samples_log2 = 0;
  uint32_t swizzle = 0xfac;  ///< dst_sel, three bits each: X is 4
  uint32_t bc_swizzle = 0;
  uint32_t min_lod = 0;  ///< 8 fraction bits
  bool uav_3d = false;
  unsigned texel_bytes = 4;
  unsigned block = 1;  ///< texels in each direction
};

std::array<uint32_t, 8> image_words(const TestImage& image, unsigned target, uint64_t address = kImageBase);
/// Byte offset of a texel (of its block); slice: layer, depth slice, or layer * samples + sample.
uint64_t texel_offset(const TestImage& image, unsigned target, uint32_t level, uint32_t x, uint32_t y, uint32_t slice);
/// Of one slice with all levels.
uint64_t slice_size(const TestImage& image, unsigned target);

struct TestSampler {
  uint32_t clamp[3] = {0, 0, 0};
  uint32_t aniso_ratio = 0, compare = 0;
  bool unnormalized = false, truncates = false, no_cube_wrap = false;
  uint32_t filter_mode = 0;
  uint32_t min_lod = 0, max_lod = 0xfff;  ///< 8 fraction bits
  int32_t lod_bias = 0;                   ///< likewise
  uint32_t xy_mag = 0, xy_min = 0, z_filter = 0, mip_filter = 0;
  uint32_t border_index = 0, border_type = 0;
};
std::array<uint32_t, 4> sampler_words(const TestSampler& sampler, unsigned target);

/// Numbers of formats: on gfx9 data and number format, on gfx10, on gfx11 and later.
uint32_t format_code(unsigned target, uint32_t data9, uint32_t number9, uint32_t code10, uint32_t code11);

/// One dispatch of one workgroup. Lane i finds dword i of input k in v[10 + k] and leaves results in v40 and on, which
/// hold 0x11111111, 0x22222222 and so on before. s[8:15] is the image, s[16:19] the sampler.
struct ImageRun {
  unsigned target = kGfx103;
  unsigned wave_size = 64, threads = 64;
  std::string body;
  std::vector<std::vector<uint32_t>> inputs;
  unsigned outputs = 4;
  std::array<uint32_t, 8> image{};
  std::array<uint32_t, 4> sampler{};
  std::vector<uint8_t>* memory = nullptr;  ///< at kImageBase
  /// Bytes of it that are not resident, [first, last), ascending, multiples of 8.
  std::vector<std::pair<uint64_t, uint64_t>> absent;
  bool read_only = false;
  uint64_t border_colors = 0;
  bool hierarchy = false;
  uint64_t seed = 0;

  /// outputs x threads dwords; empty when it faulted.
  std::vector<std::vector<uint32_t>> run();
  std::string fault;  ///< of the last run
  uint64_t fault_address = 0, fault_bytes = 0;
  uint32_t fault_lane = 0;
};

/// The waits for everything.
std::string wait_for_all(unsigned target);
/// "dim:SQ_RSRC_IMG_2D" or what gfx9 has in its place.
std::string dim_text(unsigned target, const char* dim);
std::string mnemonic(isa::Opcode opcode, unsigned target);
/// v10 and the registers after it as the address of an instruction. `least` is what gfx9 writes down: registers before
/// the coordinates, and the first of these or of the gradients.
std::string address_text(unsigned target, unsigned count, unsigned least = 1, bool sampler = false);
std::string tuple(unsigned first, unsigned count);

}  // namespace spalt::emu::test
