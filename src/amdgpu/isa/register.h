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

  constexpr bool valid() const { return number != kNoneNumber; }
  constexpr bool is_sgpr() const { return number < 106; }
  constexpr bool is_vgpr() const { return number >= 256 && number < 512; }
  constexpr uint16_t vgpr_index() const { return static_cast<uint16_t>(number - 256); }
  constexpr Reg offset(int dwords) const { return Reg{static_cast<uint16_t>(number + dwords)}; }
  constexpr auto operator<=>(const Reg&) const = default;
};

constexpr Reg sgpr(unsigned index) {
  return Reg{static_cast<uint16_t>(index)};
}
constexpr Reg vgpr(unsigned index) {
  return Reg{static_cast<uint16_t>(256 + index)};
}

constexpr Reg ttmp(unsigned index) {
  return Reg{static_cast<uint16_t>(108 + index)};
}

constexpr bool is_ttmp(Reg reg) {
  return reg >= ttmp(0) && reg <= ttmp(15);
}

constexpr Reg kNoReg{};
constexpr Reg kFlatScratchLo{102}, kFlatScratchHi{103};  ///< GFX9 only; GFX10+ reach it through s_setreg
constexpr Reg kXnackMaskLo{104}, kXnackMaskHi{105};      ///< GFX9 only
constexpr Reg kVcc{106}, kVccHi{107};
constexpr Reg kTtmp0{108};
constexpr Reg kM0{124};
constexpr Reg kNull{125};
constexpr Reg kExec{126}, kExecHi{127};
constexpr Reg kSharedBase{235}, kSharedLimit{236}, kPrivateBase{237}, kPrivateLimit{238}, kPopsExitingWaveId{239};
constexpr Reg kVccz{251}, kExecz{252}, kScc{253}, kLdsDirect{254};

}  // namespace spalt::isa
