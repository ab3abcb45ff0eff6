// SPDX-License-Identifier: MIT
#include "amdgpu/sched/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "amdgpu/mir/parser.h"

namespace spalt::sched {
namespace {

using mir::InstId;
using mir::Opcode;

std::string vgpr(int value) {
  return "%" + std::to_string(value) + ":v1";
}

/// Loads `count` values at addresses of their own, all before the first use, and then uses them one after the other.
std::string loads_before_uses(int count) {
  const int loads = 100, uses = 100 + 2 * count;
  std::string text = "machine gfx1030 wave64 masked\nb0:\n  %0:s4@s[0:3], %2:v1@v0 = p_start\n  p_logical_start\n";
  for (int i = 0; i < count; ++i) {
    text += "  " + vgpr(loads + 2 * i) + " = v_add_nc_u32 " + vgpr(2) + ", " + vgpr(2) + "\n";
    text += "  " + vgpr(loads + 2 * i + 1) + " = buffer_load_dword " + vgpr(loads + 2 * i) +
            ", %0:s4, 0x0 offen mem(reads_buffer)\n";
  }
  for (int i = 0; i < count; ++i) {
    const std::string sum = i == 0 ? vgpr(2) : vgpr(uses + i - 1);
    text += "  " + vgpr(uses + i) + " = v_add_nc_u32 " + sum + ", " + vgpr(loads + 2 * i + 1) + "\n";
  }
  text += "  buffer_store_dword " + vgpr(uses + count - 1) + ", %2:v1, %0:s4, 0x0 offen mem(writes_buffer)\n";
  return text + "  p_logical_end\n  s_endpgm\n";
}

/// The most loaded values that wait for their uses at one place.
long most_waiting(const mir::Function& function) {
  long waiting = 0, most = 0;
  for (InstId id : function.blocks[function.layout[0]].insts) {
    const auto uses = function.uses(id);
    if (function.insts[id].opcode == Opcode::buffer_load_dword) ++waiting;
    if (function.insts[id].opcode == Opcode::v_add_nc_u32 && uses[1].value != 2) --waiting;
    most = std::max(most, waiting);
  }
  return most;
}

/// 200 registers of 256 would be full, and are more than the scheduler hides latency for.
TEST(Schedule, ABlockThatFillsTheRegistersIsMadeCheaper) {
  Result<mir::Function> function = mir::parse(loads_before_uses(200));
  ASSERT_TRUE(function) << function.error().message;
  ASSERT_EQ(most_waiting(*function), 200);
  CompileContext context;
  schedule(*function, context);
  EXPECT_LT(most_waiting(*function), 128);
}

}  // namespace
}  // namespace spalt::sched
