// SPDX-License-Identifier: MIT
#include "emu/launch/program.h"

#include <cstring>

#include "amdgpu/isa/codec/codec.h"
#include "emu/hazards/rules.h"
#include "emu/image/image_step.h"
#include "emu/vector/float_math.h"
#include "emu/wave/dual.h"
#include "emu/wave/handlers.h"

namespace spalt::emu {
namespace {

using isa::Format;
using isa::Opcode;
using isa::Operand;
using isa::OperandKind;
using isa::OperandRole;
using isa::OperandSlot;
using isa::OperandType;

bool is_dpp(Format format) {
  return format == Format::dpp16 || format == Format::dpp8 || format == Format::vop3_dpp16 ||
         format == Format::vop3_dpp8;
}

bool exists_as(Opcode opcode, Format format, const isa::Target& target) {
  return isa::opcode_number(opcode, format, target.generation) >= 0;
}

/// Whether a 16-bit result clears the other half where the target does that at all: opcodes that only VOP3 has keep it,
/// apart from those that an opcode of the same name has replaced (LLVM, SISubtarget::zeroesHigh16BitsOfDest).
bool clears_high_half(Opcode opcode, const isa::Target& target) {
  switch (opcode) {
    case Opcode::v_mad_legacy_f16:
    case Opcode::v_mad_legacy_u16:
    case Opcode::v_mad_legacy_i16:
    case Opcode::v_fma_legacy_f16:
    case Opcode::v_div_fixup_legacy_f16:
      return true;
    // LLVM AMDGPU backend, zeroesHigh16BitsOfDest.
    case Opcode::v_mac_f16:
    case Opcode::v_madmk_f16:
    case Opcode::v_madak_f16:
      return false;
    default:
      return exists_as(opcode, Format::vop1, target) || exists_as(opcode, Format::vop2, target);
  }
}

unsigned type_bits(OperandType type) {
  switch (type) {
    case OperandType::b16:
    case OperandType::i16:
    case OperandType::u16:
    case OperandType::f16:
      return 16;
    case OperandType::b64:
    case OperandType::i64:
    case OperandType::u64:
    case OperandType::f64:
      return 64;
    default:
      return 32;
  }
}

bool in_scalar_file(unsigned reg) {
  return reg <= isa::kExecHi.number;
}

// Codes of inline constants among the source operands (RDNA 2 ISA guide, "Scalar ALU operands"): 0 to 64, -1 to -16,
// and nine floats. The decoder leaves one as a register operand where its value does not fit an immediate
// (docs/isa-errata.md, "Inline constants in 64-bit slots").
constexpr unsigned kInlineZero = 128, kInline64 = 192, kInlineMinus16 = 208, kInlineFloat = 240, kInlineFloatEnd = 249;
constexpr double kInlineFloats[] = {0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0, 0.15915494309189532};
constexpr uint32_t kInlineInverse2Pi16 = 0x3118, kInlineInverse2Pi = 8;

bool is_inline_constant(unsigned reg) {
  return (reg >= kInlineZero && reg <= kInlineMinus16) || (reg >= kInlineFloat && reg < kInlineFloatEnd);
}

uint64_t inline_constant(unsigned reg, unsigned bits) {
  if (reg <= kInline64) return reg - kInlineZero;
  if (reg <= kInlineMinus16) return ~uint64_t{0} - (reg - kInline64 - 1);
  const double value = kInlineFloats[reg - kInlineFloat];
  if (bits == 64) return as_bits(value);
  if (bits == 32) return as_bits(static_cast<float>(value));
  return reg - kInlineFloat == kInlineInverse2Pi ? kInlineInverse2Pi16 : float_to_half(value, 0);
}

Source make_source(const Operand& operand, const OperandSlot& slot) {
  Source source;
  source.bits = static_cast<uint8_t>(type_bits(slot.type));
  if (operand.kind == OperandKind::none) return source;
  if (operand.is_imm()) {
    source.kind = SourceKind::constant;
    source.value = isa::immediate_value(operand, slot.type);
    source.dwords = source.bits == 64 ? 2 : 1;
    return source;
  }
  if (is_inline_constant(operand.reg.number)) {
    source.kind = SourceKind::constant;
    source.value = inline_constant(operand.reg.number, source.bits);
    source.dwords = source.bits == 64 ? 2 : 1;
    return source;
  }
  source.dwords = operand.dwords;
  if (operand.reg.is_vgpr()) {
    source.kind = SourceKind::vgpr;
    source.index = operand.reg.vgpr_index();
  } else if (in_scalar_file(operand.reg.number)) {
    source.kind = SourceKind::scalar;
    source.index = operand.reg.number;
  } else {
    source.kind = SourceKind::special;
    source.index = operand.reg.number;
  }
  return source;
}

void apply_source_modifiers(const isa::Inst& inst, unsigned index, Source& source) {
  const isa::Modifiers& mods = inst.mods;
  source.neg = (mods.neg >> index & 1) != 0;
  source.abs = (mods.abs >> index & 1) != 0;
  // op_sel selects halves of 16-bit operands; a constant has no high half to select.
  source.high_half = source.bits == 16 && (mods.op_sel >> index & 1) != 0 && source.kind != SourceKind::constant;
  if (inst.format == Format::sdwa && index < 2) {
    source.sdwa_sel = mods.src_sel[index];
    source.sign_extend = (mods.sext >> index & 1) != 0;
  }
  source.plain = !source.neg && !source.abs && !source.high_half && source.sdwa_sel == 6 && !source.sign_extend &&
                 source.bits != 16;
}

StepClass classify(const isa::Inst& inst, const isa::OpcodeInfo& info) {
  if (info.has(isa::kBranch)) return StepClass::branch;
  if (info.has(isa::kSmem)) return StepClass::smem;
  if (info.has(isa::kLds)) return StepClass::lds;
  if (info.has(isa::kVmem)) {
    if (info.has(isa::kAtomic)) return StepClass::vmem_atomic;
    if (info.has(isa::kMayStore)) return StepClass::vmem_store;
    return info.has(isa::kMayLoad) ? StepClass::vmem_load : StepClass::other;
  }
  if (info.has(isa::kValu)) return StepClass::valu;
  if (inst.format == Format::sopp) return StepClass::other;
  return StepClass::salu;
}

void add_use(Step& step, isa::Reg reg, unsigned count, bool write, bool all_lanes = false) {
  if (!reg.valid() || count == 0 || reg == isa::kNull || step.use_count == step.uses.size()) return;
  step.uses[step.use_count++] = {reg.number, static_cast<uint8_t>(count), write, all_lanes};
}

bool crosses_lanes(const isa::Inst& inst) {
  switch (inst.opcode) {
    case Opcode::v_readlane_b32:
    case Opcode::v_writelane_b32:
    case Opcode::v_readfirstlane_b32:
    case Opcode::v_permlane16_b32:
    case Opcode::v_permlanex16_b32:
    case Opcode::v_permlane16_var_b32:
    case Opcode::v_permlanex16_var_b32:
      return true;
    default:
      // Interpolation reads lanes of its quad.
      return is_dpp(inst.format) || inst.format == Format::vinterp;
  }
}

void add_uses(Step& step, const isa::OpcodeInfo& info, unsigned wave_size) {
  const isa::Inst& inst = step.inst;
  const unsigned mask_dwords = wave_size / 32;
  const bool all = crosses_lanes(inst);
  const bool swaps = info.has(isa::kSwapsOperands);
  for (const Operand& operand : inst.src) {
    if (!operand.is_reg() || is_inline_constant(operand.reg.number)) continue;
    add_use(step, operand.reg, operand.dwords, false, all && operand.reg.is_vgpr());
    if (swaps) add_use(step, operand.reg, operand.dwords, true);
  }
  for (const Operand& operand : inst.dst) {
    if (!operand.is_reg()) continue;
    // A load into half a register merges when it returns, in order with other loads; nothing is read before.
    const bool merges_on_return = info.has(isa::kMayLoad);
    if (info.has(isa::kDstIsSrc) && !merges_on_return) add_use(step, operand.reg, operand.dwords, false);
    add_use(step, operand.reg, operand.dwords, true);
  }
  if (info.has(isa::kReadsVcc)) add_use(step, isa::kVcc, mask_dwords, false);
  if (info.has(isa::kReadsM0)) add_use(step, isa::kM0, 1, false);
}

/// Whether an operand is what handlers of its slot expect; any bits may have been decoded.
bool fits_role(const Operand& operand, OperandRole role) {
  if (!operand.is_reg()) return true;
  switch (role) {
    case OperandRole::vgpr:
    case OperandRole::vdst:
      return operand.reg.is_vgpr();
    case OperandRole::sdst:
    case OperandRole::sreg:
    case OperandRole::lane_mask:
      return operand.reg.number + operand.dwords <= isa::kExecHi.number + 1;
    default:
      return true;
  }
}

const char* check_roles(const isa::Inst& inst, const isa::OpcodeInfo& info) {
  constexpr const char* kReason = "has an operand that the instruction cannot have";
  for (unsigned i = 0; i < info.src_count; ++i) {
    if (!fits_role(inst.src[i], info.src[i].role)) return kReason;
    if (info.src[i].role == OperandRole::lane_mask && !inst.src[i].is_reg()) return kReason;
  }
  for (unsigned i = 0; i < info.dst_count; ++i) {
    if (!fits_role(inst.dst[i], info.dst[i].role)) return kReason;
  }
  // There is no GDS: nothing that launches a dispatch here gives it any.
  if (inst.mods.gds) return kAccessesGds;
  return nullptr;
}

/// Register numbers stay inside the file of the wave.
const char* check_registers(const isa::Inst& inst, unsigned vgpr_count) {
  const auto outside = [vgpr_count](const Operand& operand) {
    return operand.is_reg() && operand.reg.is_vgpr() && operand.reg.vgpr_index() + operand.dwords > vgpr_count;
  };
  for (const Operand& operand : inst.src) {
    if (outside(operand)) return "uses a vector register beyond those that the metadata allocates";
  }
  for (const Operand& operand : inst.dst) {
    if (outside(operand)) return "uses a vector register beyond those that the metadata allocates";
    if (operand.is_reg() && !operand.reg.is_vgpr() && operand.reg.number + operand.dwords > 128) {
      return "writes a scalar register that does not exist";
    }
  }
  return nullptr;
}

void set_destinations(Step& step) {
  const isa::Inst& inst = step.inst;
  const auto place = [](isa::Reg reg) { return reg.is_vgpr() ? reg.vgpr_index() : reg.number; };
  if (inst.dst[0].is_reg()) {
    step.has_dst = true;
    step.dst = place(inst.dst[0].reg);
    step.dst_dwords = inst.dst[0].dwords;
  }
  if (inst.dst[1].is_reg()) {
    step.has_dst2 = true;
    step.dst2 = place(inst.dst[1].reg);
  }
}

Step fault_step(uint32_t offset, const char* reason) {
  Step step;
  step.pc = offset;
  step.handler = execute_unsupported;
  step.reason = reason;
  step.inst.opcode = Opcode::invalid;
  return step;
}

}  // namespace

Program::Program(std::span<const uint8_t> code, uint64_t base_address, const isa::Target& target, unsigned wave_size,
                 unsigned vgpr_count)
    : target_(target), wave_size_(wave_size), base_address_(base_address) {
  std::vector<uint32_t> words(code.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), code.data(), words.size() * 4);
  step_of_dword_.assign(words.size(), kNoStep);
  for (size_t position = 0; position < words.size();) {
    step_of_dword_[position] = static_cast<uint32_t>(steps_.size());
    const auto offset = static_cast<uint32_t>(position * 4);
    const Result<isa::Inst> inst = isa::decode(std::span(words).subspan(position), target, wave_size);
    if (inst) {
      const bool dual = inst->format == Format::vopd;
      steps_.push_back(dual ? make_dual_step(*inst, offset, vgpr_count) : make_step(*inst, offset, vgpr_count));
      position += inst->size_bytes / 4;
    } else {
      steps_.push_back(fault_step(offset, "is an unknown instruction"));
      ++position;
    }
  }
  // Whoever runs past the last instruction ends here.
  steps_.push_back(fault_step(static_cast<uint32_t>(words.size() * 4), "runs past the end of the code"));
  resolve_branches();
  assign_hazards(steps_, target, wave_size);
}

Step Program::make_step(const isa::Inst& inst, uint32_t offset, unsigned vgpr_count) const {
  const isa::OpcodeInfo& info = isa::info(inst.opcode, target_.generation);
  Step step;
  step.inst = inst;
  step.pc = offset;
  step.flags = info.flags;
  step.imm = inst.format == Format::sopp || inst.format == Format::sopk ? inst.simm16 : inst.mods.offset;
  // DPP forms do not say which encoding they extend.
  step.packed = exists_as(inst.opcode, Format::vop3p, target_);
  step.src_count = info.src_count;
  for (unsigned i = 0; i < info.src_count; ++i) {
    step.src[i] = make_source(inst.src[i], info.src[i]);
    if (info.has(isa::kValu) && !step.packed) apply_source_modifiers(inst, i, step.src[i]);
  }
  set_destinations(step);
  step.dst_high_half = (inst.mods.op_sel >> 3 & 1) != 0;
  step.omod = inst.mods.omod;
  step.clamp = inst.mods.clamp;
  step.sdwa = inst.format == Format::sdwa;
  step.clears_high_half = target_.clears_high_half && clears_high_half(inst.opcode, target_);
  step.step_class = classify(inst, info);
  step.waits = std::string_view(info.name).starts_with("s_wait") || std::string_view(info.name).starts_with("s_endpgm");
  add_uses(step, info, wave_size_);
  step.handler = handlers()[inst.opcode];
  step.reason = check_registers(inst, vgpr_count);
  if (step.reason == nullptr) step.reason = check_roles(inst, info);
  if (step.handler == nullptr) step.reason = why_not_executed(inst.opcode, info);
  if (step.reason == nullptr) complete_image_step(step, target_, vgpr_count);
  if (step.reason != nullptr) step.handler = execute_unsupported;
  if (is_dpp(inst.format) && step.reason == nullptr) {
    step.inner = step.handler;
    step.handler = execute_dpp;
  }
  return step;
}

Step Program::make_dual_step(const isa::Inst& inst, uint32_t offset, unsigned vgpr_count) {
  Operations operations;
  Step step;
  for (unsigned which = 0; which < operations.size(); ++which) {
    Step& operation = operations[which] = make_step(operation_of(inst, which, target_.generation), offset, vgpr_count);
    if (operation.reason != nullptr) step.reason = operation.reason;
    for (unsigned i = 0; i < operation.use_count; ++i) {
      const RegUse& use = operation.uses[i];
      add_use(step, {use.first}, use.count, use.write, use.all_lanes);
    }
  }
  step.inst = inst;
  step.pc = offset;
  step.flags = operations[0].flags | operations[1].flags;
  step.step_class = StepClass::valu;
  step.handler = step.reason == nullptr ? execute_dual : execute_unsupported;
  step.target = static_cast<uint32_t>(operations_.size());
  operations_.push_back(operations);
  return step;
}

void Program::resolve_branches() {
  for (Step& step : steps_) {
    if ((step.flags & isa::kBranch) == 0) continue;
    const int64_t target = int64_t{step.pc} + step.inst.size_bytes + int64_t{step.inst.simm16} * 4;
    const uint32_t index = target < 0 ? kNoStep : step_at(static_cast<uint64_t>(target));
    step.target = index;
  }
}

uint32_t Program::step_at(uint64_t offset) const {
  if (offset % 4 != 0) return kNoStep;
  if (offset / 4 == step_of_dword_.size()) return static_cast<uint32_t>(steps_.size() - 1);
  return offset / 4 < step_of_dword_.size() ? step_of_dword_[offset / 4] : kNoStep;
}

std::string Program::text(const Step& step) const {
  if (step.inst.opcode == Opcode::invalid) return "<no instruction>";
  return isa::to_text(step.inst, target_);
}

}  // namespace spalt::emu
