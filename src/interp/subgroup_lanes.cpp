// SPDX-License-Identifier: MIT
// Operations between the lanes that run together.
#include <bit>

#include "interp/subgroup.h"
#include "ir/ballot.h"
#include "ir/scan.h"

namespace spalt::interp {

void Subgroup::copy_first_lane(const Code& code) {
  for (unsigned i = 0; i < code.count; ++i) {
    const uint64_t value = row(code.a + i)[first_running()];
    uint64_t* to = row(code.dest + i);
    for_running([&](unsigned lane) { to[lane] = value; });
  }
}

void Subgroup::any_lane(const Code& code) {
  const uint64_t* condition = row(code.a);
  uint64_t any = 0;
  for_running([&](unsigned lane) { any |= condition[lane] & 1; });
  uint64_t* to = row(code.dest);
  for_running([&](unsigned lane) { to[lane] = any; });
}

void Subgroup::ballot(const Code& code) {
  const uint64_t* condition = row(code.a);
  uint64_t bits = 0;
  for_running([&](unsigned lane) {
    if (lane / 32 == (code.imm & ir::kBallotDword)) bits |= (condition[lane] & 1) << lane % 32;
  });
  uint64_t* to = row(code.dest);
  for_running([&](unsigned lane) { to[lane] = bits; });
}

/// What lanes that do not run hold is undefined in SPIR-V, and so is a lane that differs between those that ask.
bool Subgroup::read_lane(const Code& code) {
  const uint64_t lane = row(code.b)[first_running()];
  bool runs = false, agree = true;
  for_running([&](unsigned other) {
    runs |= other == lane;
    agree &= row(code.b)[other] == lane;
  });
  if (!agree) return fail(code, first_running(), "reads a lane that is not the same for all");
  if (!runs) return fail(code, first_running(), "reads lane " + std::to_string(lane) + ", which does not run");
  for (unsigned i = 0; i < code.count; ++i) {
    const uint64_t value = row(code.a + i)[lane];
    uint64_t* to = row(code.dest + i);
    for_running([&](unsigned to_lane) { to[to_lane] = value; });
  }
  return true;
}

/// A lane that does not run may be asked for: it gives 0 here. One of another group may not.
bool Subgroup::shuffle(const Code& code) {
  const uint64_t* from = row(code.a);
  const uint64_t* source = row(code.b);
  uint64_t* to = row(code.dest);
  LaneMask runs;
  for_running([&](unsigned lane) {
    runs.set(lane);
    to[lane] = 0;
  });
  for (unsigned i = 0; i < running_; ++i) {
    const unsigned lane = lanes_[i];
    if (source[lane] >= width_ || !runs.test(static_cast<unsigned>(source[lane]))) continue;
    if (source[lane] / code.imm != lane / code.imm) {
      return fail(code, lane, "reads lane " + std::to_string(source[lane]) + " of another group");
    }
    to[lane] = from[source[lane]];
  }
  return true;
}

/// Combines the lanes in their order, one by one.
void Subgroup::scan(const Code& code) {
  const ir::ScanForm form = ir::ScanForm::unpack(program_.function->inst(code.value).imm);
  const uint64_t identity = ir::scan_identity(form.combine, program_.function->type(code.value));
  const uint64_t* from = row(code.a);
  const uint64_t* is_member = row(code.b);
  uint64_t* to = row(code.dest);
  const auto in_part = [&](unsigned lane, unsigned other) {
    if (form.kind == ir::ScanKind::cluster) return lane / form.cluster == other / form.cluster;
    if (code.op == ir::Op::scan) return true;
    return other < 64 && (row(other < 32 ? code.c : code.d)[lane] >> other % 32 & 1) != 0;
  };
  for_running([&](unsigned lane) {
    uint64_t pair[] = {identity, 0};
    bool any = false;
    for_running([&](unsigned other) {
      const bool comes_too_late = (form.kind == ir::ScanKind::inclusive && other > lane) ||
                                  (form.kind == ir::ScanKind::exclusive && other >= lane);
      if (comes_too_late || (is_member[other] & 1) == 0 || !in_part(lane, other)) return;
      pair[1] = from[other];
      pair[0] = any ? code.evaluator(pair) : pair[1];
      any = true;
    });
    to[lane] = pair[0];
  });
}

void Subgroup::bits_below(const Code& code) {
  const uint64_t* bits = row(code.a);
  const uint64_t* base = row(code.b);
  uint64_t* to = row(code.dest);
  const uint64_t first = code.imm * 32;
  for_running([&](unsigned lane) {
    const uint64_t count = lane <= first ? 0 : lane - first >= 32 ? 32 : lane - first;
    const uint64_t below = bits[lane] & ((uint64_t{1} << count) - 1);
    to[lane] = (base[lane] + static_cast<uint64_t>(std::popcount(below))) & 0xffffffffu;
  });
}

/// Each value has a row of its own, so that no lane reads what another one has written.
void Subgroup::permute_quads(const Code& code) {
  const uint64_t* from = row(code.a);
  uint64_t* to = row(code.dest);
  for_running([&](unsigned lane) { to[lane] = from[(lane & ~3u) | (code.imm >> 2 * (lane & 3) & 3)]; });
}

}  // namespace spalt::interp
