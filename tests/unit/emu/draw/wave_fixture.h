// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../assemble.h"
#include "emu/launch/program.h"
#include "emu/wave/graphics_link.h"
#include "emu/wave/wave.h"

namespace spalt::emu::test {

/// Stands in for all fixed-function parts: remembers what comes and gives parameters by a formula.
struct RecordingLink final : GraphicsLink {
  struct Sent {
    WaveExport what;
    std::array<std::vector<uint32_t>, 4> lanes;
  };
  std::vector<Sent> sent;
  unsigned allocations = 0;
  bool ended = false;
  unsigned attributes = 4;
  std::map<unsigned, ParameterPoints> points;  ///< by quad; of every attribute and channel

  std::string take(const Wave&, const WaveExport& data) override {
    Sent& s = sent.emplace_back();
    s.what = data;
    for (size_t i = 0; i < 4; ++i) {
      if (data.data[i] != nullptr) s.lanes[i].assign(data.data[i], data.data[i] + kMaxLanes);
    }
    return {};
  }
  std::string allocate(const Wave&) override {
    ++allocations;
    return {};
  }
  std::string check_attribute(const Wave&, unsigned attribute) const override {
    return attribute < attributes ? std::string() : std::string("reads an attribute that is not declared");
  }
  ParameterPoints parameter(unsigned quad, unsigned, unsigned) const override {
    const auto at = points.find(quad);
    return at != points.end() ? at->second : ParameterPoints{};
  }
  std::string end(const Wave&) override {
    ended = true;
    return {};
  }
};

/// One wave with a link, without memory.
class WaveFixture {
 public:
  WaveFixture(const std::string& text, const char* target, unsigned wave_size = 64)
      : code_(assemble(text + "\ns_endpgm\n", wave_size, target)),
        program_(code_, 0x10000, *isa::find_target(target), wave_size, 32),
        wave(program_, group_, wave_size, 32) {
    group_.visited.resize(program_.step_count());
    wave.reset(0xbad0c0de);
    wave.graphics = &link;
    wave.mode.bits = 0xf0;
    wave.set_exec(wave_size == 64 ? ~uint64_t{0} : 0xffffffffu);
    wave.start_at(0);
  }
  /// The fault, or nothing.
  std::string run() {
    wave.run(1000);
    return wave.state() == WaveState::faulted ? wave.fault_record().violation : std::string();
  }

 private:
  std::vector<uint8_t> code_;
  Program program_;
  GroupMemory group_;

 public:
  RecordingLink link;
  Wave wave;
};

}  // namespace spalt::emu::test
