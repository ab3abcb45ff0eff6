// SPDX-License-Identifier: MIT
#include "emu/wave/gpr_index.h"

#include "base/bits.h"
#include "emu/scalar/salu.h"
#include "emu/wave/handlers.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

constexpr unsigned kFirstVgpr = 256, kIndexedSources = 3, kDestinationBit = 3;

void add_use(Step& step, unsigned first, unsigned count, bool write) {
  if (step.use_count < step.uses.size()) {
    step.uses[step.use_count++] = {static_cast<uint16_t>(kFirstVgpr + first), static_cast<uint8_t>(count), write,
                                   false};
  }
}

void set_index(Wave& wave, uint32_t index) {
  wave.write_s32(isa::kM0.number, static_cast<uint32_t>(with_bits(wave.m0(), 0, 8, index)));
}
void set_enables(Wave& wave, uint32_t enables) {
  wave.write_s32(isa::kM0.number, static_cast<uint32_t>(with_bits(wave.m0(), 12, 4, enables)));
}

void on(Wave& wave, const Step& step) {
  set_index(wave, scalar_source<uint32_t>(wave, step, 0));
  set_enables(wave, scalar_source<uint32_t>(wave, step, 1));
  wave.gpr_index_enabled = true;
}
void off(Wave& wave, const Step&) {
  wave.gpr_index_enabled = false;
}
void mode(Wave& wave, const Step& step) {
  set_enables(wave, static_cast<uint32_t>(step.imm));
}
void index(Wave& wave, const Step& step) {
  set_index(wave, scalar_source<uint32_t>(wave, step, 0));
}

constexpr HandlerRow kRows[] = {
    {Op::s_set_gpr_idx_on, on},
    {Op::s_set_gpr_idx_off, off},
    {Op::s_set_gpr_idx_mode, mode},
    {Op::s_set_gpr_idx_idx, index},
};

}  // namespace

Step with_gpr_index(const Step& step, uint32_t m0, unsigned vgpr_count) {
  Step moved = step;
  const auto by = static_cast<unsigned>(bits_of(m0, 0, 8));
  const auto enabled = [m0](unsigned bit) { return bits_of(m0, 12 + bit, 1) != 0; };
  unsigned beyond = 0;
  // Scalar registers do not move, so their uses stay; those of VGPRs are listed anew.
  moved.use_count = 0;
  for (unsigned i = 0; i < step.use_count; ++i) {
    if (step.uses[i].first < kFirstVgpr) moved.uses[moved.use_count++] = step.uses[i];
  }
  for (unsigned i = 0; i < step.src_count; ++i) {
    Source& source = moved.src[i];
    if (source.kind != SourceKind::vgpr) continue;
    if (i < kIndexedSources && enabled(i)) source.index = static_cast<uint16_t>(source.index + by);
    beyond = std::max(beyond, source.index + unsigned{source.dwords});
    add_use(moved, source.index, source.dwords, false);
  }
  const bool vector_result = step.has_dst && step.inst.dst[0].is_reg() && step.inst.dst[0].reg.is_vgpr();
  if (vector_result) {
    if (enabled(kDestinationBit)) moved.dst = static_cast<uint16_t>(moved.dst + by);
    beyond = std::max(beyond, unsigned{moved.dst} + moved.dst_dwords);
    if ((step.flags & isa::kDstIsSrc) != 0) add_use(moved, moved.dst, moved.dst_dwords, false);
    add_use(moved, moved.dst, moved.dst_dwords, true);
  }
  if (beyond > vgpr_count) {
    moved.use_count = 0;
    moved.handler = execute_unsupported;
    moved.reason = "indexes a vector register beyond those that the metadata allocates";
  }
  return moved;
}

void add_gpr_index(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
