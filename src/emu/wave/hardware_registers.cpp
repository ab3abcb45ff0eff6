// SPDX-License-Identifier: MIT
// Section "Hardware registers" of each ISA guide; the numbers come from the tables of the assembler.
#include "emu/wave/hardware_registers.h"

#include <algorithm>
#include <string_view>

#include "amdgpu/isa/text/names.h"
#include "base/bits.h"
#include "emu/launch/program.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

enum class Meaning : uint8_t {
  none,
  mode,
  status,
  private_state,  ///< of GFX12: scc and the state of the barrier, which older ones have in STATUS or not at all
  exceptions,     ///< none is ever raised
  zero,           ///< describes the machine; nothing depends on it
  wave_id,
  scratch_low,
  scratch_high,
  clock20,  ///< the low 20 bits of a clock that only has to advance
  clock_low,
  clock_high
};

struct NamedMeaning {
  std::string_view name;
  Meaning meaning;
};
constexpr NamedMeaning kMeanings[] = {
    {"MODE", Meaning::mode},
    {"STATUS", Meaning::status},
    {"STATE_PRIV", Meaning::private_state},
    {"TRAPSTS", Meaning::exceptions},
    {"EXCP_FLAG_USER", Meaning::exceptions},
    {"GPR_ALLOC", Meaning::zero},
    {"LDS_ALLOC", Meaning::zero},
    {"SH_MEM_BASES", Meaning::zero},
    {"HW_ID2", Meaning::zero},
    {"HW_ID", Meaning::wave_id},
    {"HW_ID1", Meaning::wave_id},
    {"FLAT_SCR_LO", Meaning::scratch_low},
    {"FLAT_SCR_HI", Meaning::scratch_high},
    {"SCRATCH_BASE_LO", Meaning::scratch_low},
    {"SCRATCH_BASE_HI", Meaning::scratch_high},
    {"SHADER_CYCLES", Meaning::clock20},
    {"SHADER_CYCLES_LO", Meaning::clock_low},
    {"SHADER_CYCLES_HI", Meaning::clock_high},
};

constexpr unsigned kStatePriv = 4;

const char* name_of(const Wave& wave, unsigned id) {
  return isa::find_name(isa::hw_register_names(wave.program().target().generation), id);
}

Meaning meaning_of(const Wave& wave, unsigned id) {
  const char* name = name_of(wave, id);
  if (name == nullptr) return Meaning::none;
  const auto found = std::find_if(std::begin(kMeanings), std::end(kMeanings),
                                  [name](const NamedMeaning& row) { return row.name == name; });
  return found == std::end(kMeanings) ? Meaning::none : found->meaning;
}

bool scc_is_in_status(const Wave& wave) {
  const char* name = name_of(wave, kStatePriv);
  return name == nullptr || std::string_view(name) != "STATE_PRIV";
}

}  // namespace

bool read_hardware_register(const Wave& wave, unsigned id, uint32_t& value) {
  value = 0;
  switch (meaning_of(wave, id)) {
    case Meaning::none:
      return false;
    case Meaning::mode:
      value = wave.mode.bits;
      break;
    case Meaning::status:
      value = (wave.scc && scc_is_in_status(wave) ? 1u : 0u) | (wave.exec() == 0 ? 1u << 9 : 0u) |
              (wave.vcc() == 0 ? 1u << 10 : 0u);
      break;
    case Meaning::private_state:
      value = (wave.barrier_complete ? 1u << 2 : 0u) | (wave.scc ? 1u << 9 : 0u);
      break;
    case Meaning::exceptions:
    case Meaning::zero:
      break;
    case Meaning::wave_id:
      value = wave.wave_id_in_group;
      break;
    case Meaning::scratch_low:
      value = static_cast<uint32_t>(wave.flat_scratch);
      break;
    case Meaning::scratch_high:
      value = static_cast<uint32_t>(wave.flat_scratch >> 32);
      break;
    case Meaning::clock20:
      value = static_cast<uint32_t>(wave.instructions & 0xfffff);
      break;
    case Meaning::clock_low:
      value = static_cast<uint32_t>(wave.instructions);
      break;
    case Meaning::clock_high:
      value = static_cast<uint32_t>(wave.instructions >> 32);
      break;
  }
  return true;
}

bool write_hardware_register(Wave& wave, unsigned id, uint32_t value) {
  switch (meaning_of(wave, id)) {
    case Meaning::mode:
      wave.set_mode(value);
      return true;
    case Meaning::exceptions:
      return true;
    case Meaning::scratch_low:
      wave.flat_scratch = with_bits(wave.flat_scratch, 0, 32, value);
      return true;
    case Meaning::scratch_high:
      wave.flat_scratch = with_bits(wave.flat_scratch, 32, 32, value);
      return true;
    default:
      return false;
  }
}

}  // namespace spalt::emu
