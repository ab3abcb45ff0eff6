// SPDX-License-Identifier: MIT
#include "emu/image/image_step.h"

#include "amdgpu/isa/codec/image_address.h"
#include "emu/image/image_facts.h"

namespace spalt::emu {
namespace {

constexpr unsigned kFirstVgpr = 256;

void add_address_list(Step& step, const isa::OpcodeInfo& info, const isa::Target& target) {
  const isa::Inst& inst = step.inst;
  if (inst.nsa.count == 0) return;
  const isa::ImageAddressList list = isa::image_address_list(info, inst.mods, inst.format, target.generation);
  for (unsigned i = 1; i < list.count && step.use_count < step.uses.size(); ++i) {
    const auto reg = static_cast<uint16_t>(kFirstVgpr + inst.nsa.vgprs[i - 1]);
    step.uses[step.use_count++] = {reg, list.widths[i], false, false};
  }
}

bool has_sampler(const isa::OpcodeInfo& info) {
  return info.src_count == 3 && info.src[2].type == isa::OperandType::b128;
}

void widen_gather(Step& step, const isa::OpcodeInfo& info) {
  if ((info.image_args & isa::kImageGather) == 0 || !step.inst.mods.d16 || !step.has_dst) return;
  constexpr uint8_t kRegisters = 4;
  step.dst_dwords = static_cast<uint8_t>(kRegisters + (step.inst.mods.tfe ? 1 : 0));
  for (unsigned i = 0; i < step.use_count; ++i) {
    if (step.uses[i].write) step.uses[i].count = step.dst_dwords;
  }
}

}  // namespace

void complete_image_step(Step& step, const isa::Target& target, unsigned vgpr_count) {
  if (!isa::is_image(step.inst.format)) return;
  const isa::OpcodeInfo& info = isa::info(step.inst.opcode, target.generation);
  add_address_list(step, info, target);
  const ImageFacts& facts = image_facts(target);
  if (facts.gather_d16_takes_four) widen_gather(step, info);
  if (step.has_dst && step.dst + unsigned{step.dst_dwords} > vgpr_count) {
    step.reason = "uses a vector register beyond those that the metadata allocates";
  }
  if (!has_sampler(info)) return;
  const bool two_ways = isa::may_go_as_load(step.inst.opcode, target.generation);
  step.path = two_ways ? MemoryPath::either : MemoryPath::sampler;
  // A query of the level of detail returns like a sample, although it reads no memory.
  step.step_class = StepClass::vmem_load;
}

}  // namespace spalt::emu
