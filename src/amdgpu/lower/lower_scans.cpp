// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_scans.h"

#include "amdgpu/lower/scan_by_shuffles.h"
#include "analysis/divergence.h"

namespace spalt::lower {

using ir::Op;
using ir::ScanForm;
using ir::ScanKind;
using ir::Type;
using ir::Value;

namespace {

class State {
 public:
  State(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context, unsigned wave_size)
      : f_(module.functions[0]),
        insert_(f_, context.scratch, module.float_controls()),
        divergence_(analysis::analyze_divergence(f_, module, analyses, context)),
        wave_size_(wave_size) {}

  bool run() {
    return insert_.replace_each([this](Value value) { return lower(value); });
  }

 private:
  Value lower(Value value);
  Value lower_whole(const ir::Inst& inst, ScanForm form, Value data, Value member);
  Value scan_as_word(ScanForm form, Value data, Value member);
  Value scan_uniform(ScanForm form, Value data, Value member);
  Value times(Value data, Value count);
  Members members_of(Value member) { return lower::members_of(insert_.builder(), member, wave_size_); }

  ir::Function& f_;
  Inserter insert_;
  const analysis::Divergence divergence_;
  const unsigned wave_size_;
};

Value State::lower(Value value) {
  const ir::Inst inst = f_.inst(value);
  if (inst.op != Op::scan && inst.op != Op::scan_part) return Value();
  ScanForm form = ScanForm::unpack(inst.imm);
  if (form.kind == ScanKind::cluster && form.cluster >= wave_size_) form = {form.combine, ScanKind::reduce, 0};
  const Value data = insert_.current(f_.operand(value, 0)), member = insert_.current(f_.operand(value, 1));
  insert_.before(value, inst.flags);
  if (inst.op == Op::scan) {
    const bool is_uniform = !divergence_.divergent_at(f_, f_.operand(value, 0), inst.block);
    const Value simple = is_uniform ? scan_uniform(form, data, member) : Value();
    return simple.valid() ? simple : lower_whole(inst, form, data, member);
  }
  const Value low = insert_.current(f_.operand(value, 2)), high = insert_.current(f_.operand(value, 3));
  Members members = members_of(member);
  members.low = insert_.i(Op::iand, {members.low, low});
  members.high = insert_.i(Op::iand, {members.high, high});
  return scan_by_shuffles(insert_, form, data, members, wave_size_);
}

/// None if the scan stays as it is.
Value State::lower_whole(const ir::Inst& inst, ScanForm form, Value data, Value member) {
  if (form.kind == ScanKind::cluster && form.cluster == 1) return data;
  if (inst.type.bits() == 64) return scan_by_shuffles(insert_, form, data, members_of(member), wave_size_);
  if (inst.type.bits() < 32 && inst.type.is_integer()) return scan_as_word(form, data, member);
  if (form.pack() == inst.imm) return Value();
  return insert_.op(Op::scan, inst.type, {data, member}, form.pack());
}

/// Of a narrow integer. Identities cut to its width are its own, but for the largest and smallest signed numbers: these
/// it has in the upper bits.
Value State::scan_as_word(ScanForm form, Value data, Value member) {
  const bool is_signed = form.combine == Op::smin || form.combine == Op::smax;
  const Value shift = insert_.constant(is_signed ? 32 - f_.type(data).bits() : 0);
  const Value low = insert_.op(Op::zext, ir::kI32, {data}), word = insert_.i(Op::ishl, {low, shift});
  const Value scanned = insert_.op(Op::scan, ir::kI32, {word, member}, form.pack());
  return insert_.op(Op::trunc, f_.type(data), {insert_.i(Op::ushr, {scanned, shift})});
}

/// `count` values `data` added.
Value State::times(Value data, Value count) {
  const Type type = f_.type(data);
  const Op resize = type.bits() > 32 ? Op::zext : Op::trunc;
  return insert_.op(Op::imul, type, {data, type.bits() == 32 ? count : insert_.op(resize, type, {count})});
}

/// None if the sum or product of equal values is not simple.
Value State::scan_uniform(ScanForm form, Value data, Value member) {
  if (form.kind == ScanKind::cluster || form.combine == Op::imul) return Value();
  const bool adds = form.combine == Op::iadd || form.combine == Op::ixor;
  if (!adds && (form.combine == Op::fadd || form.combine == Op::fmul)) return Value();
  if (!adds && form.kind != ScanKind::exclusive) return data;
  const Type type = f_.type(data);
  Value count = form.kind == ScanKind::reduce ? number_of(insert_.builder(), members_of(member))
                                              : number_before(insert_.builder(), members_of(member), wave_size_);
  if (!adds) {
    const Value none = f_.constant(type, ir::scan_identity(form.combine, type));
    return insert_.op(Op::select, type, {insert_.compare(Op::ieq, count, insert_.constant(0)), none, data});
  }
  if (form.kind == ScanKind::inclusive) count = insert_.i(Op::iadd, {count, insert_.constant(1)});
  if (form.combine == Op::ixor) count = insert_.i(Op::iand, {count, insert_.constant(1)});
  return times(data, count);
}

}  // namespace

bool lower_scans(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context, unsigned wave_size) {
  if (!module.functions[0].operations().meets({Op::scan, Op::scan_part})) return false;
  const ArenaScope scope(context.scratch);
  return State(module, analyses, context, wave_size).run();
}

}  // namespace spalt::lower
