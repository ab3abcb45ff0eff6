// SPDX-License-Identifier: MIT
// EXP, and the loads of parameters from LDS (RDNA 2 ISA guide, chapter 11; RDNA 3 ISA guide, "Export" and "LDS
// parameter load"). Where the data goes is up to the GraphicsLink of the wave.
#include "base/bits.h"
#include "emu/scalar/salu.h"
#include "emu/wave/graphics_link.h"

namespace spalt::emu {
namespace {

constexpr unsigned kQuadLanes = 4;

WaveExport read_export(const Wave& wave, const Step& step) {
  const isa::Modifiers& mods = step.inst.mods;
  WaveExport data;
  data.target = mods.export_target;
  data.enable = mods.export_enable;
  data.done = mods.export_done;
  data.compressed = mods.export_compressed;
  data.valid_mask = mods.export_valid_mask;
  data.lanes = wave.exec();
  for (unsigned i = 0; i < data.data.size(); ++i) {
    if (step.src[i].kind == SourceKind::vgpr) data.data[i] = wave.vgpr(step.src[i].index);
  }
  return data;
}

void export_data(Wave& wave, const Step& step) {
  if (wave.graphics == nullptr) {
    wave.fault(FaultKind::graphics, "exports from a wave that belongs to no draw");
    return;
  }
  const WaveExport data = read_export(wave, step);
  if (std::string violation = wave.graphics->take(wave, data); !violation.empty()) {
    wave.fault(FaultKind::graphics, std::move(violation));
    return;
  }
  PendingExport pending;
  pending.target = data.target;
  pending.lanes = data.lanes;
  for (unsigned i = 0; i < data.data.size(); ++i) {
    if (data.data[i] != nullptr) pending.vgprs[pending.count++] = static_cast<uint8_t>(step.src[i].index);
  }
  wave.waits.issue_export(pending);
}

/// P0, P10 and P20 of the primitive of each quad land in its lanes 0, 1 and 2.
void load_parameter(Wave& wave, const Step& step) {
  if (wave.graphics == nullptr) {
    wave.fault(FaultKind::graphics, "reads an attribute in a wave that has none");
    return;
  }
  const unsigned attribute = step.inst.mods.interp_attribute;
  if (std::string violation = wave.graphics->check_attribute(wave, attribute); !violation.empty()) {
    wave.fault(FaultKind::graphics, std::move(violation));
    return;
  }
  uint32_t* dst = wave.vgpr(step.dst);
  for (unsigned first = 0; first < wave.size(); first += kQuadLanes) {
    const uint64_t quad = bits_of(wave.exec(), first, kQuadLanes);
    if (quad == 0) continue;
    if (quad != 0xf) {
      wave.fault(FaultKind::graphics, "loads a parameter with a part of a quad", static_cast<int>(first));
      return;
    }
    const ParameterPoints points =
        wave.graphics->parameter(first / kQuadLanes, attribute, step.inst.mods.interp_channel);
    dst[first] = points.p0;
    dst[first + 1] = points.p10;
    dst[first + 2] = points.p20;
  }
  wave.waits.issue_parameter(wave, step.dst, wave.exec());
}

constexpr HandlerRow kRows[] = {
    {isa::Opcode::exp, export_data},
    {isa::Opcode::lds_param_load, load_parameter},
};

}  // namespace

void add_export(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
