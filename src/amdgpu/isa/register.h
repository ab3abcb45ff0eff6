// SPDX-License-Identifier: MIT
#pragma once
#include <compare>
#include <cstdint>

namespace spalt::isa {

/// A hardware register or special source under one numbering for all generations. It equals the 9-bit source operand
/// encoding of GFX10 (RDNA 2 ISA guide, section "Scalar ALU operands"); the codec translates the few numbers
/// that another generation places elsewhere (GFX11 swaps m0 and null).
struct Reg {
  uint16_t number = kNoneNumber;
  static constexpr uint16_t kNoneNumber = 0xffff;
  // Where the files begin and end. vcc lies between the SGPRs and the trap registers; m0, null and exec follow those.
  static constexpr uint16_t kSgprEnd = 106, kTtmpBegin = 108, kScalarEnd = 128, kVgprBegin = 256, kVgprEnd = 512;

  constexpr bool valid() const { return number != kNoneNumber; }
  constexpr bool is_sgpr() const { return number < kSgprEnd; }
  constexpr bool is_vcc() const { return number >= kSgprEnd && number < kTtmpBegin; }
  /// One that scalar instructions can write: an SGPR, vcc, a trap register, m0, null or exec.
  constexpr bool is_scalar() const { return number < kScalarEnd; }
  constexpr bool is_vgpr() const { return number >= kVgprBegin && number < kVgprEnd; }
  constexpr uint16_t vgpr_index() const { return static_cast<uint16_t>(number - kVgprBegin); }
  constexpr Reg offset(int dwords) const { return Reg{static_cast<uint16_t>(number + dwords)}; }
  constexpr auto operator<=>(const Reg&) const = default;
};

constexpr Reg sgpr(unsigned index) {
  return Reg{static_cast<uint16_t>(index)};
}
constexpr Reg vgpr(unsigned index) {
  return Reg{static_cast<uint16_t>(Reg::kVgprBegin + index)};
}

constexpr Reg ttmp(unsigned index) {
  return Reg{static_cast<uint16_t>(Reg::kTtmpBegin + index)};
}

constexpr bool is_ttmp(Reg reg) {
  return reg >= ttmp(0) && reg <= ttmp(15);
}

constexpr Reg kNoReg{};
constexpr Reg kFlatScratchLo{102}, kFlatScratchHi{103};  ///< GFX9 only; GFX10+ reach it through s_setreg
constexpr Reg kXnackMaskLo{104}, kXnackMaskHi{105};      ///< GFX9 only
constexpr Reg kVcc{Reg::kSgprEnd}, kVccHi{Reg::kSgprEnd + 1};
constexpr Reg kTtmp0{Reg::kTtmpBegin};
constexpr Reg kM0{124};
constexpr Reg kNull{125};
constexpr Reg kExec{126}, kExecHi{127};
constexpr Reg kSharedBase{235}, kSharedLimit{236}, kPrivateBase{237}, kPrivateLimit{238}, kPopsExitingWaveId{239};
constexpr Reg kVccz{251}, kExecz{252}, kScc{253}, kLdsDirect{254};

}  // namespace spalt::isa
