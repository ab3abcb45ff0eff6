// SPDX-License-Identifier: MIT
#include "amdgpu/mir/printer.h"

#include <charconv>
#include <string_view>

#include "amdgpu/mir/modifier_names.h"
#include "amdgpu/mir/register_names.h"

namespace spalt::mir {
namespace {

void add_number(std::string& out, uint64_t value, int base = 10) {
  char buffer[24];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, base).ptr;
  out.append(buffer, end);
}

void add_signed(std::string& out, int64_t value) {
  if (value < 0) out += '-';
  add_number(out, value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value));
}

void add_tuple(std::string& out, char file, unsigned index, unsigned dwords) {
  out += file;
  if (dwords == 1) {
    add_number(out, index);
    return;
  }
  out += '[';
  add_number(out, index);
  out += ':';
  add_number(out, index + dwords - 1);
  out += ']';
}

void add_register(std::string& out, isa::Reg reg, unsigned dwords) {
  if (reg.is_sgpr()) return add_tuple(out, 's', reg.number, dwords);
  if (reg.is_vgpr()) return add_tuple(out, 'v', reg.vgpr_index(), dwords);
  for (const NamedRegister& named : kNamedRegisters) {
    if (named.reg == reg && named.dwords == dwords) {
      out += named.name;
      return;
    }
  }
  // Special registers that no name covers, by number.
  add_tuple(out, 'x', reg.number, dwords);
}

void add_class(std::string& out, RegClass cls) {
  if (cls.is_vgpr() && cls.linear) out += 'l';
  out += cls.is_vgpr() ? 'v' : 's';
  add_number(out, cls.dwords);
}

class Printer {
 public:
  Printer(const Function& function, std::string& out) : function_(function), out_(out) {}

  void function_text() {
    out_ += "machine ";
    out_ += function_.target.name;
    out_ += " wave";
    add_number(out_, function_.wave_size);
    out_ += ' ';
    out_ += kStageNames[static_cast<unsigned>(function_.stage)];
    out_ += '\n';
    facts();
    if (function_.scratch_descriptor.valid()) {
      out_ += "scratch ";
      add_register(out_, function_.scratch_descriptor, 4);
      out_ += '\n';
    }
    if (function_.jump_pair.valid()) {
      out_ += "jump ";
      add_register(out_, function_.jump_pair, 2);
      out_ += '\n';
    }
    if (function_.follows_code) out_ += "follows_code\n";
    hints();
    for (BlockId id : function_.layout) block(id);
  }

  void inst(InstId id) {
    const Inst& inst = function_.insts[id];
    bool first = true;
    for (const Operand& def : function_.defs(id)) {
      if (!first) out_ += ", ";
      first = false;
      operand(def);
    }
    if (!first) out_ += " = ";
    out_ += name(inst.opcode);
    if (combines(inst.opcode)) {
      out_ += ' ';
      out_ += name(static_cast<Opcode>(inst.simm16));
    }
    first = true;
    for (const Operand& use : function_.uses(id)) {
      out_ += first ? " " : ", ";
      first = false;
      operand(use);
    }
    if (inst.simm16 != 0 && !combines(inst.opcode)) {
      out_ += " simm=";
      add_signed(out_, inst.simm16);
    }
    if (inst.has_modifiers()) modifiers(function_.modifiers(inst));
    if (inst.dual) out_ += " dual";
    if (inst.memory != 0) memory(inst.memory);
    if (inst.origin == 0) return;
    out_ += " origin=";
    add_number(out_, inst.origin);
  }

  void operand(const Operand& operand) {
    if (operand.tied) out_ += "tied ";
    switch (operand.kind) {
      case Operand::Kind::none:
        out_ += "none";
        break;
      case Operand::Kind::vreg:
        vreg(operand);
        break;
      case Operand::Kind::reg:
        add_register(out_, operand.reg, operand.dwords);
        break;
      case Operand::Kind::imm:
        out_ += "0x";
        add_number(out_, operand.value, 16);
        break;
      case Operand::Kind::block:
        block_name(operand.block());
        break;
      case Operand::Kind::table:
        out_ += "table";
        break;
      case Operand::Kind::undef:
        out_ += "undef";
        if (operand.dwords != 1) {
          out_ += ':';
          add_number(out_, operand.dwords);
        }
        break;
    }
  }

 private:
  void vreg(const Operand& operand) {
    out_ += '%';
    add_number(out_, operand.value);
    out_ += ':';
    if (function_.vregs.contains(operand.vreg())) {
      add_class(out_, function_.vregs[operand.vreg()].cls);
    } else {
      out_ += "bad";
    }
    if (operand.reg.valid()) {
      out_ += '@';
      add_register(out_, operand.reg, operand.dwords);
    }
  }

  void block_name(BlockId id) {
    out_ += 'b';
    add_number(out_, id.index);
  }

  void facts() {
    const ProgramFacts& facts = function_.facts;
    std::string line;
    const auto fact = [&line](const char* name, uint32_t value) {
      if (value == 0) return;
      line += ' ';
      line += name;
      line += '=';
      add_number(line, value);
    };
    fact("sgpr_count", facts.sgpr_count);
    fact("vgpr_count", facts.vgpr_count);
    fact("uses_vcc", facts.uses_vcc ? 1 : 0);
    fact("spilled_sgprs", facts.spilled_sgprs);
    fact("spilled_vgprs", facts.spilled_vgprs);
    fact("scratch_bytes", facts.scratch_bytes);
    fact("lds_bytes", facts.lds_bytes);
    if (!line.empty()) out_ += "facts" + line + "\n";
  }

  void hints() {
    for (uint32_t i = 0; i < function_.vregs.size(); ++i) {
      const VRegInfo& info = function_.vregs[VReg(i)];
      if (!info.hint.valid()) continue;
      out_ += "hint %";
      add_number(out_, i);
      out_ += ':';
      add_class(out_, info.cls);
      out_ += ' ';
      add_register(out_, info.hint, info.cls.dwords);
      out_ += '\n';
    }
  }

  void block(BlockId id) {
    const Block& block = function_.blocks[id];
    block_name(id);
    out_ += ':';
    if (block.loop_header) out_ += " loop_header";
    if (block.loop_depth != 0) {
      out_ += " depth=";
      add_number(out_, block.loop_depth);
    }
    edges("logical", block.logical_preds, block.logical_succs);
    edges("linear", block.linear_preds, block.linear_succs);
    out_ += '\n';
    for (InstId inst_id : block.insts) {
      out_ += "  ";
      inst(inst_id);
      out_ += '\n';
    }
  }

  void edges(const char* name, std::span<const BlockId> preds, std::span<const BlockId> succs) {
    if (preds.empty() && succs.empty()) return;
    out_ += ' ';
    out_ += name;
    out_ += '(';
    block_list(preds);
    out_ += preds.empty() ? "->" : " ->";
    if (!succs.empty()) out_ += ' ';
    block_list(succs);
    out_ += ')';
  }

  void block_list(std::span<const BlockId> ids) {
    bool first = true;
    for (BlockId id : ids) {
      if (!first) out_ += ", ";
      first = false;
      block_name(id);
    }
  }

  void modifiers(const isa::Modifiers& mods) {
    // The defaults in the same order, to compare field by field.
    std::array<int64_t, 64> defaults{};
    unsigned count = 0;
    for_each_modifier(isa::kNoModifiers, [&](const char*, const auto& field) { defaults[count++] = field; });
    unsigned index = 0;
    for_each_modifier(mods, [&](const char* field_name, const auto& field) {
      const int64_t value = field;
      if (value == defaults[index++]) return;
      out_ += ' ';
      out_ += field_name;
      if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(field)>, bool>) {
        out_ += '=';
        add_signed(out_, value);
      }
    });
  }

  void memory(uint16_t bits) {
    out_ += " mem(";
    bool first = true;
    for (unsigned i = 0; i < std::size(kMemoryNames); ++i) {
      if ((bits >> i & 1) == 0) continue;
      if (!first) out_ += ", ";
      first = false;
      out_ += kMemoryNames[i];
    }
    out_ += ')';
  }

  const Function& function_;
  std::string& out_;
};

}  // namespace

std::string print(const Function& function) {
  std::string out;
  Printer(function, out).function_text();
  return out;
}

std::string print_inst(const Function& function, InstId id) {
  std::string out;
  Printer(function, out).inst(id);
  return out;
}

std::string print_operand(const Function& function, const Operand& operand) {
  std::string out;
  Printer(function, out).operand(operand);
  return out;
}

std::string register_name(isa::Reg reg, unsigned dwords) {
  std::string out;
  add_register(out, reg, dwords);
  return out;
}

}  // namespace spalt::mir
