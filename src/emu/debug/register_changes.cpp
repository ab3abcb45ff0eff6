// SPDX-License-Identifier: MIT
#include "emu/debug/register_changes.h"

#include <bit>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "emu/launch/program.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

struct ScalarName {
  uint16_t number;
  std::string_view name;
};
constexpr ScalarName kScalarNames[] = {{isa::kVcc.number, "vcc_lo"},
                                       {isa::kVccHi.number, "vcc_hi"},
                                       {isa::kM0.number, "m0"},
                                       {isa::kExec.number, "exec_lo"},
                                       {isa::kExecHi.number, "exec_hi"}};
constexpr unsigned kScalarCount = isa::kExecHi.number + 1, kTtmpCount = 16;

bool parse_number(std::string_view text, unsigned limit, unsigned& number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size() && number < limit;
}

template <class... Arguments>
void append(std::string& out, const char* format, Arguments... arguments) {
  char buffer[96];
  std::snprintf(buffer, sizeof buffer, format, arguments...);
  out += buffer;
}

/// The lanes in `lanes`: one value when they all have it, else one each; "--------" for the others.
void append_lanes(std::string& out, const uint32_t* values, uint64_t lanes, unsigned wave_size) {
  bool uniform = true;
  const uint32_t first = values[std::countr_zero(lanes)];
  for (unsigned lane = 0; lane < wave_size; ++lane) uniform &= !(lanes >> lane & 1) || values[lane] == first;
  if (uniform) {
    append(out, "0x%08x in lanes 0x%0*llx", first, static_cast<int>(wave_size / 4),
           static_cast<unsigned long long>(lanes));
    return;
  }
  for (unsigned lane = 0; lane < wave_size; ++lane) {
    if (lane != 0) out += lane % 8 == 0 ? "\n        " : " ";
    if (lanes >> lane & 1) {
      append(out, "%08x", values[lane]);
    } else {
      out += "--------";
    }
  }
}

uint64_t all_lanes(const Wave& wave) {
  return wave.size() == 64 ? ~uint64_t{0} : (uint64_t{1} << wave.size()) - 1;
}

}  // namespace

bool RegisterRef::parse(std::string_view name, RegisterRef& ref) {
  if (name == "scc") {
    ref = {Kind::scc, 0};
    return true;
  }
  for (const ScalarName& entry : kScalarNames) {
    if (name != entry.name) continue;
    ref = {Kind::scalar, entry.number};
    return true;
  }
  unsigned number = 0;
  if (name.starts_with("ttmp") && parse_number(name.substr(4), kTtmpCount, number)) {
    ref = {Kind::scalar, isa::kTtmp0.number + number};
  } else if (name.starts_with('s') && parse_number(name.substr(1), isa::kVcc.number, number)) {
    ref = {Kind::scalar, number};
  } else if (name.starts_with('v') && parse_number(name.substr(1), 256, number)) {
    ref = {Kind::vector, number};
  } else {
    return false;
  }
  return true;
}

std::string RegisterRef::name() const {
  if (kind == Kind::scc) return "scc";
  if (kind == Kind::vector) return "v" + std::to_string(index);
  for (const ScalarName& entry : kScalarNames) {
    if (entry.number == index) return std::string(entry.name);
  }
  if (index >= isa::kTtmp0.number && index < isa::kTtmp0.number + kTtmpCount) {
    return "ttmp" + std::to_string(index - isa::kTtmp0.number);
  }
  return "s" + std::to_string(index);
}

bool RegisterRef::exists(const Wave& wave) const {
  return kind != Kind::vector || index < wave.vgpr_count();
}

uint32_t RegisterRef::read(const Wave& wave, unsigned lane) const {
  if (kind == Kind::scc) return wave.scc ? 1 : 0;
  return kind == Kind::vector ? wave.vgpr(index)[lane % kMaxLanes] : wave.read_s32(index);
}

void RegisterChanges::start(const Wave& wave) {
  changes_.clear();
  for (unsigned i = 0; i < kScalarCount; ++i) scalar_[i] = wave.read_s32(i);
  scc_ = wave.scc;
  vector_.assign(wave.vgpr(0), wave.vgpr(0) + size_t{wave.vgpr_count()} * kMaxLanes);
}

void RegisterChanges::update(const Wave& wave) {
  changes_.clear();
  for (unsigned i = 0; i < kScalarCount; ++i) {
    const uint32_t now = wave.read_s32(i);
    if (now == scalar_[i]) continue;
    changes_.push_back({{RegisterRef::Kind::scalar, i}, scalar_[i], 0});
    scalar_[i] = now;
  }
  if (wave.scc != scc_) {
    changes_.push_back({{RegisterRef::Kind::scc, 0}, scc_ ? 1u : 0u, 0});
    scc_ = wave.scc;
  }
  for (unsigned i = 0; i < wave.vgpr_count(); ++i) {
    uint32_t* before = vector_.data() + size_t{i} * kMaxLanes;
    const uint32_t* now = wave.vgpr(i);
    if (std::memcmp(before, now, wave.size() * sizeof *now) == 0) continue;
    uint64_t lanes = 0;
    for (unsigned lane = 0; lane < wave.size(); ++lane) {
      if (before[lane] != now[lane]) lanes |= uint64_t{1} << lane;
    }
    changes_.push_back({{RegisterRef::Kind::vector, i}, 0, lanes});
    std::memcpy(before, now, wave.size() * sizeof *now);
  }
}

std::string describe_changes(const RegisterChanges& changes, const Wave& wave) {
  std::string out;
  for (const RegisterChanges::Change& change : changes.changes()) {
    out += "    " + change.ref.name() + " = ";
    if (change.ref.kind == RegisterRef::Kind::vector) {
      append_lanes(out, wave.vgpr(change.ref.index), change.lanes, wave.size());
    } else {
      append(out, "0x%08x (was 0x%08x)", change.ref.read(wave, 0), change.before);
    }
    out += '\n';
  }
  return out;
}

std::string describe_register(const RegisterRef& ref, const Wave& wave) {
  std::string out = ref.name() + " = ";
  if (!ref.exists(wave)) return ref.name() + " does not exist in this program";
  if (ref.kind == RegisterRef::Kind::vector) {
    append_lanes(out, wave.vgpr(ref.index), all_lanes(wave), wave.size());
  } else {
    append(out, "0x%08x", ref.read(wave, 0));
  }
  return out;
}

std::string describe_position(const Wave& wave) {
  const Step& step = wave.current_step();
  std::string out;
  const std::array<uint32_t, 3>& id = wave.group_id();
  append(out, "workgroup (%u, %u, %u) wave %u pc 0x%06x: ", id[0], id[1], id[2], wave.wave_id_in_group, step.pc);
  return out + wave.program().text(step);
}

}  // namespace spalt::emu
