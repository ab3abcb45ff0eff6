// SPDX-License-Identifier: MIT
//
// The part of a Transfer that reads texels: which texels each lane reads and what becomes of them. Everything that
// follows from registers and descriptors is known when the instruction issues; texels are read, decoded and filtered
// when the transfer happens.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "emu/wave/lanes.h"
#include "texel/codec.h"

namespace spalt::emu {

struct Transfer;

/// A texel of one lane, or what takes its place.
struct Tap {
  enum class Kind : uint8_t {
    texel,
    border,
    absent,  ///< a texel that is not resident: zeros, which comparisons compare
    zero
  };
  uint8_t* place = nullptr;  ///< the texel in host memory, or the block that it is in
  double weight = 1;
  Kind kind = Kind::zero;
  uint8_t in_block = 0;
};

struct TexelRead {
  enum class Kind : uint8_t {
    none,    ///< the transfer reads no texels
    load,    ///< one tap: the texel itself
    filter,  ///< taps become one texel
    gather,  ///< four taps: one component of each is a result
    known    ///< no taps: the results are in Transfer::data
  };
  /// How taps become one.
  enum class Reduction : uint8_t { average, minimum, maximum };
  static constexpr uint8_t kNoCompare = 0xff;

  Kind kind = Kind::none;
  texel::Layout layout;
  uint8_t texel_bytes = 0;          ///< of a texel or block
  uint8_t results = 0;              ///< components that the instruction returns
  uint8_t registers = 0;            ///< that it writes; those beyond the results become junk
  std::array<uint8_t, 4> select{};  ///< dst_sel of each
  bool halves = false;              ///< two results in a register
  Reduction reduction = Reduction::average;
  uint8_t compare = kNoCompare;  ///< a comparison, in the order of the hardware, with each texel's x
  texel::Texel border{};         ///< channels of border texels
  std::vector<Tap> taps;         ///< of all lanes, one lane after the other
  std::array<uint16_t, kMaxLanes> first_tap{}, tap_count{};
  std::array<float, kMaxLanes> reference{};  ///< of comparisons

  void reset() {
    kind = Kind::none;
    taps.clear();
  }
  /// Calls visit(Tap&) for every tap that reads memory.
  template <class Visit>
  void for_each_texel(Visit visit) {
    for (Tap& tap : taps) {
      if (tap.kind == Tap::Kind::texel) visit(tap);
    }
  }
  template <class Visit>
  void for_each_texel(Visit visit) const {
    for (const Tap& tap : taps) {
      if (tap.kind == Tap::Kind::texel) visit(tap);
    }
  }
};

/// The part of `perform` that loads of texels need. `dst` has 64 lanes per register.
void perform_texel_read(const Transfer& transfer, uint32_t* dst);

}  // namespace spalt::emu
