// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "emu/caches/cache.h"
#include "emu/memory/lane_access.h"

namespace spalt::emu {

/// Copies of lines laid out in host memory like the lines themselves, as far as one transfer can tell, so that the
/// transfer can be pointed to them. Memory itself stays as it is: other devices and the application use it, too.
///
/// Lines whose distance a lane of the transfer may step over (its stride) keep their distance; lines further apart are
/// different segments, each in its own place. Costs the bytes of the lines and a search for each lane.
class LineImage {
 public:
  /// Makes room for the lines of the transfer; `lines` may change their order.
  void lay_out(std::vector<Line>& lines, const Transfer& transfer);
  /// Where the image has a line that it was laid out for.
  uint8_t* at(const Line& line);
  /// Performs the transfer on the image. Lanes that touch none of its lines access memory.
  void perform(Transfer& transfer, uint32_t* vgprs);

 private:
  struct Segment {
    uint8_t *begin, *end;  ///< of memory
    size_t offset;         ///< in bytes_
  };
  void perform_texels(Transfer& transfer, uint32_t* vgprs);
  const Segment* segment_of(const uint8_t* memory) const;

  std::vector<uint8_t> bytes_;
  std::vector<Segment> segments_;  ///< sorted
};

}  // namespace spalt::emu
