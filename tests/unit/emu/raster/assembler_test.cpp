// SPDX-License-Identifier: MIT
// Primitive assembly against the equations of Vulkan, "Primitive Topologies", written as functions of i.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "emu/raster/index_fetch.h"
#include "emu/raster/primitive_assembler.h"

namespace spalt::emu {
namespace {

/// The equation p_i, with the provoking vertex of both modes.
struct Expected {
  std::vector<uint32_t> total;  ///< all vertices, with adjacency
  uint32_t first, last;
};

uint32_t count_of(Topology topology, uint32_t n) {
  const auto less = [&](uint32_t by) { return n > by ? n - by : 0; };
  switch (topology) {
    case Topology::point_list:
      return n;
    case Topology::line_list:
      return n / 2;
    case Topology::line_strip:
      return less(1);
    case Topology::triangle_list:
      return n / 3;
    case Topology::triangle_strip:
    case Topology::triangle_fan:
      return less(2);
    case Topology::line_list_with_adjacency:
      return n / 4;
    case Topology::line_strip_with_adjacency:
      return less(3);
    case Topology::triangle_list_with_adjacency:
      return n / 6;
    case Topology::triangle_strip_with_adjacency:
      return less(4) / 2;
  }
  return 0;
}

Expected strip_with_adjacency(uint32_t i, uint32_t n) {
  const uint32_t j = 2 * i;
  if (n == 1) return {{0, 1, 2, 5, 4, 3}, 0, 4};
  if (i == 0) return {{0, 1, 2, 6, 4, 3}, 0, 4};
  const uint32_t beyond = i == n - 1 ? j + 5 : j + 6;
  if (i % 2 == 1) return {{j, j + 3, j + 4, beyond, j + 2, j - 2}, j, j + 4};
  return {{j, j - 2, j + 2, beyond, j + 4, j + 3}, j, j + 4};
}

Expected expected(Topology topology, uint32_t i, uint32_t n) {
  switch (topology) {
    case Topology::point_list:
      return {{i}, i, i};
    case Topology::line_list:
      return {{2 * i, 2 * i + 1}, 2 * i, 2 * i + 1};
    case Topology::line_strip:
      return {{i, i + 1}, i, i + 1};
    case Topology::triangle_list:
      return {{3 * i, 3 * i + 1, 3 * i + 2}, 3 * i, 3 * i + 2};
    case Topology::triangle_strip:
      return {{i, i + (1 + i % 2), i + (2 - i % 2)}, i, i + 2};
    case Topology::triangle_fan:
      return {{i + 1, i + 2, 0}, i + 1, i + 2};
    case Topology::line_list_with_adjacency:
      return {{4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3}, 4 * i + 1, 4 * i + 2};
    case Topology::line_strip_with_adjacency:
      return {{i, i + 1, i + 2, i + 3}, i + 1, i + 2};
    case Topology::triangle_list_with_adjacency:
      return {{6 * i, 6 * i + 1, 6 * i + 2, 6 * i + 3, 6 * i + 4, 6 * i + 5}, 6 * i, 6 * i + 4};
    case Topology::triangle_strip_with_adjacency:
      return strip_with_adjacency(i, n);
  }
  return {};
}

std::vector<uint32_t> total_of(const Primitive& p) {
  if (!p.has_adjacency) return {p.corners.begin(), p.corners.begin() + p.count};
  if (p.count == 2) return {p.adjacent[0], p.corners[0], p.corners[1], p.adjacent[1]};
  return {p.corners[0], p.adjacent[0], p.corners[1], p.adjacent[1], p.corners[2], p.adjacent[2]};
}

/// Turned, with its adjacent vertices, until the vertex at `to_front` is the first one.
std::vector<uint32_t> turned(const std::vector<uint32_t>& total, uint32_t to_front, unsigned step) {
  std::vector<uint32_t> result;
  size_t at = 0;
  while (total[at] != to_front) at += step;
  for (size_t i = 0; i < total.size(); ++i) result.push_back(total[(at + i) % total.size()]);
  return result;
}

constexpr Topology kTopologies[] = {Topology::point_list,
                                    Topology::line_list,
                                    Topology::line_strip,
                                    Topology::triangle_list,
                                    Topology::triangle_strip,
                                    Topology::triangle_fan,
                                    Topology::line_list_with_adjacency,
                                    Topology::line_strip_with_adjacency,
                                    Topology::triangle_list_with_adjacency,
                                    Topology::triangle_strip_with_adjacency};

std::vector<Primitive> assemble(PrimitiveAssembler& assembler, uint32_t n) {
  std::vector<Primitive> result;
  for (uint32_t v = 0; v < n; ++v) {
    if (const Primitive* p = assembler.add(v)) result.push_back(*p);
  }
  if (const Primitive* p = assembler.end_strip()) result.push_back(*p);
  return result;
}

void check(const Primitive& p, Topology topology, ProvokingVertex mode, uint32_t i, uint32_t n) {
  const Expected want = expected(topology, i, n);
  EXPECT_EQ(p.corners[p.provoking], mode == ProvokingVertex::first ? want.first : want.last);
  EXPECT_EQ(p.provoking, mode == ProvokingVertex::first ? 0 : p.count - 1);
  if (p.count != 3 || mode == ProvokingVertex::first) {
    EXPECT_EQ(total_of(p), want.total);
  } else {
    const unsigned step = p.has_adjacency ? 2 : 1;
    EXPECT_EQ(turned(total_of(p), want.first, step), turned(want.total, want.first, step));
  }
}

TEST(Assembler, EquationsOfAllTopologies) {
  for (const Topology topology : kTopologies) {
    for (const ProvokingVertex mode : {ProvokingVertex::first, ProvokingVertex::last}) {
      for (uint32_t n = 0; n < 40; ++n) {
        SCOPED_TRACE(testing::Message() << "topology " << static_cast<int>(topology) << ", " << n << " vertices");
        PrimitiveAssembler assembler(topology, mode);
        const std::vector<Primitive> all = assemble(assembler, n);
        ASSERT_EQ(all.size(), count_of(topology, n));
        for (uint32_t i = 0; i < all.size(); ++i) {
          EXPECT_EQ(all[i].id, i);
          check(all[i], topology, mode, i, static_cast<uint32_t>(all.size()));
        }
      }
    }
  }
}

TEST(Assembler, RestartBeginsAnewAndKeepsCounting) {
  for (const Topology topology : kTopologies) {
    PrimitiveAssembler assembler(topology, ProvokingVertex::first);
    uint32_t id = 0;
    for (const uint32_t n : {11u, 1u, 0u, 14u, 5u, 12u}) {
      SCOPED_TRACE(testing::Message() << "topology " << static_cast<int>(topology) << ", " << n << " vertices");
      const std::vector<Primitive> all = assemble(assembler, n);
      ASSERT_EQ(all.size(), count_of(topology, n));
      for (uint32_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].id, id++);
        EXPECT_EQ(total_of(all[i]), expected(topology, i, static_cast<uint32_t>(all.size())).total);
      }
    }
    assembler.begin_instance();
    EXPECT_EQ(assemble(assembler, 12).at(0).id, 0u);
  }
}

TEST(Assembler, LinesOfAStripGoOn) {
  PrimitiveAssembler strip(Topology::line_strip, ProvokingVertex::first);
  const std::vector<Primitive> all = assemble(strip, 4);
  EXPECT_FALSE(all[0].continues_strip);
  EXPECT_TRUE(all[1].continues_strip);
  EXPECT_TRUE(all[2].continues_strip);
  EXPECT_FALSE(assemble(strip, 2)[0].continues_strip);
  PrimitiveAssembler list(Topology::line_list, ProvokingVertex::first);
  for (const Primitive& p : assemble(list, 8)) EXPECT_FALSE(p.continues_strip);
}

TEST(IndexBuffer, WidthsAndBounds) {
  const uint8_t raw[] = {0x01, 0x02, 0x03, 0x04, 0xff, 0xff, 0xff, 0xff, 0x05};
  const std::span<const std::byte> bytes = std::as_bytes(std::span(raw));
  const IndexBuffer bytes8{bytes, IndexSize::one}, words16{bytes, IndexSize::two}, words32{bytes, IndexSize::four};
  EXPECT_EQ(bytes8.at(8), 5u);
  EXPECT_EQ(bytes8.at(9), 0u);
  EXPECT_EQ(words16.at(1), 0x0403u);
  EXPECT_EQ(words16.at(4), 0u) << "half of it is outside";
  EXPECT_EQ(words32.at(0), 0x04030201u);
  EXPECT_EQ(words32.at(2), 0u);
  EXPECT_EQ(words32.at(UINT64_MAX), 0u);
  EXPECT_EQ((IndexBuffer{{}, IndexSize::two}.at(0)), 0u);
  EXPECT_EQ(bytes8.at(4), bytes8.restart_index());
  EXPECT_EQ(words16.at(2), words16.restart_index());
  EXPECT_EQ(words32.at(1), words32.restart_index());
  EXPECT_NE(words16.at(0), words16.restart_index());
}

}  // namespace
}  // namespace spalt::emu
