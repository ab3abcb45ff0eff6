// SPDX-License-Identifier: MIT
// Memory that is reserved but not resident: what images, buffers and plain accesses of every generation see of it.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "device_fixture.h"
#include "image_machine.h"

namespace spalt::emu::test {
namespace {

using U = uint32_t;
using Op = isa::Opcode;

/// 64 x 32 floats, the number of each texel; rows 8 to 15 and 24 to 27 are not there.
constexpr U kWidth = 64, kHeight = 32, kRowBytes = kWidth * 4;
constexpr unsigned kThreads = 1024;

bool is_absent(int row) {
  return (row >= 8 && row < 16) || (row >= 24 && row < 28);
}

TestImage image_of(unsigned target, bool is_float) {
  TestImage image;
  image.format = is_float ? format_code(target, 4, 7, 22, 22) : format_code(target, 4, 4, 20, 20);
  image.width = kWidth;
  image.height = kHeight;
  image.swizzle = 4 | 1 << 9;
  return image;
}

double texel(int x, int y) {
  return is_absent(y) ? 0 : y * int{kWidth} + x;
}

struct SparseRun : ImageRun {
  std::vector<uint8_t> bytes = std::vector<uint8_t>(size_t{kRowBytes} * kHeight);

  SparseRun(unsigned on, bool is_float) {
    target = on;
    threads = kThreads;
    for (U i = 0; i < kWidth * kHeight; ++i) {
      const U value = is_float ? std::bit_cast<U>(static_cast<float>(i)) : i;
      std::memcpy(bytes.data() + size_t{i} * 4, &value, 4);
    }
    const TestImage image_info = image_of(target, is_float);
    EXPECT_EQ(texel_offset(image_info, target, 0, 3, 2, 0), 2u * kRowBytes + 12);
    image = image_words(image_info, target);
    memory = &bytes;
    absent = {{8 * kRowBytes, 16 * kRowBytes}, {24 * kRowBytes, 28 * kRowBytes}};
    outputs = 2;
  }
  /// Texels of every second column.
  void address_texels() {
    inputs.assign(2, {});
    for (U i = 0; i < kThreads; ++i) {
      inputs[0].push_back(i % 32 * 2);
      inputs[1].push_back(i / 32);
    }
  }
  std::string rest(unsigned operands, const char* dmask, unsigned least = 1, bool samples = false) const {
    return ", " + address_text(target, operands, least, samples) + ", s[8:15]" + (samples ? ", s[16:19]" : "") +
           " dmask:" + dmask + " tfe" + dim_text(target, "2D");
  }
};

TEST(Residency, ImageLoadsSayWhatIsNotThere) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    for (const bool hierarchy : {false, true}) {
      SparseRun run(target, false);
      run.hierarchy = hierarchy;
      run.address_texels();
      run.body = "image_load v[40:41]" + run.rest(2, "0x1");
      const auto out = run.run();
      ASSERT_EQ(run.fault, "") << kImageTargets[target];
      for (U i = 0; i < kThreads; ++i) {
        const bool hole = is_absent(static_cast<int>(i / 32));
        EXPECT_EQ(out[0][i], hole ? 0 : i * 2) << kImageTargets[target] << i;
        // Where a texel was there, the register keeps what it held.
        EXPECT_EQ(out[1][i], hole ? 1u : 0x22222222u) << kImageTargets[target] << i;
      }
    }
  }
}

TEST(Residency, WithoutAStatusATexelIsZeroToo) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    SparseRun run(target, false);
    run.address_texels();
    // Alpha comes from dst_sel, not from the texel.
    run.body = "image_load v[40:41], " + address_text(target, 2) + ", s[8:15] dmask:0x9" + dim_text(target, "2D");
    const auto out = run.run();
    ASSERT_EQ(run.fault, "") << kImageTargets[target];
    for (U i = 0; i < kThreads; ++i) {
      EXPECT_EQ(out[0][i], is_absent(static_cast<int>(i / 32)) ? 0 : i * 2);
      EXPECT_EQ(out[1][i], 1u);
    }
  }
}

TEST(Residency, SamplesCountAbsentTexelsAsZero) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    SparseRun run(target, true);
    TestSampler sampler;
    sampler.xy_mag = sampler.xy_min = 1;
    sampler.clamp[0] = sampler.clamp[1] = 2;
    run.sampler = sampler_words(sampler, target);
    run.inputs.assign(2, {});
    // Quarters between the centers of rows, from the center of the first one on.
    const auto row_of = [](U i) { return (i / 32) * 0.9375 + 0.5; };
    for (U i = 0; i < kThreads; ++i) {
      run.inputs[0].push_back(std::bit_cast<U>((static_cast<float>(i % 32) * 2 + 0.5F) / kWidth));
      run.inputs[1].push_back(std::bit_cast<U>(static_cast<float>(row_of(i) / kHeight)));
    }
    run.body = "image_sample_lz v[40:41]" + run.rest(2, "0x1", 1, true);
    const auto out = run.run();
    ASSERT_EQ(run.fault, "") << kImageTargets[target];
    for (U i = 0; i < kThreads; ++i) {
      const int x = static_cast<int>(i % 32 * 2);
      const int y = static_cast<int>(std::floor(row_of(i) - 0.5));
      const double weight = row_of(i) - 0.5 - y;
      const double want = texel(x, y) * (1 - weight) + texel(x, y + 1) * weight;
      EXPECT_EQ(std::bit_cast<float>(out[0][i]), static_cast<float>(want)) << kImageTargets[target] << i;
      // A texel without weight is not read.
      const bool hole = (weight != 1 && is_absent(y)) || (weight != 0 && is_absent(y + 1));
      EXPECT_EQ(out[1][i], hole ? 1u : 0x22222222u) << kImageTargets[target] << i;
    }
  }
}

TEST(Residency, ComparisonsCompareTheZero) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    SparseRun run(target, true);
    TestSampler sampler;
    sampler.compare = 4;  // greater
    run.sampler = sampler_words(sampler, target);
    run.inputs.assign(3, {});
    for (U i = 0; i < kThreads; ++i) {
      run.inputs[0].push_back(std::bit_cast<U>(0.5F));
      run.inputs[1].push_back(std::bit_cast<U>((static_cast<float>(i % 32) * 2 + 0.5F) / kWidth));
      run.inputs[2].push_back(std::bit_cast<U>((static_cast<float>(i / 32) + 0.5F) / kHeight));
    }
    run.body = "image_sample_c_lz v[40:41]" + run.rest(3, "0x1", 2, true);
    const auto out = run.run();
    ASSERT_EQ(run.fault, "") << kImageTargets[target];
    for (U i = 0; i < kThreads; ++i) {
      const bool hole = is_absent(static_cast<int>(i / 32));
      EXPECT_EQ(std::bit_cast<float>(out[0][i]), hole || i == 0 ? 1.0F : 0.0F) << kImageTargets[target] << i;
      EXPECT_EQ(out[1][i], hole ? 1u : 0x22222222u);
    }
  }
}

TEST(Residency, StoresAndAtomicsAreDropped) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    SparseRun run(target, false);
    const std::vector<uint8_t> before = run.bytes;
    run.address_texels();
    run.inputs.emplace_back(kThreads, 1000000u);
    const std::string plain = ", " + address_text(target, 2) + ", s[8:15] dmask:0x1" + dim_text(target, "2D");
    run.body = "image_store v12" + plain + "\n" + wait_for_all(target) + "v_mov_b32 v40, 5\n" +
               mnemonic(Op::image_atomic_add, target) + " v40" + plain +
               (target == kGfx12 ? " th:TH_ATOMIC_RETURN" : " glc");
    const auto out = run.run();
    ASSERT_EQ(run.fault, "") << kImageTargets[target];
    for (U i = 0; i < kThreads; ++i) {
      const bool hole = is_absent(static_cast<int>(i / 32));
      EXPECT_EQ(out[0][i], hole ? 0u : 1000000u);
      U now, then;
      std::memcpy(&now, run.bytes.data() + size_t{i} * 8, 4);
      std::memcpy(&then, before.data() + size_t{i} * 8, 4);
      EXPECT_EQ(now, hole ? then : 1000005u) << kImageTargets[target] << i;
    }
  }
}

/// The same through a buffer, whose descriptor takes the place of the image's: components of one access may be there or
/// not.
struct BufferRun : ImageRun {
  std::vector<uint8_t> bytes = std::vector<uint8_t>(4096);

  explicit BufferRun(unsigned on) {
    target = on;
    for (U i = 0; i < 1024; ++i) std::memcpy(bytes.data() + size_t{i} * 4, &i, 4);
    memory = &bytes;
    absent = {{1024, 2048}, {2048, 2056}};
    // Raw, 4096 bytes; the last word of each generation: floats of 32 bits without a check of the index.
    constexpr U kLast[] = {0x27fac, 0x31016fac, 0x31016fac, 0x31016fac, 0x31016fac, 0x31016fac};
    image = {static_cast<U>(kImageBase), static_cast<U>(kImageBase >> 32), 4096, kLast[target]};
    inputs.assign(1, {});
    for (U i = 0; i < threads; ++i)
      inputs[0].push_back(i % 2 == 0 ? 1024 - 8 + i / 2 * 4 - 64 : 2048 - 8 + i / 2 * 4 - 64);
  }
};

TEST(Residency, BufferLoadsAreZeroInPart) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    BufferRun run(target);
    run.outputs = 5;
    run.body = mnemonic(Op::buffer_load_dwordx4, target) + " v[40:44], v10, s[8:11], " +
               (target == kGfx12 ? "null" : "0") + " offen tfe";
    const auto out = run.run();
    ASSERT_EQ(run.fault, "") << kImageTargets[target];
    for (unsigned lane = 0; lane < run.threads; ++lane) {
      bool any = false;
      for (U c = 0; c < 4; ++c) {
        const U at = run.inputs[0][lane] + c * 4;
        const bool hole = at >= 1024 && at < 2056;
        any = any || hole;
        EXPECT_EQ(out[c][lane], hole ? 0 : at / 4) << kImageTargets[target] << " " << at;
      }
      EXPECT_EQ(out[4][lane], any ? 1u : 0x55555555u) << kImageTargets[target] << " " << run.inputs[0][lane];
    }
  }
}

TEST(Residency, BufferStoresAndPlainAccessesDropWhatIsNotThere) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    BufferRun run(target);
    const std::vector<uint8_t> before = run.bytes;
    run.outputs = 2;
    const std::string soffset = target == kGfx12 ? "null" : "0";
    run.body = "v_mov_b32 v20, 7\nv_mov_b32 v21, 7\n" + mnemonic(Op::buffer_store_dwordx2, target) +
               " v[20:21], v10, s[8:11], " + soffset + " offen\n" + wait_for_all(target) +
               mnemonic(Op::global_load_dwordx2, target) + " v[40:41], v10, s[8:9]";
    const auto out = run.run();
    ASSERT_EQ(run.fault, "") << kImageTargets[target] << run.body;
    std::vector<uint8_t> want = before;
    constexpr U kSeven = 7;
    for (unsigned lane = 0; lane < run.threads; ++lane) {
      for (U c = 0; c < 2; ++c) {
        const U at = run.inputs[0][lane] + c * 4;
        const bool hole = at >= 1024 && at < 2056;
        EXPECT_EQ(out[c][lane], hole ? 0u : 7u) << kImageTargets[target] << " " << at;
        if (!hole) std::memcpy(want.data() + at, &kSeven, 4);
      }
    }
    EXPECT_EQ(run.bytes, want) << kImageTargets[target];
  }
}

TEST(Residency, ScalarLoadsDoNotKnowIt) {
  BufferRun run(kGfx103);
  run.absent = {{0, 2048}};
  run.body = "s_load_dword s24, s[8:9], 0x400\n" + wait_for_all(kGfx103) + "v_mov_b32 v40, s24";
  run.run();
  EXPECT_NE(run.fault.find("not resident"), std::string::npos) << run.fault;
  EXPECT_NE(run.fault.find("hole"), std::string::npos) << run.fault;
}

TEST(Residency, AMappingHasMemoryOrNot) {
  const DeviceFixture fixture;
  uint64_t word = 0;
  auto mapping = spalt_api::sized<spalt_mapping>();
  mapping.address = kData;
  mapping.size = 8;
  EXPECT_EQ(spalt_address_space_map(fixture.space.handle(), &mapping, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  mapping.host = &word;
  mapping.not_resident = 1;
  EXPECT_EQ(spalt_address_space_map(fixture.space.handle(), &mapping, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
  mapping.host = nullptr;
  EXPECT_EQ(spalt_address_space_map(fixture.space.handle(), &mapping, nullptr), SPALT_SUCCESS);
  // Memory takes its place when it is bound.
  EXPECT_FALSE(fixture.space.map(kData, &word, 8).ok());
  EXPECT_EQ(fixture.space.unmap(kData), SPALT_SUCCESS);
  EXPECT_TRUE(fixture.space.map(kData, &word, 8).ok());
}

}  // namespace
}  // namespace spalt::emu::test
