// SPDX-License-Identifier: MIT
// Image loads, stores, atomics and size queries on every generation, against plain C++ on the bytes of the image.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <optional>
#include <random>

#include "image_machine.h"

namespace spalt::emu::test {
namespace {

using U = uint32_t;
using Op = isa::Opcode;

constexpr unsigned kLanes = 64;

U r32_uint(unsigned target) {
  return format_code(target, 4, 4, 20, 20);
}
U rgba8_unorm(unsigned target) {
  return format_code(target, 10, 0, 56, 42);
}
U rgba8_uint(unsigned target) {
  return format_code(target, 10, 4, 60, 46);
}
U rg32_uint(unsigned target) {
  return format_code(target, 11, 4, 62, 48);
}
U rgba32_float(unsigned target) {
  return format_code(target, 14, 7, 77, 63);
}

std::vector<uint8_t> random_bytes(uint64_t size, U seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

U dword_at(const std::vector<uint8_t>& bytes, uint64_t offset) {
  U value = 0;
  std::memcpy(&value, bytes.data() + offset, 4);
  return value;
}

/// A type of image as an instruction addresses it.
struct Dimension {
  U type;
  const char* dim;
  unsigned axes;
  bool slice, sample;
};
constexpr Dimension kDimensions[] = {
    {k1D, "1D", 1, false, false},
    {k2D, "2D", 2, false, false},
    {k3D, "3D", 3, false, false},
    {k1DArray, "1D_ARRAY", 1, true, false},
    {k2DArray, "2D_ARRAY", 2, true, false},
    {kMsaa, "2D_MSAA", 2, false, true},
    {kMsaaArray, "2D_MSAA_ARRAY", 2, true, true},
};

/// A view of some levels and layers of an image.
TestImage view_of(const Dimension& dimension, unsigned target, bool whole) {
  TestImage image;
  image.type = dimension.type;
  image.format = r32_uint(target);
  image.width = 37;
  image.height = dimension.axes == 1 ? 1 : 21;
  if (dimension.axes == 3) image.depth = 11;
  if (dimension.sample) {
    image.samples_log2 = 2;
  } else {
    image.levels = 4;
    image.base_level = whole ? 0 : 1;
    image.last_level = whole ? 3 : 2;
  }
  if (dimension.slice) {
    image.first_layer = whole ? 0 : 2;
    image.last_layer = whole ? 6 : 5;
  }
  return image;
}

/// What the address of a lane names.
struct Named {
  U x, y, slice, sample, level;
};

/// Where the texel is, by the rules of Vulkan: outside of the view is outside of the image.
std::optional<uint64_t> place_of(const TestImage& image, const Dimension& d, unsigned target, const Named& at) {
  const U level = image.base_level + at.level;
  if (at.level > image.last_level - image.base_level) return std::nullopt;
  const U width = std::max(1u, image.width >> level), height = std::max(1u, image.height >> level);
  const U depth = std::max(1u, image.depth >> level), samples = 1u << image.samples_log2;
  const U slices = d.axes == 3 ? depth : image.last_layer - image.first_layer + 1;
  if (at.x >= width || at.y >= height || at.slice >= slices || at.sample >= samples) return std::nullopt;
  return texel_offset(image, target, level, at.x, at.y, (image.first_layer + at.slice) * samples + at.sample);
}

/// Addresses around the image, most of them inside.
struct Addresses {
  std::vector<std::vector<U>> operands;
  std::vector<Named> named;
};
Addresses random_addresses(const TestImage& image, const Dimension& d, bool level, U seed) {
  std::mt19937 random(seed);
  const auto around = [&random](U size) {
    const U kind = random() % 16;
    return kind == 0 ? 0xffffffffu : kind == 1 ? size : kind == 2 ? 0x10000u : static_cast<U>(random()) % size;
  };
  Addresses result;
  result.operands.resize(d.axes + (d.slice ? 1 : 0) + (d.sample ? 1 : 0) + (level ? 1 : 0));
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const U base = image.base_level;
    Named at{around(image.width >> base), d.axes > 1 ? around(image.height >> base) : 0,
             d.axes == 3 ? around(image.depth >> base)
             : d.slice   ? around(image.last_layer - image.first_layer + 1)
                         : 0,
             d.sample ? around(1u << image.samples_log2) : 0, level ? around(image.last_level - base + 1) : 0};
    unsigned operand = 0;
    result.operands[operand++].push_back(at.x);
    if (d.axes > 1) result.operands[operand++].push_back(at.y);
    if (d.axes == 3 || d.slice) result.operands[operand++].push_back(at.slice);
    if (d.sample) result.operands[operand++].push_back(at.sample);
    if (level) result.operands[operand++].push_back(at.level);
    result.named.push_back(at);
  }
  return result;
}

uint64_t bytes_of(const TestImage& image, unsigned target) {
  const U slices = image.type == k3D ? image.depth : (image.last_layer + 1) << image.samples_log2;
  return slice_size(image, target) * slices;
}

TEST(ImageLoad, EveryDimensionReadsTheTexelThatItNames) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    for (const Dimension& d : kDimensions) {
      for (const bool whole : {true, false}) {
        for (const bool level : {false, true}) {
          if (level && d.sample) continue;
          const TestImage image = view_of(d, target, whole);
          std::vector<uint8_t> memory = random_bytes(bytes_of(image, target), target * 8 + d.type);
          const Addresses addresses = random_addresses(image, d, level, d.type);
          ImageRun run;
          run.target = target;
          run.image = image_words(image, target);
          run.memory = &memory;
          run.inputs = addresses.operands;
          run.outputs = 1;
          run.body = std::string(level ? "image_load_mip v40, " : "image_load v40, ") +
                     address_text(target, static_cast<unsigned>(addresses.operands.size())) + ", s[8:15] dmask:0x1" +
                     dim_text(target, d.dim);
          const auto out = run.run();
          const std::string where = std::string(kImageTargets[target]) + " " + run.body;
          ASSERT_EQ(run.fault, "") << where;
          for (unsigned lane = 0; lane < kLanes; ++lane) {
            const auto at = place_of(image, d, target, addresses.named[lane]);
            const Named& n = addresses.named[lane];
            EXPECT_EQ(out[0][lane], at ? dword_at(memory, *at) : 0)
                << where << " lane " << lane << ": " << n.x << " " << n.y << " " << n.slice << " " << n.level;
          }
        }
      }
    }
  }
}

TEST(ImageLoad, ShortCoordinatesArePackedAndListsNameEveryRegister) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    const Dimension& d = kDimensions[4];
    const TestImage image = view_of(d, target, false);
    std::vector<uint8_t> memory = random_bytes(bytes_of(image, target), target);
    Addresses addresses = random_addresses(image, d, true, 7);
    ImageRun run;
    run.target = target;
    run.image = image_words(image, target);
    run.memory = &memory;
    run.outputs = 2;
    // x and y, layer and level.
    std::vector<std::vector<U>> packed(2);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const auto& o = addresses.operands;
      packed[0].push_back((o[0][lane] & 0xffff) | o[1][lane] << 16);
      packed[1].push_back((o[2][lane] & 0xffff) | o[3][lane] << 16);
      Named& n = addresses.named[lane];
      for (U* value : {&n.x, &n.y, &n.slice, &n.level}) *value &= 0xffff;
    }
    run.inputs = packed;
    run.body = "image_load_mip v40, " + address_text(target, 2) + ", s[8:15] dmask:0x1 a16" +
               dim_text(target, "2D_ARRAY") + "\n";
    const bool lists = target != kGfx9;
    if (lists) {
      run.body +=
          "v_mov_b32 v30, v11\nimage_load_mip v41, [v10, v30], s[8:15] dmask:0x1 a16" + dim_text(target, "2D_ARRAY");
    }
    const auto out = run.run();
    ASSERT_EQ(run.fault, "") << kImageTargets[target] << " " << run.body;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const auto at = place_of(image, d, target, addresses.named[lane]);
      const U want = at ? dword_at(memory, *at) : 0;
      EXPECT_EQ(out[0][lane], want) << kImageTargets[target] << lane;
      EXPECT_EQ(out[1][lane], lists ? want : 0x22222222u) << kImageTargets[target] << lane;
    }
  }
}

/// A 4 x 4 image with 2 bytes per channel of these in each texel: its number.
std::vector<uint8_t> numbered_texels(unsigned target, const TestImage& image) {
  std::vector<uint8_t> memory(bytes_of(image, target), 0xee);
  for (U y = 0; y < image.height; ++y) {
    for (U x = 0; x < image.width; ++x) {
      const uint64_t at = texel_offset(image, target, 0, x, y, 0);
      for (unsigned c = 0; c < image.texel_bytes; ++c) memory[at + c] = static_cast<uint8_t>(16 * c + 4 * y + x + 64);
    }
  }
  return memory;
}

TestImage square(unsigned target, U format, unsigned texel_bytes) {
  TestImage image;
  image.format = format;
  image.width = image.height = 4;
  image.texel_bytes = texel_bytes;
  (void)target;
  return image;
}

/// Lane i reads texel i; some are outside.
std::vector<std::vector<U>> all_texels() {
  std::vector<std::vector<U>> operands(2);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    operands[0].push_back(lane % 4);
    operands[1].push_back(lane / 4);
  }
  return operands;
}

TEST(ImageLoad, MasksSelectsAndHalves) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    TestImage image = square(target, rgba8_uint(target), 4);
    image.swizzle = 5u | 0u << 3 | 1u << 6 | 4u << 9;  // y, 0, 1, x
    std::vector<uint8_t> memory = numbered_texels(target, image);
    ImageRun run;
    run.target = target;
    run.image = image_words(image, target);
    run.memory = &memory;
    run.inputs = all_texels();
    const std::string rest = ", " + address_text(target, 2) + ", s[8:15]" + dim_text(target, "2D");
    for (unsigned dmask = 1; dmask < 16; ++dmask) {
      for (const bool halves : {false, true}) {
        const auto count = static_cast<unsigned>(std::popcount(dmask));
        run.body = "image_load " + tuple(40, halves ? (count + 1) / 2 : count) + rest +
                   " dmask:" + std::to_string(dmask) + (halves ? " d16" : "");
        const auto out = run.run();
        ASSERT_EQ(run.fault, "") << kImageTargets[target] << run.body;
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          const bool inside = lane < 16;
          const U x = inside ? 64 + lane : 0, y = inside ? 80 + lane : 0;
          const U all[] = {y, 0, 1, x};
          U want[4] = {0x11111111, 0x22222222, 0x33333333, 0x44444444};
          unsigned result = 0;
          for (unsigned c = 0; c < 4; ++c) {
            if ((dmask >> c & 1) == 0) continue;
            if (halves) {
              const unsigned shift = result % 2 * 16;
              want[result / 2] = (want[result / 2] & ~(0xffffu << shift)) | all[c] << shift;
            } else {
              want[result] = all[c];
            }
            ++result;
          }
          for (unsigned i = 0; i < 4; ++i)
            EXPECT_EQ(out[i][lane], want[i]) << kImageTargets[target] << run.body << lane;
        }
      }
    }
  }
}

TEST(ImageLoad, StatusIsLeftAsItWas) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    const TestImage image = square(target, rgba8_unorm(target), 4);
    std::vector<uint8_t> memory = numbered_texels(target, image);
    ImageRun run;
    run.target = target;
    run.image = image_words(image, target);
    run.memory = &memory;
    run.inputs = all_texels();
    run.body = "image_load v[40:41], " + address_text(target, 2) + ", s[8:15] dmask:0x8 tfe" + dim_text(target, "2D");
    const auto out = run.run();
    ASSERT_EQ(run.fault, "") << kImageTargets[target];
    EXPECT_EQ(std::bit_cast<float>(out[0][5]), 117.0F / 255);
    EXPECT_EQ(out[1][5], 0x22222222u);
  }
}

TEST(ImageLoad, NothingIsBound) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    ImageRun run;
    run.target = target;
    run.inputs = all_texels();
    run.body = "image_load v[40:43], " + address_text(target, 2) + ", s[8:15] dmask:0xf" + dim_text(target, "2D") +
               "\nimage_store v[10:13], " + address_text(target, 2) + ", s[8:15] dmask:0xf" + dim_text(target, "2D") +
               "\nimage_atomic_" + mnemonic(Op::image_atomic_add, target).substr(13) + " v10, " +
               address_text(target, 2) + ", s[8:15] dmask:0x1" + dim_text(target, "2D");
    const auto out = run.run();
    ASSERT_EQ(run.fault, "") << kImageTargets[target];
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(out[i][3], 0u);
  }
}

TEST(ImageStore, ConvertsAndDropsWhatIsOutside) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    for (const unsigned dmask : {15u, 1u, 6u, 8u}) {
      for (const bool bgra : {false, true}) {
        TestImage image = square(target, rgba8_uint(target), 4);
        if (bgra) image.swizzle = 6u | 5u << 3 | 4u << 6 | 7u << 9;
        std::vector<uint8_t> memory = numbered_texels(target, image);
        const std::vector<uint8_t> before = memory;
        ImageRun run;
        run.target = target;
        run.image = image_words(image, target);
        run.memory = &memory;
        run.inputs = all_texels();
        for (U i = 0; i < 4; ++i) run.inputs.emplace_back(kLanes, 1 + i);  // v12 to v15
        run.inputs[2][7] = 70000;                                          // saturates
        const auto count = static_cast<unsigned>(std::popcount(dmask));
        run.outputs = 0;
        run.body = "image_store " + tuple(12, count) + ", " + address_text(target, 2) +
                   ", s[8:15] dmask:" + std::to_string(dmask) + dim_text(target, "2D");
        run.run();
        ASSERT_EQ(run.fault, "") << kImageTargets[target] << run.body;
        std::vector<uint8_t> want = before;
        for (unsigned lane = 0; lane < 16; ++lane) {
          const U first = lane == 7 ? 255 : 1;
          U component[4], next = 0;
          for (unsigned c = 0; c < 4; ++c) {
            const bool given = (dmask >> c & 1) != 0;
            component[c] = given ? (next == 0 ? first : 1 + next) : target == kGfx12 ? first : 0;
            if (given) ++next;
          }
          const uint64_t at = texel_offset(image, target, 0, lane % 4, lane / 4, 0);
          for (unsigned c = 0; c < 4; ++c) {
            want[at + c] = static_cast<uint8_t>(component[bgra && c < 3 ? 2 - c : c]);
          }
        }
        EXPECT_EQ(memory, want) << kImageTargets[target] << run.body << bgra;
      }
    }
  }
}

TEST(ImageStore, LevelsHalvesAndWideTexels) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    TestImage image = square(target, rgba32_float(target), 16);
    image.width = 9;
    image.height = 5;
    image.levels = image.last_level = 3;
    --image.last_level;
    std::vector<uint8_t> memory = random_bytes(bytes_of(image, target), 3);
    std::vector<uint8_t> want = memory;
    ImageRun run;
    run.target = target;
    run.image = image_words(image, target);
    run.memory = &memory;
    run.inputs = all_texels();
    run.inputs.emplace_back(kLanes, 1);
    run.inputs.emplace_back(kLanes, 0x40003c00u);
    run.inputs.emplace_back(kLanes, 0xc4004200u);
    run.outputs = 0;
    run.body =
        "image_store_mip v[13:14], " + address_text(target, 3) + ", s[8:15] dmask:0xf d16" + dim_text(target, "2D");
    run.run();
    ASSERT_EQ(run.fault, "") << kImageTargets[target];
    const float values[] = {1, 2, 3, -4};
    for (U y = 0; y < 2; ++y) {
      for (U x = 0; x < 4; ++x) std::memcpy(want.data() + texel_offset(image, target, 1, x, y, 0), values, 16);
    }
    EXPECT_EQ(memory, want) << kImageTargets[target];
  }
}

std::string returning(unsigned target) {
  return target == kGfx12 ? " th:TH_ATOMIC_RETURN" : " glc";
}

TEST(ImageAtomic, UpdatesTexelsOfBothSizes) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    for (const bool wide : {false, true}) {
      const TestImage image = square(target, wide ? rg32_uint(target) : r32_uint(target), wide ? 8 : 4);
      std::vector<uint8_t> memory(bytes_of(image, target), 0);
      ImageRun run;
      run.target = target;
      run.image = image_words(image, target);
      run.memory = &memory;
      run.inputs = all_texels();
      run.inputs[1].assign(kLanes, 0);  // rows meet
      for (unsigned lane = 60; lane < kLanes; ++lane) run.inputs[1][lane] = 99;
      run.inputs.emplace_back(kLanes, 0xffffffffu);
      run.inputs.emplace_back(kLanes, 0u);
      run.outputs = 4;
      // The registers of the data hold the old value afterwards.
      const unsigned dwords = wide ? 2 : 1;
      run.body = "v_mov_b32 v40, v12\nv_mov_b32 v41, v13\n" + mnemonic(Op::image_atomic_add, target) + " " +
                 tuple(40, dwords) + ", " + address_text(target, 2) + ", s[8:15] dmask:" + (wide ? "0x3" : "0x1") +
                 dim_text(target, "2D") + returning(target);
      const auto out = run.run();
      ASSERT_EQ(run.fault, "") << kImageTargets[target] << run.body;
      uint64_t sum = 0;
      for (unsigned lane = 0; lane < 60; lane += 4) sum += 0xffffffffu;
      for (U x = 0; x < 4; ++x) {
        const uint64_t at = texel_offset(image, target, 0, x, 0, 0);
        // Of column 3, lane 63 is one of those outside.
        EXPECT_EQ(dword_at(memory, at), static_cast<U>(sum)) << kImageTargets[target];
        const U upper = wide ? static_cast<U>(sum >> 32) : dword_at(memory, at + 4);
        EXPECT_EQ(dword_at(memory, at + 4), upper) << kImageTargets[target];
      }
      for (unsigned lane = 60; lane < kLanes; ++lane) EXPECT_EQ(out[0][lane], 0u);
      EXPECT_EQ(out[0][4], 0xffffffffu);
    }
  }
}

TEST(ImageAtomic, CompareAndSwap) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    const TestImage image = square(target, r32_uint(target), 4);
    std::vector<uint8_t> memory = numbered_texels(target, image);
    const std::vector<uint8_t> before = memory;
    ImageRun run;
    run.target = target;
    run.image = image_words(image, target);
    run.memory = &memory;
    run.inputs = all_texels();
    run.inputs.emplace_back(kLanes, 1000u);
    run.inputs.emplace_back();
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const U there = lane < 16 ? dword_at(before, texel_offset(image, target, 0, lane % 4, lane / 4, 0)) : 0;
      run.inputs[3].push_back(lane % 2 == 0 ? there : there + 1);
    }
    run.outputs = 0;
    run.body = mnemonic(Op::image_atomic_cmpswap, target) + " v[12:13], " + address_text(target, 2) +
               ", s[8:15] dmask:0x3" + dim_text(target, "2D");
    run.run();
    ASSERT_EQ(run.fault, "") << kImageTargets[target];
    for (unsigned lane = 0; lane < 16; ++lane) {
      const uint64_t at = texel_offset(image, target, 0, lane % 4, lane / 4, 0);
      EXPECT_EQ(dword_at(memory, at), lane % 2 == 0 ? 1000 : dword_at(before, at)) << kImageTargets[target] << lane;
    }
  }
}

TEST(ImageAtomic, FloatsWhereTheyExist) {
  for (const unsigned target : {kGfx10, kGfx103, kGfx12}) {
    TestImage image = square(target, r32_uint(target), 4);
    image.format = format_code(target, 4, 7, 22, 22);
    std::vector<uint8_t> memory(bytes_of(image, target), 0);
    const float there = 2.5F;
    for (size_t i = 0; i + 3 < memory.size(); i += 4) std::memcpy(memory.data() + i, &there, 4);
    ImageRun run;
    run.target = target;
    run.image = image_words(image, target);
    run.memory = &memory;
    run.inputs = all_texels();
    run.inputs.emplace_back();
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      run.inputs[2].push_back(std::bit_cast<U>(lane % 2 == 0 ? 1.0F : 4.0F));
    }
    run.outputs = 0;
    const std::string rest = " v12, " + address_text(target, 2) + ", s[8:15] dmask:0x1" + dim_text(target, "2D") + "\n";
    run.body = mnemonic(Op::image_atomic_fmin, target) + rest;
    if (target == kGfx12) run.body += mnemonic(Op::image_atomic_add_flt, target) + rest;
    run.run();
    ASSERT_EQ(run.fault, "") << kImageTargets[target] << run.body;
    for (unsigned lane = 0; lane < 16; ++lane) {
      const float least = lane % 2 == 0 ? 1 : 2.5F, added = lane % 2 == 0 ? 1 : 4;
      const float got = std::bit_cast<float>(dword_at(memory, texel_offset(image, target, 0, lane % 4, lane / 4, 0)));
      EXPECT_EQ(got, target == kGfx12 ? least + added : least) << kImageTargets[target] << lane;
    }
  }
}

TEST(ImageQuery, SizesOfLevels) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    for (const Dimension& d : kDimensions) {
      if (d.sample) continue;
      const TestImage image = view_of(d, target, false);
      ImageRun run;
      run.target = target;
      run.image = image_words(image, target);
      run.inputs.emplace_back();
      for (unsigned lane = 0; lane < kLanes; ++lane) run.inputs[0].push_back(lane % 4 == 3 ? 0xffffffffu : lane % 4);
      run.body = "image_get_resinfo v[40:43], v10, s[8:15] dmask:0xf" + dim_text(target, d.dim);
      const auto out = run.run();
      ASSERT_EQ(run.fault, "") << kImageTargets[target] << run.body;
      for (unsigned lane = 0; lane < 4; ++lane) {
        U want[4] = {37u >> (1 + lane), d.axes == 1 ? 1 : 21u >> (1 + lane), d.slice ? 4u : 1u, 2};
        if (d.axes == 3) want[2] = 11u >> (1 + lane);
        if (d.type == k1DArray) want[1] = 4;
        for (unsigned i = 0; i < 4; ++i) {
          EXPECT_EQ(out[i][lane], lane < 2 ? want[i] : 0) << kImageTargets[target] << run.body << lane << i;
        }
      }
    }
  }
}

TEST(ImageView, SlicesOf3DImages) {
  for (unsigned target = kGfx10; target < std::size(kImageTargets); ++target) {
    TestImage image = view_of(kDimensions[2], target, true);
    image.uav_3d = true;
    image.first_layer = 3;
    image.last_layer = 7;
    image.base_level = image.last_level = 0;
    std::vector<uint8_t> memory = random_bytes(bytes_of(image, target), target);
    ImageRun run;
    run.target = target;
    run.image = image_words(image, target);
    run.memory = &memory;
    run.inputs = all_texels();
    run.inputs.emplace_back();
    for (U lane = 0; lane < kLanes; ++lane) run.inputs[2].push_back(lane % 8);
    run.outputs = 2;
    run.body = "image_load v40, " + address_text(target, 2) +
               ", s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D\nimage_load v41, " + address_text(target, 3) +
               ", s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_3D";
    const auto out = run.run();
    ASSERT_EQ(run.fault, "") << kImageTargets[target];
    for (U lane = 0; lane < kLanes; ++lane) {
      const auto texel = [&](U slice) {
        return dword_at(memory, texel_offset(image, target, 0, lane % 4, lane / 4, slice));
      };
      EXPECT_EQ(out[0][lane], texel(3));
      EXPECT_EQ(out[1][lane], lane % 8 < 5 ? texel(3 + lane % 8) : 0);
    }
  }
}

TEST(ImageFault, NamesTheAddress) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    const TestImage image = square(target, r32_uint(target), 4);
    std::vector<uint8_t> memory(texel_offset(image, target, 0, 2, 3, 0), 0);
    ImageRun run;
    run.target = target;
    run.image = image_words(image, target);
    run.memory = &memory;
    run.inputs = all_texels();
    run.body = "image_load v40, " + address_text(target, 2) + ", s[8:15] dmask:0x1" + dim_text(target, "2D");
    run.run();
    EXPECT_EQ(run.fault_address, kImageBase + memory.size()) << kImageTargets[target] << run.fault;
    EXPECT_EQ(run.fault_bytes, 4u);
    EXPECT_EQ(run.fault_lane, 14u);

    std::vector<uint8_t> whole(bytes_of(image, target), 0);
    run.memory = &whole;
    run.read_only = true;
    run.run();
    EXPECT_EQ(run.fault, "");
    run.body = "image_store v10, " + address_text(target, 2) + ", s[8:15] dmask:0x1" + dim_text(target, "2D");
    run.run();
    EXPECT_NE(run.fault.find("read-only"), std::string::npos) << run.fault;
    run.read_only = false;
    run.body = mnemonic(Op::image_atomic_add, target) + " v[40:41], " + address_text(target, 2) +
               ", s[8:15] dmask:0x3" + dim_text(target, "2D");
    run.run();
    EXPECT_NE(run.fault.find("another size"), std::string::npos) << run.fault;
  }
}

TEST(ImageFault, DescriptorsOfNoImage) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    const TestImage image = square(target, r32_uint(target), 4);
    std::vector<uint8_t> memory(bytes_of(image, target), 0);
    ImageRun run;
    run.target = target;
    run.memory = &memory;
    run.inputs = all_texels();
    run.body = "image_load v40, " + address_text(target, 2) + ", s[8:15] dmask:0x1" + dim_text(target, "2D");
    run.image = image_words(image, target);
    run.image[3] |= 1u << 20;
    run.run();
    EXPECT_NE(run.fault.find("not linear"), std::string::npos) << run.fault;
    run.image = image_words(image, target);
    run.image[3] &= ~0xf0000000u;
    run.run();
    EXPECT_EQ(run.fault, "");
    run.image[3] |= 3u << 28;
    run.run();
    EXPECT_EQ(run.fault.empty(), target != kGfx10) << run.fault;
    TestImage reserved = image;
    reserved.format = target == kGfx9 ? 33 : 0xfe;
    run.image = image_words(reserved, target);
    run.run();
    EXPECT_NE(run.fault.find("does not exist"), std::string::npos) << kImageTargets[target] << run.fault;
  }
}

TEST(ImageWaits, ResultsArriveAtTheWait) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    const TestImage image = square(target, r32_uint(target), 4);
    std::vector<uint8_t> memory(bytes_of(image, target), 0);
    ImageRun run;
    run.target = target;
    run.image = image_words(image, target);
    run.memory = &memory;
    run.inputs = all_texels();
    const std::string load =
        "image_load v40, " + address_text(target, 2) + ", s[8:15] dmask:0x1" + dim_text(target, "2D");
    run.body = load + "\nv_mov_b32 v41, v40";
    run.run();
    EXPECT_NE(run.fault.find(target == kGfx12 ? "s_wait_loadcnt" : "vmcnt"), std::string::npos) << run.fault;
    // An address register of a list is read, too.
    if (target == kGfx9) continue;
    run.body = "image_load v30, [v10, v11], s[8:15] dmask:0x1" + dim_text(target, "2D") +
               "\nimage_load v40, [v10, v30], s[8:15] dmask:0x1" + dim_text(target, "2D");
    run.run();
    EXPECT_NE(run.fault.find("reads v30"), std::string::npos) << run.fault;
  }
}

TEST(ImageWaits, Gfx9LooksAtRegistersThatOnlyTheResourceNames) {
  const TestImage image = square(kGfx9, r32_uint(kGfx9), 4);
  std::vector<uint8_t> memory(bytes_of(image, kGfx9), 0);
  ImageRun run;
  run.target = kGfx9;
  run.image = image_words(image, kGfx9);
  run.memory = &memory;
  run.inputs = all_texels();
  run.body = "image_load v11, v10, s[8:15] dmask:0x1\nimage_load v40, v10, s[8:15] dmask:0x1";
  run.run();
  EXPECT_NE(run.fault.find("reads v11"), std::string::npos) << run.fault;
  run.body = "image_load v40, v63, s[8:15] dmask:0x1";
  run.run();
  EXPECT_NE(run.fault.find("does not have"), std::string::npos) << run.fault;
}

TEST(ImageHierarchy, GivesTheSameResults) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    const TestImage image = square(target, rgba32_float(target), 16);
    std::vector<uint8_t> memory = numbered_texels(target, image);
    ImageRun run;
    run.target = target;
    run.image = image_words(image, target);
    run.memory = &memory;
    run.inputs = all_texels();
    run.body = "image_load v[40:43], " + address_text(target, 2) + ", s[8:15] dmask:0xf" + dim_text(target, "2D") +
               "\n" + wait_for_all(target) + "image_store v[40:43], " + address_text(target, 2) +
               ", s[8:15] dmask:0xf" + dim_text(target, "2D");
    const auto want = run.run();
    ASSERT_EQ(run.fault, "");
    const std::vector<uint8_t> before = memory;
    run.hierarchy = true;
    for (run.seed = 0; run.seed < 20; ++run.seed) {
      EXPECT_EQ(run.run(), want) << kImageTargets[target] << run.fault;
      EXPECT_EQ(memory, before);
    }
  }
}

}  // namespace
}  // namespace spalt::emu::test
