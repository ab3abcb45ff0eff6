// SPDX-License-Identifier: MIT
// Instructions that move data between lanes or choose registers by m0 (RDNA 2 ISA guide, sections 12.8 and 12.11; RDNA
// 3 guide for V_PERMLANE64). DPP is tried with every instruction that has it.
#include "scalar_row.h"

namespace spalt::semantics {
namespace {

using Op = Opcode;

constexpr unsigned kRuns = 8;

Proof proof(Op opcode, std::function<void(Trial&)> run) {
  return {isa::info(opcode).name, {opcode}, std::move(run)};
}

State with_some_lanes(Trial& trial, unsigned run) {
  State state = junk_state(trial.wave_size, trial.random());
  const uint64_t lanes = trial.random() | static_cast<uint64_t>(trial.random()) << 32;
  if (run != 0) state.set_mask(isa::kExec.number, trial.wave_size, run == 1 ? 0 : lanes);
  return state;
}
bool active(const State& state, unsigned lane, unsigned wave_size) {
  return (state.exec(wave_size) >> lane & 1) != 0;
}
template <class F>
void for_active_lanes(const State& state, unsigned wave_size, F function) {
  for (unsigned lane = 0; lane < wave_size; ++lane) {
    if (active(state, lane, wave_size)) function(lane);
  }
}

void prove_reads_and_writes(Proofs& proofs) {
  proofs.push_back(proof(Op::v_readfirstlane_b32, [](Trial& trial) {
    for (unsigned run = 0; run < kRuns; ++run) {
      check_assembly(trial, "v_readfirstlane_b32 s20, v4", with_some_lanes(trial, run), [&](State& want) {
        unsigned first = 0;
        while (first < trial.wave_size && !active(want, first, trial.wave_size)) ++first;
        want.s[20] = want.v[4][first == trial.wave_size ? 0 : first];
      });
    }
  }));
  proofs.push_back(proof(Op::v_readlane_b32, [](Trial& trial) {
    for (unsigned run = 0; run < kRuns; ++run) {
      check_assembly(trial, "v_readlane_b32 s20, v4, s8\nv_readlane_b32 s21, v5, 17", with_some_lanes(trial, run),
                     [&](State& want) {
                       want.s[20] = want.v[4][want.s[8] % trial.wave_size];
                       want.s[21] = want.v[5][17];
                     });
    }
  }));
  proofs.push_back(proof(Op::v_writelane_b32, [](Trial& trial) {
    for (unsigned run = 0; run < kRuns; ++run) {
      check_assembly(trial, "s_mov_b32 m0, s8\nv_writelane_b32 v24, s9, m0\nv_writelane_b32 v25, -5, 17",
                     with_some_lanes(trial, run), [&](State& want) {
                       want.s[isa::kM0.number] = want.s[8];
                       want.v[24][want.s[8] % trial.wave_size] = want.s[9];
                       want.v[25][17] = static_cast<uint32_t>(-5);
                     });
    }
  }));
}

/// Each lane takes the lane of its row (or of the other one of its pair of rows) that its nibble of the selects names.
void prove_permlane(Proofs& proofs) {
  for (const bool other_row : {false, true}) {
    const Op opcode = other_row ? Op::v_permlanex16_b32 : Op::v_permlane16_b32;
    proofs.push_back(proof(opcode, [other_row, opcode](Trial& trial) {
      for (unsigned run = 0; run < 2 * kRuns; ++run) {
        const bool fetch_inactive = (run & 1) != 0, bound_control = (run & 2) != 0;
        const std::string text =
            std::string(isa::info(opcode).name) + " v24, v4, s8, s9" +
            (fetch_inactive || bound_control
                 ? std::string(" op_sel:[") + (fetch_inactive ? "1," : "0,") + (bound_control ? "1]" : "0]")
                 : "");
        const State before = with_some_lanes(trial, run % 5);
        check_assembly(trial, text, before, [&](State& want) {
          for_active_lanes(before, trial.wave_size, [&](unsigned lane) {
            const uint32_t selects = lane % 16 < 8 ? before.s[8] : before.s[9];
            const unsigned row = lane / 16 ^ (other_row ? 1 : 0), from = 16 * row + (selects >> (4 * (lane % 8)) & 15);
            if (fetch_inactive || active(before, from, trial.wave_size)) {
              want.v[24][lane] = before.v[4][from];
            } else if (bound_control) {
              want.v[24][lane] = 0;
            }
          });
        });
      }
    }));
  }
  proofs.push_back(proof(Op::v_permlane64_b32, [](Trial& trial) {
    for (unsigned run = 0; run < kRuns; ++run) {
      const State before = with_some_lanes(trial, run);
      check_assembly(trial, "v_permlane64_b32 v24, v4", before, [&](State& want) {
        if (trial.wave_size == 32) return;  // does nothing
        for_active_lanes(before, 64, [&](unsigned lane) { want.v[24][lane] = before.v[4][lane ^ 32]; });
      });
    }
  }));
}

// ---- registers chosen by m0 ----

struct RelativeMove {
  Op opcode;
  bool moves_source, moves_destination, two_fields, swaps;
};
constexpr RelativeMove kRelativeMoves[] = {
    {Op::v_movrels_b32, true, false, false, false}, {Op::v_movreld_b32, false, true, false, false},
    {Op::v_movrelsd_b32, true, true, false, false}, {Op::v_movrelsd_2_b32, true, true, true, false},
    {Op::v_swaprel_b32, true, true, true, true},    {Op::v_swap_b32, false, false, false, true},
};

void prove_relative_move(Trial& trial, const RelativeMove& move) {
  for (unsigned run = 0; run < 2 * kRuns; ++run) {
    State before = with_some_lanes(trial, run % 4);
    const unsigned source_by = trial.random() % 8, other = trial.random() % 8;
    const unsigned destination_by = move.two_fields ? other : source_by;
    before.s[isa::kM0.number] = move.two_fields ? source_by | other << 16 : source_by;
    const unsigned from = 4 + (move.moves_source ? source_by : 0),
                   to = 24 + (move.moves_destination ? destination_by : 0);
    check_assembly(trial, std::string(isa::info(move.opcode).name) + " v24, v4", before, [&](State& want) {
      for_active_lanes(before, trial.wave_size, [&](unsigned lane) {
        want.v[to][lane] = before.v[from][lane];
        if (move.swaps) want.v[from][lane] = before.v[to][lane];
      });
    });
  }
}

/// Halves of registers of which one is high and one low.
void prove_swapped_halves(Trial& trial) {
  for (unsigned run = 0; run < kRuns; ++run) {
    const State before = with_some_lanes(trial, run);
    check_assembly(trial, "v_swap_b16 v24.h, v4.l", before, [&](State& want) {
      for_active_lanes(before, trial.wave_size, [&](unsigned lane) {
        const uint32_t first = before.v[24][lane], second = before.v[4][lane];
        want.v[24][lane] = (first & 0xffff) | second << 16;
        want.v[4][lane] = (second & 0xffff0000u) | first >> 16;
      });
    });
  }
}

}  // namespace

void add_vector_lane(Proofs& proofs) {
  prove_reads_and_writes(proofs);
  prove_permlane(proofs);
  proofs.push_back(proof(Op::v_swap_b16, prove_swapped_halves));
  for (const RelativeMove& move : kRelativeMoves) {
    proofs.push_back(proof(move.opcode, [move](Trial& trial) { prove_relative_move(trial, move); }));
  }
}

}  // namespace spalt::semantics
