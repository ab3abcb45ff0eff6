// SPDX-License-Identifier: MIT
#include "scalar_row.h"

#include <cstdio>

#include "amdgpu/isa/codec/codec.h"
#include "operand_model.h"
#include "real.h"
#include "values.h"

namespace spalt::semantics {
namespace {

using isa::Operand;
using isa::OperandRole;
using isa::OperandType;

constexpr unsigned kDestination = 20, kFirstSource = 8, kRuns = 24;

/// Kinds of operands that a form tries in its sources.
enum class Kind : uint8_t { registers, constant, literal, float_constant };

class ScalarRun {
 public:
  ScalarRun(const ScalarRow& row, Format format, Trial& trial)
      : row_(row), trial_(trial), info_(isa::info(row.opcode, trial.target.generation)) {
    inst_.opcode = row.opcode;
    inst_.format = format;
  }

  void run(Kind kind, bool must_encode) {
    build(kind);
    const Machine probe(trial_.target, trial_.wave_size, {&inst_, 1});
    if (!probe.error().empty()) {
      if (must_encode) trial_.fail("cannot be encoded: " + probe.error());
      return;
    }
    for (unsigned i = 0; i < (kind == Kind::registers ? kRuns : 2); ++i) {
      build(kind);
      Machine machine(trial_.target, trial_.wave_size, {&inst_, 1});
      if (machine.error().empty()) run_once(machine);
    }
  }

 private:
  unsigned dwords(OperandType type) const {
    const unsigned count = isa::type_dwords(type, trial_.wave_size);
    return count == 0 ? 1 : count;
  }
  uint64_t input(unsigned source) {
    if (row_.inputs) return row_.inputs(source, trial_.random);
    return sample(info_.src[source].type, trial_.random);
  }

  void build(Kind kind) {
    const uint32_t random = trial_.random();
    if (info_.dst_count > 0) inst_.dst[0] = Operand::of(isa::sgpr(kDestination), dwords(info_.dst[0].type));
    const unsigned chosen = random % 2;
    for (unsigned i = 0; i < info_.src_count; ++i) {
      const isa::OperandSlot& slot = info_.src[i];
      if (slot.role == OperandRole::simm16) continue;
      if (slot.role == OperandRole::constant) {
        inst_.src[i] = Operand::of_literal(static_cast<uint32_t>(input(i)));
        continue;
      }
      inst_.src[i] = Operand::of(isa::sgpr(kFirstSource + 4 * i), dwords(slot.type));
      if (slot.role != OperandRole::ssrc || kind == Kind::registers || (info_.src_count > 1 && i != chosen)) continue;
      if (kind == Kind::literal) {
        inst_.src[i] = Operand::of_literal(0x41234567 ^ (random & 0xff00ff));
      } else {
        const unsigned number = kind == Kind::float_constant ? 240 + random % 9 : 128 + random % 81;
        inst_.src[i] = Operand::of(isa::Reg{static_cast<uint16_t>(number)}, dwords(slot.type));
      }
    }
    if (inst_.format == Format::sopk) inst_.simm16 = static_cast<int16_t>(random >> 16);
  }

  void run_once(Machine& machine) {
    std::mt19937& random = trial_.random;
    State before = junk_state(trial_.wave_size, random());
    before.mode = random() & (trial_.target.has_clamp_mode ? 0x3ffu : 0xffu);
    if (random() % 3 == 0) before.set_pair(isa::kExec.number, random() % 2 == 0 ? 0 : random());
    for (unsigned i = 0; i < info_.src_count; ++i) {
      const Operand& operand = inst_.src[i];
      if (!operand.is_reg() || operand.reg.number >= 128) continue;
      const uint64_t value = input(i);
      before.s[operand.reg.number] = static_cast<uint32_t>(value);
      if (operand.dwords == 2) before.s[operand.reg.number + 1] = static_cast<uint32_t>(value >> 32);
    }
    if (info_.has(isa::kDstIsSrc)) {
      before.set_pair(kDestination, row_.inputs ? row_.inputs(2, random) : sample(info_.dst[0].type, random));
    }
    State want = before;
    const ScalarIn in = input_of(before);
    const ScalarOut out = row_.reference(in);
    State after = before;
    const std::string fault = machine.run(after);
    if (!fault.empty()) return trial_.fail(fault);
    trial_.checked();
    if (out.d) write(want, after, *out.d, out.unknown);
    if (out.scc) want.scc = *out.scc;
    if (out.exec) set_exec(want, *out.exec);
    const std::string wrong = difference(after, want, trial_.wave_size);
    if (wrong.empty()) return;
    char text[160];
    std::snprintf(text, sizeof text, "; sources %llx %llx %llx, old %llx, scc %d, exec %llx, mode %x",
                  static_cast<unsigned long long>(in.a), static_cast<unsigned long long>(in.b),
                  static_cast<unsigned long long>(in.c), static_cast<unsigned long long>(in.old), in.scc ? 1 : 0,
                  static_cast<unsigned long long>(in.exec), in.mode);
    trial_.fail(machine.text() + ": " + wrong + text);
  }

  /// Instructions of 32 bits see and change the low half of exec whatever the wave size.
  bool wide_exec() const { return info_.dst_count > 0 && isa::type_dwords(info_.dst[0].type, 64) == 2; }
  void set_exec(State& state, uint64_t value) const {
    state.s[isa::kExec.number] = static_cast<uint32_t>(value);
    if (wide_exec()) state.s[isa::kExecHi.number] = static_cast<uint32_t>(value >> 32);
  }

  ScalarIn input_of(const State& state) const {
    ScalarIn in;
    uint64_t* const values[] = {&in.a, &in.b, &in.c};
    unsigned count = 0;
    for (unsigned i = 0; i < info_.src_count && count < 3; ++i) {
      if (info_.src[i].role == OperandRole::simm16) continue;
      *values[count++] = source_value(state, inst_, i, info_.src[i].type, 0, trial_.wave_size);
    }
    in.old = state.pair(kDestination);
    in.scc = state.scc;
    in.exec = wide_exec() ? state.pair(isa::kExec.number) : state.s[isa::kExec.number];
    in.imm = static_cast<uint16_t>(inst_.simm16);
    in.mode = state.mode;
    in.inst = &inst_;
    in.target = &trial_.target;
    return in;
  }

  void write(State& want, const State& after, uint64_t value, bool unknown) const {
    const OperandType type = info_.dst[0].type;
    const unsigned count = dwords(type);
    const uint64_t got = after.pair(kDestination);
    if (row_.is_float) {
      const bool half = slot_bits(type) == 16, pair = type == OperandType::f16x2;
      const FloatFormat format = half || pair ? kF16 : kF32;
      if (half) value = (value & 0xffff) | (got & 0xffff0000u);
      if (format.is_nan(value & (2 * format.sign_bit() - 1)) && format.is_nan(got & (2 * format.sign_bit() - 1))) {
        value = (value & ~(2 * format.sign_bit() - 1)) | (got & (2 * format.sign_bit() - 1));
      }
      if (pair && kF16.is_nan(value >> 16 & 0xffff) && kF16.is_nan(got >> 16 & 0xffff)) {
        value = (value & 0xffff) | (got & 0xffff0000u);
      }
    }
    if (unknown) value = got;
    want.s[kDestination] = static_cast<uint32_t>(value);
    if (count == 2) want.s[kDestination + 1] = static_cast<uint32_t>(value >> 32);
  }

  const ScalarRow& row_;
  Trial& trial_;
  const isa::OpcodeInfo& info_;
  isa::Inst inst_;
};

void prove(const ScalarRow& row, Trial& trial) {
  for (const Format format : {Format::sop1, Format::sop2, Format::sopk, Format::sopc}) {
    if (isa::opcode_number(row.opcode, format, trial.target.generation) < 0) continue;
    ScalarRun run(row, format, trial);
    run.run(Kind::registers, true);
    run.run(row.is_float ? Kind::float_constant : Kind::constant, false);
    run.run(Kind::literal, false);
  }
}

}  // namespace

Proof scalar_proof(ScalarRow row) {
  const Opcode opcode = row.opcode;
  return {isa::info(opcode).name, {opcode}, [row = std::move(row)](Trial& trial) { prove(row, trial); }};
}

void expect_state(Trial& trial, Machine& machine, const State& before, const State& want, const std::string& text) {
  State after = before;
  const std::string fault = machine.run(after);
  if (!fault.empty()) return trial.fail(text + ": " + fault);
  trial.checked();
  const std::string wrong = difference(after, want, trial.wave_size);
  if (!wrong.empty()) trial.fail(text + ": " + wrong);
}

void check_assembly(Trial& trial, const std::string& text, const State& before,
                    const std::function<void(State&)>& expect) {
  Machine machine(trial.target, trial.wave_size, text);
  if (!machine.error().empty()) return trial.fail(machine.error());
  State want = before;
  expect(want);
  expect_state(trial, machine, before, want, text);
}

}  // namespace spalt::semantics
