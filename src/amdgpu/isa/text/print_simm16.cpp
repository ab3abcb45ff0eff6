// SPDX-License-Identifier: MIT
// Symbolic immediates of SOPP and SOPK.
#include <algorithm>

#include "amdgpu/isa/simm16.h"
#include "amdgpu/isa/text/names.h"
#include "amdgpu/isa/text/print.h"

namespace spalt::isa {
namespace {

void append_waitcnt(std::string& out, uint32_t bits, const Target& target) {
  const WaitCounts counts = decode_waitcnt(target, static_cast<uint16_t>(bits));
  const WaitCounts none = decode_waitcnt(target, 0xffff);
  const auto waits = [&](const WaitCounterName& name) { return counts.*name.count != none.*name.count; };
  const auto names = wait_counter_names();
  const bool any = std::any_of(names.begin(), names.end(), waits);
  const char* space = "";
  for (const WaitCounterName& name : names) {
    if (any && !waits(name)) continue;
    append(out, "%s%s(%u)", space, name.name, counts.*name.count);
    space = " ";
  }
}

/// s_waitcnt_depctr: dependency counters, printed where they differ from "do not wait".
void append_depctr(std::string& out, uint32_t bits, Generation generation) {
  uint32_t used = 0;
  for (const DependencyCounter& counter : dependency_counters(generation)) used |= counter.max() << counter.shift;
  if (bits & ~used) return append(out, "0x%x", bits);
  const char* space = "";
  for (const DependencyCounter& counter : dependency_counters(generation)) {
    const unsigned value = bits >> counter.shift & counter.max();
    if (value == counter.max() && bits != used) continue;
    append(out, "%sdepctr_%s(%u)", space, counter.name, value);
    space = " ";
  }
}

/// Since GFX11 a message is its id.
void append_plain_message(std::string& out, uint32_t bits, Generation generation) {
  if (bits > 255) return append(out, "%u", bits);
  const char* name = find_name(message_names(generation), bits);
  if (name != nullptr) return append(out, "sendmsg(MSG_%s)", name);
  append(out, "sendmsg(%u, 0, 0)", bits);
}

/// s_delay_alu: the parts that are not 0.
void append_delay(std::string& out, uint32_t bits) {
  const struct {
    const char *name, *kind;
    unsigned value;
    std::span<const NamedValue> names;
  } parts[] = {{"instid0", "instid", kDelayFirst.of(bits), delay_names()},
               {"instskip", "instskip", kDelaySkip.of(bits), delay_skip_names()},
               {"instid1", "instid", kDelaySecond.of(bits), delay_names()}};
  const char* separator = "";
  for (const auto& part : parts) {
    if (part.value == 0) continue;
    const char* name = find_name(part.names, part.value);
    if (name != nullptr) {
      append(out, "%s%s(%s)", separator, part.name, name);
    } else {
      append(out, "%s%s(/* invalid %s value */)", separator, part.name, part.kind);
    }
    separator = " | ";
  }
  if (*separator == '\0') out += '0';
}

void append_message(std::string& out, uint32_t bits, Generation generation) {
  if (!message_has_operation(generation)) return append_plain_message(out, bits, generation);
  const unsigned id = bits & 15, operation = bits >> 4 & 7, stream = bits >> 8 & 3;
  if (bits & ~0x37fu) return append(out, "%u", bits);
  const char* name = find_name(message_names(generation), id);
  const bool gs = id == kMessageGs || id == kMessageGsDone, system = id == kMessageSystem;
  const char* gs_operation = find_name(gs_operation_names(), operation);
  const char* system_operation = find_name(system_operation_names(), operation);
  if (gs && gs_operation != nullptr && (operation != 0 || (id == kMessageGsDone && stream == 0))) {
    append(out, "sendmsg(MSG_%s, GS_OP_%s", name, gs_operation);
    if (operation != 0) append(out, ", %u", stream);
    out += ')';
  } else if (system && stream == 0 && system_operation != nullptr) {
    append(out, "sendmsg(MSG_%s, SYSMSG_OP_%s)", name, system_operation);
  } else if (!gs && !system && name != nullptr && operation == 0 && stream == 0) {
    append(out, "sendmsg(MSG_%s)", name);
  } else {
    append(out, "sendmsg(%u, %u, %u)", id, operation, stream);
  }
}

void append_hwreg(std::string& out, uint32_t bits, Generation generation) {
  const unsigned id = kHwregId.of(bits), first = kHwregFirst.of(bits), width = kHwregWidth.of(bits) + 1;
  const char* name = find_name(hw_register_names(generation), id);
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
  if (bits & 0x1f00) return append(out, "0x%x", bits);
  const unsigned version = bits & 0xff;
  const char* name = find_name(version_names(), version);
  std::string expression;
  if (name != nullptr) {
    append(expression, "UC_VERSION_%s", name);
  } else {
    append(expression, "%u", version);
  }
  bool combined = false;
  for (const NamedValue& flag : version_flag_names()) {
    if (!(bits & flag.value)) continue;
    if (combined) expression.insert(0, "(").append(")");
    append(expression, "|UC_VERSION_%s", flag.name);
    combined = true;
  }
  out += expression;
}

}  // namespace

void append_gpr_index(std::string& out, uint32_t bits) {
  if (bits > 15) return append(out, "0x%x", bits);
  out += "gpr_idx(";
  const char* comma = "";
  for (unsigned i = 0; i < gpr_index_names().size(); ++i) {
    if (!(bits >> i & 1)) continue;
    append(out, "%s%s", comma, gpr_index_names()[i]);
    comma = ",";
  }
  out += ')';
}

void append_message_operand(std::string& out, uint32_t bits, const Target& target) {
  append_message(out, bits, target.generation);
}

void append_simm16(std::string& out, const Inst& inst, const Target& target) {
  const uint32_t bits = static_cast<uint32_t>(inst.simm16) & 0xffff;
  switch (simm16_syntax(inst.opcode)) {
    case Simm16Syntax::small:
      return append_number(out, bits);
    case Simm16Syntax::hex:
      return append(out, "0x%x", bits);
    case Simm16Syntax::label:
      return append(out, "%u", bits);
    case Simm16Syntax::optional:
      if (bits != 0) append(out, "%u", bits);
      return;
    case Simm16Syntax::waitcnt:
      return append_waitcnt(out, bits, target);
    case Simm16Syntax::depctr:
      return append_depctr(out, bits, target.generation);
    case Simm16Syntax::message:
      return append_message(out, bits, target.generation);
    case Simm16Syntax::hw_register:
      return append_hwreg(out, bits, target.generation);
    case Simm16Syntax::version:
      return append_version(out, bits);
    case Simm16Syntax::delay:
      return append_delay(out, bits);
    case Simm16Syntax::gpr_index:
      return append_gpr_index(out, bits);
  }
}

}  // namespace spalt::isa
