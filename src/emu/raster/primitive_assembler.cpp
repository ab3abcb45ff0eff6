// SPDX-License-Identifier: MIT
#include "emu/raster/primitive_assembler.h"

#include <algorithm>

namespace spalt::emu {

const Primitive* PrimitiveAssembler::add(uint32_t vertex) {
  window_[size_++] = vertex;
  switch (topology_) {
    case Topology::point_list:
      return point();
    case Topology::line_list:
      return line(0, 0);
    case Topology::line_strip:
      return line(0, 1);
    case Topology::triangle_list:
      return triangle_of_list(1);
    case Topology::triangle_strip:
      return triangle_of_strip();
    case Topology::triangle_fan:
      return triangle_of_fan();
    case Topology::line_list_with_adjacency:
      return line(1, 0);
    case Topology::line_strip_with_adjacency:
      return line(1, 3);
    case Topology::triangle_list_with_adjacency:
      return triangle_of_list(2);
    case Topology::triangle_strip_with_adjacency:
      return adjacency_strip(false);
  }
  return nullptr;
}

const Primitive* PrimitiveAssembler::end_strip() {
  const Primitive* last = topology_ == Topology::triangle_strip_with_adjacency ? adjacency_strip(true) : nullptr;
  size_ = 0;
  in_strip_ = 0;
  return last;
}

const Primitive* PrimitiveAssembler::point() {
  primitive_.corners[0] = window_[0];
  drop(1);
  return finish(1);
}

/// `first` is where in the window the line begins; `keep` is how many vertices the next line shares.
const Primitive* PrimitiveAssembler::line(unsigned first, unsigned keep) {
  const unsigned needed = 2 + 2 * first;
  if (size_ < needed) return nullptr;
  primitive_.corners = {window_[first], window_[first + 1], 0};
  primitive_.has_adjacency = first != 0;
  if (first != 0) primitive_.adjacent = {window_[0], window_[3], 0};
  primitive_.continues_strip = keep != 0 && in_strip_ != 0;
  drop(needed - keep);
  return finish(2);
}

/// `stride` is 2 where each corner is followed by the adjacent vertex of its edge.
const Primitive* PrimitiveAssembler::triangle_of_list(unsigned stride) {
  if (size_ < 3 * stride) return nullptr;
  for (unsigned i = 0; i < 3; ++i) {
    primitive_.corners[i] = window_[i * stride];
    primitive_.adjacent[i] = window_[i * stride + stride - 1];
  }
  primitive_.has_adjacency = stride == 2;
  drop(3 * stride);
  return finish(3);
}

/// In odd triangles the vertices after the first one change places, so that all have the winding of the first triangle.
const Primitive* PrimitiveAssembler::triangle_of_strip() {
  if (size_ < 3) return nullptr;
  const unsigned odd = in_strip_ & 1;
  primitive_.corners = {window_[0], window_[1 + odd], window_[2 - odd]};
  drop(1);
  return finish(3);
}

const Primitive* PrimitiveAssembler::triangle_of_fan() {
  if (size_ < 3) return nullptr;
  primitive_.corners = {window_[1], window_[2], window_[0]};
  window_[1] = window_[2];
  size_ = 2;
  return finish(3);
}

/// Triangle i has the corners 2i, 2i + 2 and 2i + 4. The window begins at vertex 2i - 2, or at vertex 0. Beyond the
/// last edge of a triangle is vertex 2i + 6 if another triangle follows, which vertex 2i + 7 tells, else vertex 2i + 5.
const Primitive* PrimitiveAssembler::adjacency_strip(bool is_last) {
  const unsigned begin = in_strip_ == 0 ? 0 : 2;  // where vertex 2i is
  if (size_ < begin + (is_last ? 6u : 8u)) return nullptr;
  const uint32_t* v = &window_[begin];
  const uint32_t before = in_strip_ == 0 ? v[1] : window_[0];
  const uint32_t beyond = is_last ? v[5] : v[6];
  if ((in_strip_ & 1) == 0) {
    primitive_.corners = {v[0], v[2], v[4]};
    primitive_.adjacent = {before, beyond, v[3]};
  } else {
    primitive_.corners = {v[0], v[4], v[2]};
    primitive_.adjacent = {v[3], beyond, before};
  }
  primitive_.has_adjacency = true;
  drop(begin);
  return finish(3);
}

/// In last-vertex mode triangles of strips and fans are turned until that vertex is the last one, as AMD's hardware has
/// it: odd triangles of strips become (i + 1, i, i + 2), fans (0, i + 1, i + 2).
const Primitive* PrimitiveAssembler::finish(uint8_t count) {
  const bool last = provoking_ == ProvokingVertex::last;
  const bool odd_of_strip =
      (topology_ == Topology::triangle_strip || topology_ == Topology::triangle_strip_with_adjacency) &&
      (in_strip_ & 1) != 0;
  if (last && (odd_of_strip || topology_ == Topology::triangle_fan)) {
    std::rotate(primitive_.corners.begin(), primitive_.corners.begin() + 2, primitive_.corners.end());
    std::rotate(primitive_.adjacent.begin(), primitive_.adjacent.begin() + 2, primitive_.adjacent.end());
  }
  primitive_.count = count;
  primitive_.provoking = last ? static_cast<uint8_t>(count - 1) : 0;
  primitive_.id = next_id_++;
  ++in_strip_;
  return &primitive_;
}

void PrimitiveAssembler::drop(unsigned count) {
  std::copy(window_.begin() + count, window_.begin() + size_, window_.begin());
  size_ = static_cast<uint8_t>(size_ - count);
}

}  // namespace spalt::emu
