// SPDX-License-Identifier: MIT
#include "image_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "device_fixture.h"

namespace spalt::emu::test {
namespace {

constexpr uint64_t kTable = 0x21000000000, kInput = 0x22000000000, kOutput = 0x23000000000;
constexpr unsigned kFirstInput = 10, kFirstOutput = 40;

struct Words {
  std::vector<uint32_t> words;
  explicit Words(size_t count) : words(count, 0) {}
  void put(unsigned word, unsigned high, unsigned low, uint64_t value) {
    const uint32_t mask = high - low == 31 ? 0xffffffffu : ((1u << (high - low + 1)) - 1) << low;
    words[word] = (words[word] & ~mask) | (static_cast<uint32_t>(value << low) & mask);
  }
};

bool is_array(uint32_t type) {
  return type == kCube || type == k1DArray || type == k2DArray || type == kMsaaArray;
}
bool is_msaa(uint32_t type) {
  return type == kMsaa || type == kMsaaArray;
}

uint32_t divided_up(uint32_t value, uint32_t by) {
  return (value + by - 1) / by;
}

struct Level {
  uint64_t row, rows;
};
Level level_of(const TestImage& image, unsigned target, uint32_t level) {
  const uint32_t width = divided_up(image.width, image.block), height = divided_up(image.height, image.block);
  const uint32_t w = target == kGfx9 ? width : divided_up(width, 1u << level);
  uint64_t row = uint64_t{w} * image.texel_bytes;
  const uint64_t alignment = target == kGfx12 ? 128 : 256;
  row = (row + alignment - 1) / alignment * alignment;
  return {row, divided_up(height, 1u << level)};
}
uint64_t level_size(const TestImage& image, unsigned target, uint32_t level) {
  const Level l = level_of(image, target, level);
  return (l.row + 255) / 256 * 256 * l.rows;
}

}  // namespace

std::string mnemonic(isa::Opcode opcode, unsigned target) {
  return isa::info(opcode, isa::find_target(kImageTargets[target])->generation).name;
}

std::string tuple(unsigned first, unsigned count) {
  if (count == 1) return "v" + std::to_string(first);
  return "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

std::string address_text(unsigned target, unsigned count, unsigned least, bool sampler) {
  if (target != kGfx12) return tuple(kFirstInput, target == kGfx9 ? least : count);
  const unsigned entries = std::min(count, sampler ? 4u : 5u);
  if (entries == 1) return tuple(kFirstInput, 1);
  std::string text = "[";
  for (unsigned i = 0; i + 1 < entries; ++i) text += tuple(kFirstInput + i, 1) + ", ";
  return text + tuple(kFirstInput + entries - 1, count - entries + 1) + "]";
}

std::array<uint32_t, 8> image_words(const TestImage& image, unsigned target, uint64_t address) {
  Words w(8);
  const uint64_t base = address >> 8;
  w.put(0, 31, 0, base);
  w.put(1, 7, 0, base >> 32);
  for (unsigned i = 0; i < 4; ++i) w.put(3, 3 * i + 2, 3 * i, image.swizzle >> (3 * i) & 7);
  w.put(3, 31, 28, image.type);
  const uint32_t last = is_msaa(image.type) ? image.samples_log2 : image.last_level;
  const uint32_t max_mip = is_msaa(image.type) ? image.samples_log2 : image.levels - 1;
  const uint32_t depth = image.uav_3d || is_array(image.type) ? image.last_layer
                         : image.type == k3D                  ? image.depth - 1
                                                              : 0;
  if (target == kGfx12) {
    w.put(1, 24, 17, image.format);
    w.put(1, 31, 30, image.width - 1);
    w.put(2, 13, 0, (image.width - 1) >> 2);
    w.put(2, 29, 14, image.height - 1);
    w.put(1, 29, 25, image.base_level);
    w.put(3, 19, 15, last);
    w.put(4, 13, 0, depth);
    w.put(4, 29, 16, image.first_layer);
    w.put(3, 27, 25, image.bc_swizzle);
    w.put(5, 4, 4, image.uav_3d);
    w.put(1, 16, 12, max_mip);
    w.put(5, 31, 26, image.min_lod);
    w.put(6, 6, 0, image.min_lod >> 6);
    return {w.words[0], w.words[1], w.words[2], w.words[3], w.words[4], w.words[5], w.words[6], w.words[7]};
  }
  w.put(3, 15, 12, image.base_level);
  w.put(3, 19, 16, last);
  w.put(2, 27, 14, image.height - 1);
  w.put(4, 12, 0, depth);
  if (target == kGfx9) {
    w.put(1, 25, 20, image.format);
    w.put(1, 29, 26, image.format >> 6);
    w.put(2, 13, 0, image.width - 1);
    uint64_t rows = 0;
    for (uint32_t l = 0; l < image.levels; ++l) rows += level_of(image, target, l).rows;
    const uint64_t pitch = level_of(image, target, 0).row / image.texel_bytes;
    w.put(4, 28, 13, (image.levels > 1 ? rows : pitch) - 1);
    w.put(5, 12, 0, image.first_layer);
    w.put(4, 31, 29, image.bc_swizzle);
    w.put(5, 31, 28, max_mip);
    w.put(1, 19, 8, image.min_lod);
  } else {
    w.put(1, target >= kGfx11 ? 27 : 28, 20, image.format);
    w.put(1, 31, 30, image.width - 1);
    w.put(2, 11, 0, (image.width - 1) >> 2);
    if (target < kGfx11) w.put(2, 31, 31, 1);
    w.put(4, 28, 16, image.first_layer);
    w.put(3, 27, 25, image.bc_swizzle);
    w.put(5, 0, 0, image.uav_3d);
    if (target >= kGfx11) {
      w.put(1, 19, 16, max_mip);
      w.put(5, 31, 27, image.min_lod);
      w.put(6, 6, 0, image.min_lod >> 5);
    } else {
      w.put(5, 7, 4, max_mip);
      w.put(1, 19, 8, image.min_lod);
    }
  }
  return {w.words[0], w.words[1], w.words[2], w.words[3], w.words[4], w.words[5], w.words[6], w.words[7]};
}

uint64_t slice_size(const TestImage& image, unsigned target) {
  uint64_t size = 0;
  for (uint32_t l = 0; l < image.levels; ++l) size += level_size(image, target, l);
  return size;
}

uint64_t texel_offset(const TestImage& image, unsigned target, uint32_t level, uint32_t x, uint32_t y, uint32_t slice) {
  uint64_t offset = slice * slice_size(image, target);
  for (uint32_t l = 0; l < image.levels; ++l) {
    if (target == kGfx9 ? l < level : l > level) offset += level_size(image, target, l);
  }
  return offset + y / image.block * level_of(image, target, level).row + uint64_t{x / image.block} * image.texel_bytes;
}

std::array<uint32_t, 4> sampler_words(const TestSampler& s, unsigned target) {
  Words w(4);
  for (unsigned i = 0; i < 3; ++i) w.put(0, 3 * i + 2, 3 * i, s.clamp[i]);
  w.put(0, 11, 9, s.aniso_ratio);
  w.put(0, 14, 12, s.compare);
  w.put(0, 15, 15, s.unnormalized);
  w.put(0, 27, 27, s.truncates);
  w.put(0, 28, 28, s.no_cube_wrap);
  w.put(0, 30, 29, s.filter_mode);
  if (target == kGfx12) {
    w.put(1, 12, 0, s.min_lod);
    w.put(1, 25, 13, s.max_lod);
  } else {
    w.put(1, 11, 0, s.min_lod);
    w.put(1, 23, 12, s.max_lod);
  }
  w.put(2, 13, 0, static_cast<uint32_t>(s.lod_bias) & 0x3fff);
  w.put(2, 21, 20, s.xy_mag);
  w.put(2, 23, 22, s.xy_min);
  w.put(2, 25, 24, s.z_filter);
  w.put(2, 27, 26, s.mip_filter);
  if (target >= kGfx11) {
    w.put(3, 29, 18, s.border_index);
  } else {
    w.put(3, 11, 0, s.border_index);
  }
  w.put(3, 31, 30, s.border_type);
  return {w.words[0], w.words[1], w.words[2], w.words[3]};
}

uint32_t format_code(unsigned target, uint32_t data9, uint32_t number9, uint32_t code10, uint32_t code11) {
  return target == kGfx9 ? data9 | number9 << 6 : target >= kGfx11 ? code11 : code10;
}

std::string wait_for_all(unsigned target) {
  if (target == kGfx12) return "s_wait_loadcnt 0x0\ns_wait_samplecnt 0x0\ns_wait_kmcnt 0x0\n";
  return "s_waitcnt vmcnt(0) lgkmcnt(0)\n";
}

std::string dim_text(unsigned target, const char* dim) {
  if (target != kGfx9) return std::string(" dim:SQ_RSRC_IMG_") + dim;
  const std::string name = dim;
  return name.find("ARRAY") != std::string::npos || name == "CUBE" ? " da" : "";
}

namespace {

/// What is resident and what is not, in turn.
void map_parts(const spalt_api::AddressSpace& space, std::vector<uint64_t>& texels, uint64_t size,
               const std::vector<std::pair<uint64_t, uint64_t>>& absent, bool read_only) {
  uint64_t at = 0;
  const auto map_until = [&](uint64_t end) {
    if (end == at) return;
    EXPECT_TRUE(space.map(kImageBase + at, texels.data() + at / 8, end - at, "image", read_only).ok());
  };
  for (const auto& [first, last] : absent) {
    map_until(first);
    EXPECT_TRUE(space.map_not_resident(kImageBase + first, last - first, "hole").ok());
    at = last;
  }
  map_until(size);
}

}  // namespace

std::vector<std::vector<uint32_t>> ImageRun::run() {
  using isa::Opcode;
  const auto name = [this](Opcode opcode) { return mnemonic(opcode, target); };
  const auto number = [](unsigned value) { return std::to_string(value); };
  std::string text = name(Opcode::s_load_dwordx8) + " s[8:15], s[0:1], 0x0\n" + name(Opcode::s_load_dwordx4) +
                     " s[16:19], s[0:1], 0x20\n" + name(Opcode::s_load_dwordx4) + " s[20:23], s[0:1], 0x30\n" +
                     wait_for_all(target);
  const std::string add = name(Opcode::v_add_nc_u32);
  text += "v_lshlrev_b32 v1, 2, v0\n";
  for (unsigned i = 0; i < inputs.size(); ++i) {
    text += add + " v2, " + number(i * threads * 4) + ", v1\n" + name(Opcode::global_load_dword) + " v" +
            number(kFirstInput + i) + ", v2, s[20:21]\n" + wait_for_all(target);
  }
  for (unsigned i = 0; i < outputs; ++i) {
    text += "v_mov_b32 v" + number(kFirstOutput + i) + ", 0x" + std::string(8, static_cast<char>('1' + i)) + "\n";
  }
  text += body + "\n" + wait_for_all(target);
  for (unsigned i = 0; i < outputs; ++i) {
    text += add + " v2, " + number(i * threads * 4) + ", v1\n" + name(Opcode::global_store_dword) + " v2, v" +
            number(kFirstOutput + i) + ", s[22:23]\n";
  }
  const object::StageObject shader = make_raw_shader(text + "s_endpgm\n", 2, wave_size, threads, kImageTargets[target]);
  fault.clear();
  if (shader.code.empty()) {
    fault = "not assembled";
    return {};
  }

  std::vector<uint32_t> table(16), in(std::max<size_t>(1, inputs.size()) * threads),
      out(std::max(1u, outputs) * size_t{threads}, 0);
  std::copy(image.begin(), image.end(), table.begin());
  std::copy(sampler.begin(), sampler.end(), table.begin() + 8);
  const std::vector<uint32_t> places = address_entries(std::vector<uint64_t>{kInput, kOutput});
  std::copy(places.begin(), places.end(), table.begin() + 12);
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::copy(inputs[i].begin(), inputs[i].end(), in.begin() + static_cast<ptrdiff_t>(i * threads));
  }
  const DeviceFixture fixture;
  EXPECT_TRUE(fixture.space.map(kTable, table.data(), table.size() * 4, "table").ok());
  EXPECT_TRUE(fixture.space.map(kInput, in.data(), in.size() * 4, "input").ok());
  EXPECT_TRUE(fixture.space.map(kOutput, out.data(), out.size() * 4, "output").ok());
  // Mappings are aligned to 8 bytes.
  std::vector<uint64_t> texels;
  if (memory != nullptr) {
    texels.resize((memory->size() + 7) / 8);
    std::memcpy(texels.data(), memory->data(), memory->size());
    map_parts(fixture.space, texels, memory->size(), absent, read_only);
  }
  const spalt_api::Program program = fixture.load(shader);
  const std::vector<uint32_t> entries = address_entries(kTable);
  spalt_dispatch_info info = spalt_api::Device::dispatch_info(program, entries, 1);
  info.step_limit = 100000;
  info.memory_hierarchy = hierarchy;
  info.hierarchy_seed = seed;
  info.border_colors = border_colors;
  const spalt_api::Device::Report report = fixture.device.dispatch(info);
  fault = report.ok() ? "" : report.fault.message;
  fault_address = report.fault.address;
  fault_bytes = report.fault.access_size;
  fault_lane = report.fault.lane;
  if (memory != nullptr) std::memcpy(memory->data(), texels.data(), memory->size());
  std::vector<std::vector<uint32_t>> results;
  if (!report.ok()) return results;
  for (unsigned i = 0; i < outputs; ++i) {
    results.emplace_back(out.begin() + i * ptrdiff_t{threads}, out.begin() + (i + 1) * ptrdiff_t{threads});
  }
  return results;
}

}  // namespace spalt::emu::test
