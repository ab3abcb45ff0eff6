// SPDX-License-Identifier: MIT
#include "amdgpu/isa/clock.h"

namespace spalt::isa {
namespace {

// RDNA 3 and RDNA 4 ISA guides, "S_SENDMSG messages" and "Hardware registers".
constexpr uint8_t kGetRealtime = 0x83;
constexpr uint8_t kShaderCyclesLow = 29, kShaderCyclesHigh = 30;

constexpr Clock kCycles{.opcode = Opcode::s_memtime};
constexpr Clock kRealtime{.opcode = Opcode::s_memrealtime};
constexpr Clock kRealtimeMessage{.opcode = Opcode::s_sendmsg_rtn_b64, .message = kGetRealtime};
constexpr Clock kCycleRegisters{.low_register = kShaderCyclesLow, .high_register = kShaderCyclesHigh};

struct Clocks {
  Clock wave, device;
};

// The cycles that GFX11 counts have 20 bits (SHADER_CYCLES): they run over after half a millisecond.
constexpr Clocks kClocks[] = {
    /* gfx9 */ {kCycles, kRealtime},
    /* gfx10_1 */ {kCycles, kRealtime},
    /* gfx10_3 */ {kCycles, kRealtime},
    /* gfx11 */ {kRealtimeMessage, kRealtimeMessage},
    /* gfx11_5 */ {kRealtimeMessage, kRealtimeMessage},
    /* gfx12 */ {kCycleRegisters, kRealtimeMessage},
};
static_assert(sizeof kClocks / sizeof kClocks[0] == kGenerationCount);

}  // namespace

const Clock& wave_clock(const Target& target) {
  return kClocks[static_cast<unsigned>(target.generation)].wave;
}

const Clock& device_clock(const Target& target) {
  return kClocks[static_cast<unsigned>(target.generation)].device;
}

}  // namespace spalt::isa
