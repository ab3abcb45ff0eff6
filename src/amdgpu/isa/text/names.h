// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "amdgpu/isa/opcode.h"
#include "amdgpu/isa/waitcnt.h"

namespace spalt::isa {

/// A register or value with a name of its own.
struct RegisterName {
  uint16_t number;
  const char* single;
  const char* pair;  ///< name of the 64-bit register, nullptr where there is none
  bool any_width;    ///< `single` stands for a tuple of whatever width the slot has
};
std::span<const RegisterName> register_names();

/// The inline floats by code - 240, except the last one, which has more digits in 64-bit slots.
std::span<const char* const> inline_float_names();
constexpr const char* kInverseTwoPi32 = "0.15915494";
constexpr const char* kInverseTwoPi64 = "0.15915494309189532";

/// How the text writes Inst::simm16.
enum class Simm16Syntax : uint8_t {
  small,        ///< decimal to 64, then hexadecimal
  hex,          ///< hexadecimal
  label,        ///< distance in dwords
  optional,     ///< decimal, nothing for 0
  waitcnt,      ///< vmcnt(0) lgkmcnt(0)
  depctr,       ///< depctr_sa_sdst(0)
  message,      ///< sendmsg(MSG_GS, GS_OP_EMIT, 0)
  hw_register,  ///< hwreg(HW_REG_MODE, 0, 4)
  version,      ///< UC_VERSION_GFX10|UC_VERSION_W32_BIT
  delay,        ///< instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
  gpr_index     ///< gpr_idx(SRC0,DST)
};
Simm16Syntax simm16_syntax(Opcode opcode);

/// A name for a value; `name` is without the prefix that its kind has.
struct NamedValue {
  uint16_t value;
  const char* name;
};

/// Counters of s_waitcnt, in the order of the text.
struct WaitCounterName {
  const char* name;
  uint8_t WaitCounts::*count;
};
std::span<const WaitCounterName> wait_counter_names();

/// Counters of s_waitcnt_depctr, in the order of the text; without "depctr_".
struct DependencyCounter {
  const char* name;
  uint8_t shift, width;
  constexpr unsigned max() const { return (1u << width) - 1; }
};
std::span<const DependencyCounter> dependency_counters(Generation generation);

/// s_sendmsg before GFX11: id in bits 3..0, operation in 6..4, stream in 9..8.
constexpr unsigned kMessageGs = 2, kMessageGsDone = 3, kMessageSystem = 15;
/// Whether messages have operations and streams; else the id has 8 bits.
bool message_has_operation(Generation generation);
std::span<const NamedValue> message_names(Generation generation);  ///< without "MSG_"
std::span<const NamedValue> gs_operation_names();                  ///< without "GS_OP_"
std::span<const NamedValue> system_operation_names();              ///< without "SYSMSG_OP_"

/// Hardware registers of s_getreg and s_setreg, without "HW_REG_".
std::span<const NamedValue> hw_register_names(Generation generation);

/// s_delay_alu: instid0 in bits 3..0, instskip in 6..4, instid1 in 10..7; 0 has no text.
std::span<const NamedValue> delay_names();
std::span<const NamedValue> delay_skip_names();

/// Operands that s_set_gpr_idx_on and s_set_gpr_idx_mode make relative, by bit.
std::span<const char* const> gpr_index_names();

/// s_version, without "UC_VERSION_": microcode versions in bits 7..0, and flags.
std::span<const NamedValue> version_names();
std::span<const NamedValue> version_flag_names();

/// Export targets: `name`, or `name` and a number counted from `first` to `last`.
struct ExportTarget {
  const char* name;
  uint8_t first, last;
  bool numbered;
};
std::span<const ExportTarget> export_targets(Generation generation);

/// Vertex parameters of v_interp_mov by number.
std::span<const char* const> parameter_names();

/// The name of a value, or nullptr.
const char* find_name(std::span<const NamedValue> names, unsigned value);

}  // namespace spalt::isa
