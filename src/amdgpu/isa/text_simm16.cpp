// SPDX-License-Identifier: MIT
// Symbolic immediates of SOPP and SOPK.
#include <algorithm>
#include <iterator>

#include "amdgpu/isa/text_internal.h"

namespace spalt::isa {
namespace {

void append_waitcnt(std::string& out, uint32_t bits) {
  const unsigned vmcnt = (bits & 15) | (bits >> 14 & 3) << 4, expcnt = bits >> 4 & 7, lgkmcnt = bits >> 8 & 63;
  const bool all = vmcnt == 63 && expcnt == 7 && lgkmcnt == 63;
  const char* space = "";
  const auto counter = [&](const char* name, unsigned value, unsigned none) {
    if (value == none && !all) return;
    append(out, "%s%s(%u)", space, name, value);
    space = " ";
  };
  counter("vmcnt", vmcnt, 63);
  counter("expcnt", expcnt, 7);
  counter("lgkmcnt", lgkmcnt, 63);
}

/// s_waitcnt_depctr: dependency counters, printed where they differ from "do not wait".
void append_depctr(std::string& out, uint32_t bits) {
  struct Counter {
    const char* name;
    uint8_t shift, width;
  };
  static constexpr Counter kCounters[] = {{"hold_cnt", 7, 1}, {"sa_sdst", 0, 1}, {"va_vdst", 12, 4}, {"va_sdst", 9, 3},
                                          {"va_ssrc", 8, 1},  {"va_vcc", 1, 1},  {"vm_vsrc", 2, 3}};
  constexpr uint32_t kUsed = 0xff9f;
  if (bits & ~kUsed) return append(out, "0x%x", bits);
  const char* space = "";
  for (const Counter& counter : kCounters) {
    const unsigned none = (1u << counter.width) - 1, value = bits >> counter.shift & none;
    if (value == none && bits != kUsed) continue;
    append(out, "%sdepctr_%s(%u)", space, counter.name, value);
    space = " ";
  }
}

const char* message_name(unsigned id) {
  static constexpr const char* kNames[16] = {nullptr,
                                             "MSG_INTERRUPT",
                                             "MSG_GS",
                                             "MSG_GS_DONE",
                                             "MSG_SAVEWAVE",
                                             "MSG_STALL_WAVE_GEN",
                                             "MSG_HALT_WAVES",
                                             "MSG_ORDERED_PS_DONE",
                                             "MSG_EARLY_PRIM_DEALLOC",
                                             "MSG_GS_ALLOC_REQ",
                                             "MSG_GET_DOORBELL",
                                             "MSG_GET_DDID",
                                             nullptr,
                                             nullptr,
                                             nullptr,
                                             "MSG_SYSMSG"};
  return kNames[id & 15];
}

const char* system_operation(unsigned operation) {
  switch (operation) {
    case 1:
      return "SYSMSG_OP_ECC_ERR_INTERRUPT";
    case 2:
      return "SYSMSG_OP_REG_RD";
    case 4:
      return "SYSMSG_OP_TTRACE_PC";
    default:
      return nullptr;
  }
}

/// id in bits 3..0, operation in 6..4, stream in 9..8.
void append_message(std::string& out, uint32_t bits) {
  static constexpr const char* kGsOperations[] = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"};
  constexpr unsigned kGs = 2, kGsDone = 3, kSystem = 15;
  const unsigned id = bits & 15, operation = bits >> 4 & 7, stream = bits >> 8 & 3;
  if (bits & ~0x37fu) return append(out, "%u", bits);
  const char* name = message_name(id);
  const bool gs = id == kGs || id == kGsDone;
  if (gs && operation < 4 && (operation != 0 || (id == kGsDone && stream == 0))) {
    append(out, "sendmsg(%s, %s", name, kGsOperations[operation]);
    if (operation != 0) append(out, ", %u", stream);
    out += ')';
  } else if (id == kSystem && stream == 0 && system_operation(operation) != nullptr) {
    append(out, "sendmsg(%s, %s)", name, system_operation(operation));
  } else if (!gs && id != kSystem && name != nullptr && operation == 0 && stream == 0) {
    append(out, "sendmsg(%s)", name);
  } else {
    append(out, "sendmsg(%u, %u, %u)", id, operation, stream);
  }
}

/// id in bits 5..0, first bit in 10..6, width minus one in 15..11.
void append_hwreg(std::string& out, uint32_t bits) {
  static constexpr const char* kNames[32] = {
      nullptr,  "MODE",        "STATUS", "TRAPSTS", nullptr,       "GPR_ALLOC",     "LDS_ALLOC", "IB_STS",
      nullptr,  nullptr,       nullptr,  nullptr,   nullptr,       nullptr,         nullptr,     "SH_MEM_BASES",
      "TBA_LO", "TBA_HI",      "TMA_LO", "TMA_HI",  "FLAT_SCR_LO", "FLAT_SCR_HI",   nullptr,     "HW_ID1",
      "HW_ID2", "POPS_PACKER", nullptr,  nullptr,   nullptr,       "SHADER_CYCLES", nullptr,     nullptr};
  const unsigned id = bits & 63, first = bits >> 6 & 31, width = (bits >> 11) + 1;
  const char* name = id < 32 ? kNames[id] : nullptr;
  out += "hwreg(";
  if (name != nullptr) {
    append(out, "HW_REG_%s", name);
  } else {
    append(out, "%u", id);
  }
  if (first != 0 || width != 32) append(out, ", %u, %u", first, width);
  out += ')';
}

/// Small numbers in decimal, others in hexadecimal.
void append_number(std::string& out, uint32_t bits) {
  append(out, bits <= 64 ? "%u" : "0x%x", bits);
}

/// s_version: microcode version in bits 7..0, then flags.
void append_version(std::string& out, uint32_t bits) {
  struct Name {
    uint16_t value;
    const char* name;
  };
  static constexpr Name kVersions[] = {{0, "GFX7"}, {4, "GFX10"}, {6, "GFX11"}, {9, "GFX12"}};
  static constexpr Name kFlags[] = {{1u << 13, "W64_BIT"}, {1u << 14, "W32_BIT"}, {1u << 15, "MDP_BIT"}};
  if (bits & 0x1f00) return append(out, "0x%x", bits);
  const unsigned version = bits & 0xff;
  const Name* found =
      std::find_if(std::begin(kVersions), std::end(kVersions), [&](const Name& name) { return name.value == version; });
  std::string expression;
  if (found != std::end(kVersions)) {
    append(expression, "UC_VERSION_%s", found->name);
  } else {
    append(expression, "%u", version);
  }
  bool combined = false;
  for (const Name& flag : kFlags) {
    if (!(bits & flag.value)) continue;
    if (combined) expression = "(" + expression + ")";
    append(expression, "|UC_VERSION_%s", flag.name);
    combined = true;
  }
  out += expression;
}

}  // namespace

void append_simm16(std::string& out, const Inst& inst) {
  const uint32_t bits = static_cast<uint32_t>(inst.simm16) & 0xffff;
  switch (inst.opcode) {
    case Opcode::s_waitcnt:
      return append_waitcnt(out, bits);
    case Opcode::s_waitcnt_depctr:
      return append_depctr(out, bits);
    case Opcode::s_sendmsg:
    case Opcode::s_sendmsghalt:
      return append_message(out, bits);
    case Opcode::s_getreg_b32:
    case Opcode::s_setreg_b32:
    case Opcode::s_setreg_imm32_b32:
      return append_hwreg(out, bits);
    case Opcode::s_version:
      return append_version(out, bits);
    case Opcode::s_endpgm:
      if (bits != 0) append(out, "%u", bits);
      return;
    case Opcode::s_inst_prefetch:
    case Opcode::s_clause:
    case Opcode::s_round_mode:
    case Opcode::s_ttracedata_imm:
      return append(out, "0x%x", bits);
    default:
      break;
  }
  const OperandRole role = info(inst.opcode).src[info(inst.opcode).src_count - 1].role;
  if (role == OperandRole::label) return append(out, "%u", bits);
  if (inst.format == Format::sopk) return append(out, "0x%x", bits);
  append_number(out, bits);
}

}  // namespace spalt::isa
