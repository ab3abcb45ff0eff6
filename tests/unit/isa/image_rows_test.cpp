// SPDX-License-Identifier: MIT
// Every image instruction of every generation with every dimension, with 16-bit and 32-bit coordinates, with addresses
// in a tuple and in a list, and with the modifiers that it has, against LLVM, both ways. Left out are a descriptor of
// four dwords (r128) and lwe without tfe: LLVM prints the registers of the form without them.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "amdgpu/isa/codec/image_address.h"
#include "llvm_mc.h"
#include "random_inst.h"

namespace spalt::isa::test {
namespace {

/// Per row: of some thirty combinations of dimension, coordinates and kind of address none is left out.
constexpr unsigned kSamples = 400;
constexpr unsigned kShown = 20;

struct Sample {
  Inst inst;
  std::vector<uint32_t> words;
};

/// What a row can be combined with: dimension, 16-bit coordinates, registers listed beside the first.
using Combination = std::tuple<uint8_t, bool, bool>;

Combination combination_of(const Inst& inst) {
  return {inst.mods.dim, inst.mods.a16, inst.nsa.count != 0};
}

/// Of each combination two samples.
void add_samples(Opcode opcode, Format format, const Target& target, RandomInst& random, std::vector<Sample>& samples) {
  std::map<Combination, unsigned> taken;
  for (unsigned i = 0; i < kSamples; ++i) {
    const Inst inst = random.make(opcode, format);
    constexpr unsigned kOfEach = 2;
    if (++taken[combination_of(inst)] > kOfEach) continue;
    const Result<EncodedInst> encoded = encode(inst, target);
    if (encoded) samples.push_back({inst, {encoded->words, encoded->words + encoded->count}});
  }
}

std::vector<Sample> make_samples(const Target& target, unsigned wave_size) {
  std::vector<Sample> samples;
  RandomInst random(target, wave_size, 99, RandomInst::HighHalves::some);
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    for (const Format format : {Format::mimg, Format::vimage, Format::vsample}) {
      const bool exists = opcode_number(opcode, format, target.generation) >= 0;
      if (exists && target.has(info(opcode, target.generation).feature)) {
        add_samples(opcode, format, target, random, samples);
      }
    }
  }
  return samples;
}

/// Lengths of lists that were met, of those that the processor has.
void expect_all_lengths(const std::vector<Sample>& samples, unsigned most) {
  std::set<unsigned> lengths;
  for (const Sample& sample : samples) lengths.insert(sample.inst.nsa.count + 1u);
  for (unsigned length = 2; length <= most; ++length) EXPECT_TRUE(lengths.contains(length)) << length << " addresses";
}

struct Processor {
  const char* name;
  unsigned wave_size;
  unsigned listed;  ///< address registers in the longest list that some instruction needs, 0 without lists
};
class ImageRows : public testing::TestWithParam<Processor> {};

TEST_P(ImageRows, Agree) {
  if (!LlvmMc::available()) GTEST_SKIP() << "llvm-mc-19 is not installed (Debian package llvm-19)";
  const Target& target = *find_target(GetParam().name);
  const LlvmMc llvm(target.name, GetParam().wave_size);
  const std::vector<Sample> samples = make_samples(target, GetParam().wave_size);
  ASSERT_GT(samples.size(), 300u);
  expect_all_lengths(samples, GetParam().listed);
  std::vector<std::vector<uint32_t>> code;
  std::vector<std::string> lines;
  for (const Sample& sample : samples) {
    code.push_back(sample.words);
    lines.push_back(to_text(sample.inst, target));
  }
  const std::vector<std::string> texts = llvm.disassemble(code);
  const std::vector<std::vector<uint32_t>> encodings = llvm.assemble(lines);
  unsigned failures = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    const Result<Inst> decoded = decode(samples[i].words, target, GetParam().wave_size);
    const bool same = decoded.ok() && to_text(*decoded, target) == lines[i];
    if (same && texts[i] == lines[i] && encodings[i] == samples[i].words) continue;
    if (++failures <= kShown)
      ADD_FAILURE() << lines[i] << "\n  LLVM: " << texts[i] << (same ? "" : "\n  decoded again");
  }
  EXPECT_EQ(failures, 0u) << "of " << samples.size() << " samples";
}

INSTANTIATE_TEST_SUITE_P(Processors, ImageRows,
                         testing::Values(Processor{"gfx900", 64, 0}, Processor{"gfx1010", 32, 12},
                                         Processor{"gfx1030", 32, 12}, Processor{"gfx1100", 32, 5},
                                         Processor{"gfx1150", 32, 5}, Processor{"gfx1200", 32, 5}),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace spalt::isa::test
