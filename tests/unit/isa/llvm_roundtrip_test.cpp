// SPDX-License-Identifier: MIT
// Every row of every generation in each of its formats against LLVM, both ways, in every wave size.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "amdgpu/isa/codec/codec.h"
#include "llvm_mc.h"
#include "random_inst.h"

namespace spalt::isa::test {
namespace {

constexpr unsigned kSamples = 12;    // per row and format
constexpr unsigned kShownRows = 40;  // one sample of each row that fails

struct Sample {
  Inst inst;
  std::vector<uint32_t> words;
  std::string text;
};

/// Encodings of halves that LLVM 19 lacks; halves_test.cpp has them.
bool is_newer_than_llvm(Opcode opcode, Format format) {
  const bool is_long = format == Format::vop3 || format == Format::vop3_dpp16 || format == Format::vop3_dpp8;
  return opcode == Opcode::v_swap_b16 || (opcode == Opcode::v_mov_b16 && is_long);
}

/// As LLVM 19 writes it.
std::string llvm_dialect(const Inst& inst, const std::string& text, const Target& target) {
  return info(inst.opcode, target.generation).modifiers & kModNamedHalves ? text : without_halves(text);
}

std::vector<Sample> make_samples(const Target& target, unsigned wave_size) {
  std::vector<Sample> samples;
  RandomInst random(target, wave_size, 1234 + wave_size, RandomInst::HighHalves::some);
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    for (unsigned f = 1; f < static_cast<unsigned>(Format::count); ++f) {
      const auto format = static_cast<Format>(f);
      const int number = opcode_number(opcode, format, target.generation);
      if (number < 0 || !target.has(info(opcode, target.generation).feature)) continue;
      if (is_newer_than_llvm(opcode, format)) continue;
      if (format == Format::vopd && (number > 15 || wave_size != 32)) continue;  // above are second operations
      for (unsigned sample = 0; sample < kSamples; ++sample) {
        const Inst inst = random.make(opcode, format);
        const Result<EncodedInst> encoded = encode(inst, target);
        if (!encoded) continue;
        samples.push_back({inst, {encoded->words, encoded->words + encoded->count}, to_text(inst, target)});
      }
    }
  }
  return samples;
}

std::string hex(const std::vector<uint32_t>& words) {
  std::string out;
  for (uint32_t word : words) {
    char buffer[16];
    std::snprintf(buffer, sizeof buffer, "%08x ", word);
    out += buffer;
  }
  return out;
}

bool same(const Inst& a, const Inst& b) {
  return a.opcode == b.opcode && a.opcode_y == b.opcode_y && a.format == b.format && a.dst == b.dst && a.src == b.src &&
         a.simm16 == b.simm16 && a.mods == b.mods && a.size_bytes == b.size_bytes;
}

/// Text that assembles to other bytes of the same meaning, or not at all, for a reason that is the assembler's.
bool assembler_differs(const Sample& sample, const Target& target) {
  // v_nop, v_clrexcp and v_pipeflush have one text for two encodings.
  const OpcodeInfo& facts = info(sample.inst.opcode, target.generation);
  if (sample.inst.format == Format::vop3 && facts.dst_count + facts.src_count == 0) return true;
  // LLVM 19 does not know that GFX12 reads one register for both operations (docs/isa-errata.md, "VOPD").
  Target strict = target;
  strict.dual_sources_may_be_one = false;
  if (sample.inst.format == Format::vopd && !encode(sample.inst, strict)) return true;
  // Different masks can be the same permutation, which is all that the text says.
  if (sample.inst.opcode == Opcode::ds_swizzle_b32) return (sample.inst.mods.offset & 0x8000) == 0;
  // The assembler refuses neg and abs on the literal of an f64 source.
  for (unsigned i = 0; i < facts.src_count; ++i) {
    const bool modified = (sample.inst.mods.neg | sample.inst.mods.abs) >> i & 1;
    if (facts.src[i].type == OperandType::f64 && sample.inst.src[i].is_imm() && modified) return true;
  }
  return false;
}

/// What was checked, for the log.
void print_counts(const std::vector<Sample>& samples, const Target& target, unsigned wave_size) {
  std::set<Opcode> rows;
  std::set<std::pair<Opcode, Format>> encodings;
  for (const Sample& sample : samples) {
    rows.insert(sample.inst.opcode);
    if (sample.inst.opcode_y != Opcode::invalid) rows.insert(sample.inst.opcode_y);
    encodings.insert({sample.inst.opcode, sample.inst.format});
  }
  std::printf("%s wave%u: %zu rows, %zu encodings, %zu instructions\n", target.name, wave_size, rows.size(),
              encodings.size(), samples.size());
}

struct Processor {
  const char* name;
  unsigned wave_size;
};
class LlvmRoundtrip : public testing::TestWithParam<Processor> {};

TEST_P(LlvmRoundtrip, EveryRowAgrees) {
  if (!LlvmMc::available()) GTEST_SKIP() << "llvm-mc-19 is not installed (Debian package llvm-19)";
  const unsigned wave_size = GetParam().wave_size;
  const Target& target = *find_target(GetParam().name);
  const LlvmMc llvm(target.name, wave_size);
  const std::vector<Sample> samples = make_samples(target, wave_size);
  ASSERT_GT(samples.size(), 1000u * kSamples);

  std::vector<std::vector<uint32_t>> code;
  std::vector<std::string> lines;
  for (const Sample& sample : samples) {
    code.push_back(sample.words);
    lines.push_back(llvm_dialect(sample.inst, sample.text, target));
  }
  const std::vector<std::string> texts = llvm.disassemble(code);
  const std::vector<std::vector<uint32_t>> encodings = llvm.assemble(lines);

  unsigned failures = 0, failed_rows = 0;
  std::vector<unsigned> shown(static_cast<unsigned>(Opcode::count));
  for (size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    const Result<Inst> decoded = decode(sample.words, target, wave_size);
    const bool decode_ok = decoded.ok() && same(*decoded, sample.inst);
    const bool text_ok = texts[i] == lines[i];
    const bool bytes_ok = encodings[i] == sample.words || assembler_differs(sample, target);
    if (decode_ok && text_ok && bytes_ok) continue;
    ++failures;
    if (++shown[static_cast<unsigned>(sample.inst.opcode)] > 1 || failed_rows++ >= kShownRows) continue;
    ADD_FAILURE() << hex(sample.words) << "\n  ours:     " << sample.text << "\n  LLVM:     " << texts[i]
                  << (bytes_ok ? "" : "\n  LLVM assembles our text to " + hex(encodings[i]))
                  << (decode_ok ? ""
                                : "\n  decoded again: " +
                                      (decoded.ok() ? to_text(*decoded, target) : decoded.error().message));
  }
  EXPECT_EQ(failures, 0u) << "of " << samples.size() << " samples";
  print_counts(samples, target, wave_size);
}

INSTANTIATE_TEST_SUITE_P(Processors, LlvmRoundtrip,
                         testing::Values(Processor{"gfx900", 64}, Processor{"gfx906", 64}, Processor{"gfx1010", 32},
                                         Processor{"gfx1010", 64}, Processor{"gfx1011", 32}, Processor{"gfx1013", 32},
                                         Processor{"gfx1030", 32}, Processor{"gfx1030", 64}, Processor{"gfx1100", 32},
                                         Processor{"gfx1100", 64}, Processor{"gfx1150", 32}, Processor{"gfx1150", 64},
                                         Processor{"gfx1200", 32}, Processor{"gfx1200", 64},
                                         Processor{"gfx9-generic", 64}, Processor{"gfx10-1-generic", 32},
                                         Processor{"gfx10-3-generic", 32}, Processor{"gfx11-generic", 32},
                                         Processor{"gfx12-generic", 32}),
                         [](const auto& param) {
                           std::string name = param.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name + "_wave" + std::to_string(param.param.wave_size);
                         });

}  // namespace
}  // namespace spalt::isa::test
