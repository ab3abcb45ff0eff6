// SPDX-License-Identifier: MIT
#include "emu/hazards/partial_forwarding.h"

#include <algorithm>

#include "emu/hazards/steps.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

bool writes_exec(const Step& step) {
  return hazard::writes_scalar(step, isa::kExec.number, 2);
}

}  // namespace

bool PartialForwarding::concerns(const Step& step, const isa::Target& target) {
  return hazard::is_vector(step, target) || (hazard::is_scalar(step, target) && writes_exec(step)) ||
         hazard::waits_for_vector_results(step, target);
}

void PartialForwarding::observe(Wave& wave, const Step& step) {
  if (!step.hazards.vector) {
    if (step.step_class == StepClass::salu) {
      ++exec_writes_;
    } else {
      vectors_ = exec_writes_ = 0;
    }
    return;
  }
  if (exec_writes_ != 0 && vectors_ >= 2 && fails(step)) {
    wave.fault(
        FaultKind::hazard,
        "hazard VALUPartialForwarding: reads registers that vector instructions wrote shortly before and after a "
        "scalar "
        "write of exec; needs s_waitcnt_depctr 0xfff before it");
  }
  Writes& writes = written_[vectors_++ % kRemembered];
  writes.registers = RegList();
  hazard::vgprs_written(step, writes.registers);
  writes.exec_writes = exec_writes_;
}

bool PartialForwarding::fails(const Step& step) const {
  RegList sources;
  hazard::vgprs_read(step, sources);
  // The last write after an exec write, and the last one before that exec write.
  uint32_t behind = 0;
  for (const RegRange& source : sources) {
    const uint32_t age = age_of_write(source);
    if (age != 0 && at_age(age).exec_writes != 0 && (behind == 0 || age < behind)) behind = age;
  }
  if (behind == 0 || behind - 1 > kBehindWrites) return false;
  const uint32_t exec_writes = at_age(behind).exec_writes;
  return std::any_of(sources.begin(), sources.end(), [&](const RegRange& source) {
    const uint32_t age = age_of_write(source);
    return age > behind && at_age(age).exec_writes < exec_writes && age - behind - 1 <= kBetweenWrites;
  });
}

uint32_t PartialForwarding::age_of_write(const RegRange& range) const {
  for (uint32_t age = 1; age <= std::min(vectors_, kRemembered); ++age) {
    for (const RegRange& written : at_age(age).registers) {
      if (written.overlaps(range)) return age;
    }
  }
  return 0;
}

}  // namespace spalt::emu
