// SPDX-License-Identifier: MIT
// What can be a pair before there are registers, compared with the codec's rules on all registers that there could be.
#include "amdgpu/mir/dual_candidate.h"

#include <gtest/gtest.h>

#include <random>

#include "amdgpu/isa/codec/constants.h"
#include "amdgpu/isa/codec/vopd.h"

namespace spalt::mir {
namespace {

constexpr unsigned kValues = 4;  ///< that operands are chosen from

/// A vector instruction over values, and the same for the codec once they have registers.
class Example {
 public:
  Example(Function& function, std::mt19937& random) : function_(function) {
    static constexpr Opcode kOpcodes[] = {Opcode::v_mul_f32,     Opcode::v_sub_f32, Opcode::v_mov_b32,
                                          Opcode::v_cndmask_b32, Opcode::v_fma_f32, Opcode::v_add_nc_u32,
                                          Opcode::v_lshlrev_b32, Opcode::v_rcp_f32};
    opcode_ = kOpcodes[random() % std::size(kOpcodes)];
    const bool one = opcode_ == Opcode::v_mov_b32 || opcode_ == Opcode::v_rcp_f32;
    uses_.push_back(random() % 3 == 0 ? scalar(random) : value(random() % kValues));
    if (!one) uses_.push_back(random() % 8 == 0 ? scalar(random) : value(random() % kValues));
    if (opcode_ == Opcode::v_cndmask_b32) uses_.push_back(Operand::physical(isa::kVcc));
    // Each multiply-add has an addend of its own, which its result replaces.
    if (opcode_ == Opcode::v_fma_f32) {
      addend_ = function.create_vreg(vgpr_class(1));
      uses_.push_back(random() % 3 == 0 ? Operand::immediate(0x3f8ccccd) : function.use(addend_));
    }
    result_ = function.create_vreg(vgpr_class(1));
    const Operand def = function.use(result_);
    id_ = function.create(opcode_, {&def, 1}, {uses_.data(), uses_.size()});
  }

  DualCandidate candidate() const {
    return has_dual_form(function_, id_) ? dual_candidate(function_, id_) : DualCandidate();
  }

  std::string name() const {
    std::string text(mir::name(opcode_));
    for (const Operand& use : uses_)
      text += use.is_vreg()  ? " v" + std::to_string(use.value)
              : use.is_imm() ? " " + std::to_string(use.value)
                             : " s" + std::to_string(use.reg.number);
    return text;
  }

  /// `registers`: of the values; `result`: that of the result.
  isa::VopdHalf half(const unsigned* registers, unsigned result) const {
    std::vector<isa::Operand> sources;
    isa::Opcode opcode = to_isa(opcode_);
    for (size_t i = 0; i < uses_.size() && i < 2; ++i) sources.push_back(operand(uses_[i], registers));
    if (opcode_ == Opcode::v_fma_f32) {
      if (!uses_[1].is_vgpr_value()) std::swap(sources[0], sources[1]);
      if (uses_[2].is_imm() && is_literal(sources[0])) return {};
      opcode = uses_[2].is_imm() ? isa::Opcode::v_fmaak_f32 : isa::Opcode::v_fmac_f32;
      if (uses_[2].is_imm()) sources.push_back(isa::Operand::of_literal(uses_[2].value));
    }
    return isa::vopd_half(opcode, isa::Operand::of(isa::vgpr(result)), sources, function_.target);
  }

 private:
  /// opt::shrink_encodings makes no v_fmaak_f32 of two literals, not even of equal ones.
  static bool is_literal(const isa::Operand& operand) {
    return !operand.is_reg() && isa::inline_constant_code(operand.imm, isa::OperandType::f32) < 0;
  }
  Operand value(unsigned number) const { return function_.use(VReg(number)); }
  static Operand scalar(std::mt19937& random) {
    static constexpr uint32_t kConstants[] = {0x3f800000, 0x3f8ccccd, 0x3f9ccccd};
    return random() % 2 == 0 ? Operand::physical(isa::sgpr(random() % 3))
                             : Operand::immediate(kConstants[random() % 3]);
  }
  static isa::Operand operand(const Operand& use, const unsigned* registers) {
    if (use.is_imm()) return isa::Operand::of_imm(use.value);
    return isa::Operand::of(use.is_vreg() ? isa::vgpr(registers[use.value]) : use.reg);
  }

  Function& function_;
  Opcode opcode_;
  std::vector<Operand> uses_;
  VReg addend_, result_;
  InstId id_;
};

bool is_pair(const isa::VopdHalf& x, const isa::VopdHalf& y, const isa::Target& target) {
  return isa::check_vopd(x, y, target) == nullptr && isa::vopd_is_safe(x, y, target);
}

/// In either order, with the sources of one of them exchanged or not.
bool is_any_pair(const isa::VopdHalf& a, const isa::VopdHalf& b, const isa::Target& target) {
  const isa::VopdHalf c = isa::with_sources_exchanged(a, target.generation),
                      d = isa::with_sources_exchanged(b, target.generation);
  const auto either = [&](const isa::VopdHalf& x, const isa::VopdHalf& y) {
    return x.can_pair() && y.can_pair() && (is_pair(x, y, target) || is_pair(y, x, target));
  };
  return either(a, b) || either(c, b) || either(a, d);
}

/// Over the banks of all values that both may read.
bool some_registers_suit(const Example& a, const Example& b, const isa::Target& target) {
  for (unsigned choice = 0; choice < 1u << 2 * kValues; ++choice) {
    unsigned registers[kValues];
    for (unsigned i = 0; i < kValues; ++i) registers[i] = 8 + 4 * i + (choice >> 2 * i) % 4;
    if (is_any_pair(a.half(registers, 2), b.half(registers, 3), target)) return true;
  }
  return false;
}

class DualCandidates : public testing::TestWithParam<const char*> {};

TEST_P(DualCandidates, PairWhereSomeRegistersSuit) {
  const isa::Target& target = *isa::find_target(GetParam());
  std::mt19937 random(7);
  unsigned pairs = 0;
  for (unsigned round = 0; round < 1500; ++round) {
    Function function(target, 32);
    for (unsigned i = 0; i < kValues; ++i) function.create_vreg(vgpr_class(1));
    const Example a(function, random), b(function, random);
    const bool expected = some_registers_suit(a, b, target);
    ASSERT_EQ(may_pair(a.candidate(), b.candidate(), target), expected)
        << "round " << round << ": " << a.name() << ", " << b.name();
    pairs += expected;
  }
  EXPECT_GT(pairs, 200u);
  EXPECT_LT(pairs, 1300u);
}

INSTANTIATE_TEST_SUITE_P(Targets, DualCandidates, testing::Values("gfx1100", "gfx1201"));

TEST(DualCandidate, NoneOnTargetsWithoutPairs) {
  Function function(*isa::find_target("gfx1030"), 32);
  const Operand def = function.def(vgpr_class(1)), use = function.def(vgpr_class(1));
  EXPECT_FALSE(has_dual_form(function, function.create(Opcode::v_mov_b32, {&def, 1}, {&use, 1})));
}

TEST(DualCandidate, NeitherModifiersNorOtherMasks) {
  Function function(*isa::find_target("gfx1100"), 32);
  const Operand def = function.def(vgpr_class(1)), a = function.def(vgpr_class(1)), mask = function.def(sgpr_class(1));
  const Operand sources[] = {a, a, mask};
  const InstId product = function.create(Opcode::v_mul_f32, {&def, 1}, {sources, 2});
  EXPECT_TRUE(dual_candidate(function, product).can_pair());
  function.edit_modifiers(product, [](isa::Modifiers& modifiers) { modifiers.clamp = true; });
  EXPECT_FALSE(dual_candidate(function, product).can_pair());
  const InstId choice = function.create(Opcode::v_cndmask_b32, {&def, 1}, {sources, 3});
  EXPECT_FALSE(dual_candidate(function, choice).can_pair());
  function.vregs[mask.vreg()].hint = isa::kVcc;
  EXPECT_TRUE(dual_candidate(function, choice).can_pair()) << "is likely to get it";
}

}  // namespace
}  // namespace spalt::mir
