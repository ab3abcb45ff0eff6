// SPDX-License-Identifier: MIT
#include "amdgpu/opt/share_literals.h"

#include <algorithm>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/codec/constants.h"

namespace spalt::opt {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::VReg;

bool fits16(uint32_t value) {
  return static_cast<int32_t>(value) >= -0x8000 && static_cast<int32_t>(value) <= 0x7fff;
}

class LiteralSharer {
 public:
  LiteralSharer(mir::Function& function, Arena& scratch) : function_(function), scratch_(scratch) {}

  void run() {
    for_each_literal([this](Operand& use) { values_.push_back(use.value); });
    choose();
    if (shared_.empty()) return;
    for_each_literal([this](Operand& use) {
      const auto at = std::lower_bound(shared_.begin(), shared_.end(), use.value, Shared::below);
      if (at != shared_.end() && at->value == use.value) use = function_.use(at->vreg);
    });
    define();
  }

 private:
  struct Shared {
    uint32_t value;
    uint32_t uses;
    VReg vreg;
    static bool below(const Shared& a, uint32_t b) { return a.value < b; }
  };

  /// Uses that an SGPR would make shorter.
  template <class Visit>
  void for_each_literal(Visit&& visit) {
    for (BlockId block : function_.layout) {
      for (InstId inst : function_.blocks[block].insts) {
        const Opcode opcode = function_.insts[inst].opcode;
        if (mir::is_pseudo(opcode) || !mir::has_flag(opcode, isa::kValu)) continue;
        if (has_form_with_constant(opcode)) continue;
        const isa::OpcodeInfo& info = isa::info(mir::to_isa(opcode));
        const auto uses = function_.uses(inst);
        for (unsigned i = 0; i < info.src_count && i < uses.size(); ++i) {
          if (is_literal(info, i, uses[i])) visit(uses[i]);
        }
      }
    }
  }

  bool is_literal(const isa::OpcodeInfo& info, unsigned slot, const Operand& use) const {
    const isa::OperandSlot& what = info.src[slot];
    if (!use.is_imm() || what.role != isa::OperandRole::vsrc) return false;
    if (isa::type_dwords(what.type, function_.wave_size) != 1) return false;
    return isa::inline_constant_code(use.value, what.type) < 0;
  }

  /// v_fmaak_f32, v_fmamk_f32 and their v_mad relatives are as short with a literal as the long form with an SGPR.
  static bool has_form_with_constant(Opcode opcode) {
    return opcode == Opcode::v_fma_f32 || opcode == Opcode::v_mad_f32;
  }

  void choose() {
    std::sort(values_.begin(), values_.end());
    for (size_t i = 0; i < values_.size();) {
      size_t end = i;
      while (end < values_.size() && values_[end] == values_[i]) ++end;
      const int load = fits16(values_[i]) ? 4 : 8;
      if (4 * static_cast<int>(end - i) - load >= kMinGain) {
        shared_.push_back({values_[i], static_cast<uint32_t>(end - i), VReg()});
      }
      i = end;
    }
    std::sort(shared_.begin(), shared_.end(),
              [](const Shared& a, const Shared& b) { return a.uses != b.uses ? a.uses > b.uses : a.value < b.value; });
    if (shared_.size() > kMaxShared) shared_.resize(kMaxShared, Shared());
    std::sort(shared_.begin(), shared_.end(), [](const Shared& a, const Shared& b) { return a.value < b.value; });
    for (Shared& shared : shared_) shared.vreg = function_.create_vreg(mir::kS1);
  }

  void define() {
    auto& insts = function_.blocks[function_.layout[0]].insts;
    size_t at = 0;
    while (at < insts.size() && function_.insts[insts[at]].opcode == Opcode::p_start) ++at;
    mir::InstList moves(scratch_);
    for (const Shared& shared : shared_) {
      const Operand def = function_.use(shared.vreg), value = Operand::immediate(shared.value);
      moves.push_back(function_.create(Opcode::s_mov_b32, {&def, 1}, {&value, 1}));
    }
    insts.insert(insts.begin() + static_cast<long>(at), moves.begin(), moves.end());
  }

  mir::Function& function_;
  Arena& scratch_;
  Vector<uint32_t> values_{scratch_};
  Vector<Shared> shared_{scratch_};
};

}  // namespace

void share_literals(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  LiteralSharer(function, context.scratch).run();
}

}  // namespace spalt::opt
