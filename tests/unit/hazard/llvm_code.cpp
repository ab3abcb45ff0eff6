// SPDX-License-Identifier: MIT
#include "llvm_code.h"

#include <cstring>
#include <random>
#include <stdexcept>
#include <vector>

#include "../command.h"
#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/opcode_tables.h"

namespace spalt::hazard::test {
namespace {

using mir::Operand;

// ---- random modules ----

/// Writes one function. Values are chosen among the last few, so that results are used soon.
class Generator {
 public:
  Generator(std::string& out, uint32_t seed) : out_(out), random_(seed) {}

  void function(unsigned number) {
    out_ += "define amdgpu_kernel void @f" + std::to_string(number) +
            "(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias %in, i32 %s0, i32 %s1, float %s2, float %s3, i64 "
            "%s4) {\n  %t = call i32 @llvm.amdgcn.workitem.id.x()\n";
    ints_ = {"%t"};
    floats_.clear();
    uniform_ints_ = {"%s0", "%s1"};
    uniform_floats_ = {"%s2", "%s3"};
    longs_ = {"%s4"};
    doubles_.clear();
    for (unsigned i = 0; i < 3; ++i) load();
    const unsigned count = 12 + pick(40);
    for (unsigned i = 0; i < count; ++i) operation();
    // What nobody uses would not be compiled.
    for (const auto& [type, values] :
         {std::pair("i32", &ints_), std::pair("float", &floats_), std::pair("i64", &longs_),
          std::pair("double", &doubles_), std::pair("i32", &uniform_ints_)}) {
      for (size_t i = values->size() > 4 ? values->size() - 4 : 0; i < values->size(); ++i) store(type, (*values)[i]);
    }
    out_ += "  ret void\n}\n";
  }

 private:
  using Values = std::vector<std::string>;

  unsigned pick(unsigned count) { return random_() % count; }
  std::string recent(const Values& values) {
    const unsigned range = std::min<unsigned>(static_cast<unsigned>(values.size()), pick(4) == 0 ? 16 : 3);
    return values[values.size() - 1 - pick(range)];
  }
  std::string fresh() { return "%v" + std::to_string(next_++); }
  std::string let(const std::string& expression) {
    const std::string name = fresh();
    out_ += "  " + name + " = " + expression + "\n";
    return name;
  }
  std::string address(const char* base) {
    const std::string index = let("zext i32 %t to i64");
    return let(std::string("getelementptr i64, ptr addrspace(1) ") + base + ", i64 " + index);
  }
  void load() {
    const std::string place = address("%in");
    const std::string at =
        let("getelementptr i64, ptr addrspace(1) " + place + ", i64 " + std::to_string(pick(64) * 64));
    const std::string value = let("load i32, ptr addrspace(1) " + at);
    ints_.push_back(value);
    floats_.push_back(let("bitcast i32 " + value + " to float"));
    doubles_.push_back(let("load double, ptr addrspace(1) " + at));
  }
  void store(const std::string& type, const std::string& value) {
    const std::string at =
        let("getelementptr i64, ptr addrspace(1) " + address("%out") + ", i64 " + std::to_string(stores_++ * 64));
    out_ += "  store " + type + " " + value + ", ptr addrspace(1) " + at + "\n";
  }

  std::string integer_operation(const std::string& type, const std::string& a, const std::string& b) {
    static const char* const kNames[] = {"add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr"};
    const char* name = kNames[pick(std::size(kNames))];
    return let(std::string(name) + " " + type + " " + a + ", " +
               (std::strstr(name, "sh") ? std::to_string(1 + pick(30)) : b));
  }
  std::string float_operation(const std::string& a, const std::string& b) {
    static const char* const kNames[] = {"fadd", "fsub", "fmul"};
    return let(std::string(kNames[pick(3)]) + " float " + a + ", " + b);
  }
  std::string call(const std::string& type, const std::string& name, const std::string& arguments) {
    return let("call " + type + " @llvm." + name + "(" + arguments + ")");
  }

  void operation() {
    const std::string a = recent(ints_), b = recent(ints_), x = recent(floats_), y = recent(floats_);
    const std::string u = recent(uniform_ints_), f = recent(uniform_floats_);
    switch (pick(20)) {
      case 0:
      case 1:
      case 2:
        ints_.push_back(integer_operation("i32", a, pick(3) == 0 ? u : b));
        break;
      case 3:
      case 4:
        floats_.push_back(float_operation(x, pick(3) == 0 ? f : y));
        break;
      case 5:
        floats_.push_back(call("float", "fma.f32", "float " + x + ", float " + y + ", float " + recent(floats_)));
        break;
      case 6:
      case 7: {
        static const char* const kNames[] = {"rcp", "exp2", "log", "sqrt", "sin", "rsq"};
        floats_.push_back(
            call("float", std::string("amdgcn.") + kNames[pick(std::size(kNames))] + ".f32", "float " + x));
        break;
      }
      case 8:
      case 9:
      case 10:
        uniform_ints_.push_back(integer_operation("i32", u, recent(uniform_ints_)));
        break;
      case 11:
        uniform_floats_.push_back(float_operation(f, recent(uniform_floats_)));
        break;
      case 12:
        ints_.push_back(let("select i1 " + let("icmp slt i32 " + a + ", " + b) + ", i32 " + b + ", i32 " + u));
        break;
      case 13:
        uniform_ints_.push_back(call("i32", "amdgcn.readfirstlane.i32", "i32 " + a));
        break;
      case 14:
        doubles_.push_back(let("fadd double " + recent(doubles_) + ", " + recent(doubles_)));
        break;
      case 15:
        longs_.push_back(let("add i64 " + recent(longs_) + ", " + let("zext i32 " + a + " to i64")));
        break;
      case 16:
        ints_.push_back(let("bitcast float " + x + " to i32"));
        floats_.push_back(let("sitofp i32 " + a + " to float"));
        break;
      case 17:
        load();
        break;
      case 18: {
        const std::string at = let("getelementptr i32, ptr addrspace(3) @shared, i32 " + let("and i32 " + a + ", 255"));
        out_ += "  store i32 " + b + ", ptr addrspace(3) " + at + "\n";
        if (pick(2) == 0) ints_.push_back(let("load i32, ptr addrspace(3) " + at));
        break;
      }
      default:
        floats_.push_back(call("float", "maxnum.f32", "float " + x + ", float " + y));
    }
  }

  std::string& out_;
  std::mt19937 random_;
  unsigned next_ = 0, stores_ = 0;
  Values ints_, floats_, uniform_ints_, uniform_floats_, longs_, doubles_;
};

// ---- machine code to machine IR ----

mir::Operand physical(const isa::Operand& operand) {
  if (operand.is_reg()) return Operand::physical(operand.reg, operand.dwords);
  return operand.is_imm() ? Operand::immediate(operand.imm) : Operand();
}

void append(mir::Function& function, mir::BlockId block, const isa::Inst& inst, bool dual) {
  const isa::OpcodeInfo& info = isa::info(inst.opcode);
  std::vector<Operand> defs, uses;
  for (unsigned i = 0; i < info.dst_count; ++i) defs.push_back(physical(inst.dst[i]));
  for (unsigned i = 0; i < info.src_count; ++i) {
    if (info.src[i].role != isa::OperandRole::simm16) uses.push_back(physical(inst.src[i]));
  }
  const unsigned mask_dwords = function.wave_size / 32;
  if (info.has(isa::kWritesScc)) defs.push_back(Operand::physical(isa::kScc));
  if (info.has(isa::kWritesVcc)) defs.push_back(Operand::physical(isa::kVcc, mask_dwords));
  if (info.has(isa::kWritesExec)) defs.push_back(Operand::physical(isa::kExec, mask_dwords));
  if (info.has(isa::kReadsScc)) uses.push_back(Operand::physical(isa::kScc));
  if (info.has(isa::kReadsVcc)) uses.push_back(Operand::physical(isa::kVcc, mask_dwords));
  if (info.has(isa::kReadsExec)) uses.push_back(Operand::physical(isa::kExec, mask_dwords));
  if (info.has(isa::kDstIsSrc)) uses.push_back(physical(inst.dst[0]));
  const mir::InstId id = function.append(block, mir::from_isa(inst.opcode), defs, uses);
  function.insts[id].simm16 = inst.simm16;
  function.set_modifiers(id, inst.mods);
  function.insts[id].dual = dual;
}

/// One operation of a pair. Their sources follow each other; the mask of v_dual_cndmask is vcc.
isa::Inst half_of(const isa::Inst& pair, unsigned which) {
  isa::Inst half;
  unsigned next = 0;
  for (unsigned h = 0; h <= which; ++h) {
    half.opcode = h == 0 ? pair.opcode : pair.opcode_y;
    half.dst[0] = pair.dst[h];
    const isa::OpcodeInfo& info = isa::info(half.opcode);
    for (unsigned i = 0; i < info.src_count; ++i) {
      const bool mask = info.src[i].role == isa::OperandRole::lane_mask;
      half.src[i] = mask ? isa::Operand::of(isa::kVcc) : pair.src[next++];
    }
  }
  return half;
}

std::vector<uint32_t> text_section(const std::string& module, const isa::Target& target, unsigned wave_size) {
  const std::vector<uint8_t> source(module.begin(), module.end());
  const std::string printed = spalt::test::output_of(
      std::string("f() { llc-19 -mtriple=amdgcn-amd-amdpal -filetype=obj -O2 -mcpu=") + target.name +
          " -mattr=+wavefrontsize" + std::to_string(wave_size) +
          " -o $1.o $1 && llvm-objcopy-19 -O binary --only-section=.text $1.o $1.b && od -An -v -tx4 -w4 $1.b; "
          "rm -f $1.o $1.b; }; f",
      source);
  std::vector<uint32_t> words;
  const char* at = printed.c_str();
  for (char* end = nullptr;; at = end) {
    const unsigned long word = std::strtoul(at, &end, 16);
    if (end == at) break;
    words.push_back(static_cast<uint32_t>(word));
  }
  if (words.empty() || std::strspn(at, " \n") != std::strlen(at)) throw std::runtime_error(printed.substr(0, 2000));
  return words;
}

}  // namespace

std::string random_module(unsigned functions, uint32_t seed) {
  std::string out = "@shared = internal addrspace(3) global [256 x i32] poison\n";
  for (unsigned i = 0; i < functions; ++i) Generator(out, seed + i).function(i);
  out += "declare i32 @llvm.amdgcn.workitem.id.x()\ndeclare i32 @llvm.amdgcn.readfirstlane.i32(i32)\n";
  out += "declare float @llvm.fma.f32(float, float, float)\ndeclare float @llvm.maxnum.f32(float, float)\n";
  for (const char* name : {"rcp", "exp2", "log", "sqrt", "sin", "rsq"}) {
    out += std::string("declare float @llvm.amdgcn.") + name + ".f32(float)\n";
  }
  return out;
}

std::vector<Program> compile_with_llvm(const std::string& module, const isa::Target& target, unsigned wave_size) {
  const std::vector<uint32_t> words = text_section(module, target, wave_size);
  std::vector<Program> programs;
  bool open = false;
  uint16_t delay = 0;
  for (size_t at = 0; at < words.size();) {
    const Result<isa::Inst> inst = isa::decode(std::span(words).subspan(at), target, wave_size);
    if (!inst) throw std::runtime_error(inst.error().message);
    at += inst->size_bytes / 4;
    if (inst->opcode == isa::Opcode::s_code_end || (!open && inst->opcode == isa::Opcode::s_nop)) continue;
    if (!open) {
      programs.push_back({mir::Function(target, wave_size), {}, {}});
      programs.back().function.stage = mir::Stage::final;
      programs.back().function.layout.push_back(programs.back().function.create_block());
    }
    Program& program = programs.back();
    open = inst->opcode != isa::Opcode::s_endpgm;
    if (inst->opcode == isa::Opcode::s_delay_alu) {
      delay = static_cast<uint16_t>(inst->simm16);
      continue;
    }
    program.insts.push_back(*inst);
    program.delays.push_back(delay);
    delay = 0;
    const mir::BlockId block = program.function.layout[0];
    if (inst->opcode_y == isa::Opcode::invalid) {
      append(program.function, block, *inst, false);
    } else {
      append(program.function, block, half_of(*inst, 0), true);
      append(program.function, block, half_of(*inst, 1), false);
    }
  }
  return programs;
}

std::vector<uint16_t> delays_of(const mir::Function& function) {
  std::vector<uint16_t> delays;
  uint16_t delay = 0;
  bool second = false;
  for (mir::InstId id : function.blocks[function.layout[0]].insts) {
    const mir::Inst& inst = function.insts[id];
    if (inst.opcode == mir::Opcode::s_delay_alu) {
      delay = static_cast<uint16_t>(inst.simm16);
      continue;
    }
    if (!second) delays.push_back(delay);
    delay = 0;
    second = inst.dual;
  }
  return delays;
}

}  // namespace spalt::hazard::test
