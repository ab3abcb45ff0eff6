// SPDX-License-Identifier: MIT
// Branches, calls, modes, relative moves and subvector loops (RDNA 2 ISA guide, sections 12.2, 12.3 and 12.5; RDNA
// guide for the subvector loop).
#include "scalar_row.h"

namespace spalt::semantics {
namespace {

using Op = Opcode;

constexpr unsigned kMode = 1;  ///< number of the hardware register

std::string name_of(const Trial& trial, Op opcode) {
  return isa::info(opcode, trial.target.generation).name;
}

Proof proof(Op opcode, std::function<void(Trial&)> run) {
  return {isa::info(opcode).name, {opcode}, std::move(run)};
}

// ---- branches ----

struct Branch {
  Op opcode;
  bool (*taken)(const State& state, unsigned wave_size);
};
constexpr Branch kBranches[] = {
    {Op::s_branch, [](const State&, unsigned) { return true; }},
    {Op::s_cbranch_scc0, [](const State& s, unsigned) { return !s.scc; }},
    {Op::s_cbranch_scc1, [](const State& s, unsigned) { return s.scc; }},
    {Op::s_cbranch_vccz, [](const State& s, unsigned w) { return s.mask(isa::kVcc.number, w) == 0; }},
    {Op::s_cbranch_vccnz, [](const State& s, unsigned w) { return s.mask(isa::kVcc.number, w) != 0; }},
    {Op::s_cbranch_execz, [](const State& s, unsigned w) { return s.exec(w) == 0; }},
    {Op::s_cbranch_execnz, [](const State& s, unsigned w) { return s.exec(w) != 0; }},
};

/// Forwards over an instruction, and backwards once.
void prove_branch(Trial& trial, const Branch& branch) {
  const std::string name = name_of(trial, branch.opcode);
  for (unsigned i = 0; i < 8; ++i) {
    State before = junk_state(trial.wave_size, trial.random());
    before.scc = (i & 1) != 0;
    if (i & 2) before.set_pair(isa::kVcc.number, 0);
    if (i & 4) before.set_mask(isa::kExec.number, trial.wave_size, 0);
    const bool taken = branch.taken(before, trial.wave_size);
    check_assembly(trial, name + " over\ns_movk_i32 s20, 1\nover:\ns_movk_i32 s21, 2", before, [&](State& want) {
      if (!taken) want.s[20] = 1;
      want.s[21] = 2;
    });
    check_assembly(trial, "s_branch start\nback:\ns_movk_i32 s20, 1\ns_endpgm\nstart:\n" + name + " back", before,
                   [&](State& want) {
                     if (taken) want.s[20] = 1;
                   });
  }
}

void prove_calls(Proofs& proofs) {
  constexpr uint64_t kBase = Machine::kCodeAddress;
  proofs.push_back(proof(Op::s_getpc_b64, [](Trial& trial) {
    check_assembly(trial, "s_nop 0\n" + name_of(trial, Op::s_getpc_b64) + " s[20:21]",
                   junk_state(trial.wave_size, trial.random()), [](State& want) { want.set_pair(20, kBase + 8); });
  }));
  // The jumps go from byte 4 over the instruction at byte 8.
  const auto with_target = [](Trial& trial) {
    State state = junk_state(trial.wave_size, trial.random());
    state.set_pair(8, kBase + 12);
    return state;
  };
  proofs.push_back(proof(Op::s_setpc_b64, [with_target](Trial& trial) {
    check_assembly(trial, "s_nop 0\ns_setpc_b64 s[8:9]\ns_movk_i32 s20, 1\ns_movk_i32 s21, 2", with_target(trial),
                   [](State& want) { want.s[21] = 2; });
  }));
  proofs.push_back(proof(Op::s_swappc_b64, [with_target](Trial& trial) {
    check_assembly(trial, "s_nop 0\ns_swappc_b64 s[24:25], s[8:9]\ns_movk_i32 s20, 1\ns_movk_i32 s21, 2",
                   with_target(trial), [](State& want) {
                     want.s[21] = 2;
                     want.set_pair(24, kBase + 8);
                   });
  }));
  proofs.push_back(proof(Op::s_call_b64, [with_target](Trial& trial) {
    check_assembly(trial, "s_nop 0\ns_call_b64 s[24:25], over\ns_movk_i32 s20, 1\nover:\ns_movk_i32 s21, 2",
                   with_target(trial), [](State& want) {
                     want.s[21] = 2;
                     want.set_pair(24, kBase + 8);
                   });
  }));
  proofs.push_back(proof(Op::s_endpgm, [](Trial& trial) {
    check_assembly(trial, "s_movk_i32 s20, 1\ns_endpgm\ns_movk_i32 s21, 2", junk_state(trial.wave_size, trial.random()),
                   [](State& want) { want.s[20] = 1; });
  }));
}

// ---- the MODE register ----

std::string hwreg(unsigned offset, unsigned width) {
  return "hwreg(" + std::to_string(kMode) + ", " + std::to_string(offset) + ", " + std::to_string(width) + ")";
}
uint32_t with_field(uint32_t value, unsigned offset, unsigned width, uint32_t bits) {
  const auto mask = static_cast<uint32_t>(((uint64_t{1} << width) - 1) << offset);
  return (value & ~mask) | (bits << offset & mask);
}

void prove_modes(Proofs& proofs) {
  // Fields that every generation has: rounding in bits 3:0, denormals in 7:4.
  for (const bool immediate : {false, true}) {
    const Op opcode = immediate ? Op::s_setreg_imm32_b32 : Op::s_setreg_b32;
    proofs.push_back(proof(opcode, [immediate, opcode](Trial& trial) {
      for (unsigned i = 0; i < 8; ++i) {
        State before = junk_state(trial.wave_size, trial.random());
        before.mode = trial.random() & 0xff;
        const unsigned offset = trial.random() % 8, width = 1 + trial.random() % (8 - offset);
        const std::string source = immediate ? std::to_string(before.s[8]) : "s8";
        check_assembly(trial, name_of(trial, opcode) + " " + hwreg(offset, width) + ", " + source, before,
                       [&](State& want) { want.mode = with_field(want.mode, offset, width, want.s[8]); });
      }
    }));
  }
  proofs.push_back(proof(Op::s_getreg_b32, [](Trial& trial) {
    for (unsigned i = 0; i < 8; ++i) {
      State before = junk_state(trial.wave_size, trial.random());
      before.mode = trial.random() & 0xff;
      const unsigned offset = trial.random() % 8, width = 1 + trial.random() % (8 - offset);
      check_assembly(trial, "s_getreg_b32 s20, " + hwreg(offset, width), before,
                     [&](State& want) { want.s[20] = want.mode >> offset & ((1u << width) - 1); });
    }
  }));
  for (const bool denormals : {false, true}) {
    const Op opcode = denormals ? Op::s_denorm_mode : Op::s_round_mode;
    proofs.push_back(proof(opcode, [denormals, opcode](Trial& trial) {
      for (unsigned value = 0; value < 16; ++value) {
        State before = junk_state(trial.wave_size, trial.random());
        before.mode = trial.random() & 0xff;
        check_assembly(trial, name_of(trial, opcode) + " " + std::to_string(value), before,
                       [&](State& want) { want.mode = with_field(want.mode, denormals ? 4 : 0, 4, value); });
      }
    }));
  }
}

// ---- registers chosen by m0 ----

void prove_relative_moves(Proofs& proofs) {
  const auto with_m0 = [](Trial& trial, uint32_t value) {
    State state = junk_state(trial.wave_size, trial.random());
    state.s[isa::kM0.number] = value;
    return state;
  };
  proofs.push_back(proof(Op::s_movrels_b32, [with_m0](Trial& trial) {
    for (unsigned by = 0; by < 20; ++by) {
      check_assembly(trial, "s_movrels_b32 s20, s30", with_m0(trial, by),
                     [by](State& want) { want.s[20] = want.s[30 + by]; });
    }
  }));
  proofs.push_back(proof(Op::s_movrels_b64, [with_m0](Trial& trial) {
    for (unsigned by = 0; by < 20; by += 2) {
      check_assembly(trial, "s_movrels_b64 s[20:21], s[30:31]", with_m0(trial, by),
                     [by](State& want) { want.set_pair(20, want.pair(30 + by)); });
    }
  }));
  proofs.push_back(proof(Op::s_movreld_b32, [with_m0](Trial& trial) {
    for (unsigned by = 0; by < 20; ++by) {
      check_assembly(trial, "s_movreld_b32 s30, s8", with_m0(trial, by),
                     [by](State& want) { want.s[30 + by] = want.s[8]; });
    }
  }));
  proofs.push_back(proof(Op::s_movreld_b64, [with_m0](Trial& trial) {
    for (unsigned by = 0; by < 20; by += 2) {
      check_assembly(trial, "s_movreld_b64 s[30:31], s[8:9]", with_m0(trial, by),
                     [by](State& want) { want.set_pair(30 + by, want.pair(8)); });
    }
  }));
  // The source moves by bits 9:0, the destination by bits 25:16.
  proofs.push_back(proof(Op::s_movrelsd_2_b32, [with_m0](Trial& trial) {
    for (unsigned by = 0; by < 20; ++by) {
      const unsigned to = 19 - by;
      check_assembly(trial, "s_movrelsd_2_b32 s30, s60", with_m0(trial, by | to << 16),
                     [=](State& want) { want.s[30 + to] = want.s[60 + by]; });
    }
  }));
}

/// GFX9: m0 holds the index in bits 7:0 and which operands move in bits 15:12: sources 0 to 2 and the destination.
void prove_gpr_index(Proofs& proofs) {
  Proof all{"s_set_gpr_idx",
            {Op::s_set_gpr_idx_on, Op::s_set_gpr_idx_off, Op::s_set_gpr_idx_mode, Op::s_set_gpr_idx_idx},
            {}};
  all.run = [](Trial& trial) {
    for (unsigned enables = 0; enables < 16; ++enables) {
      State before = junk_state(trial.wave_size, trial.random());
      before.s[8] = 5;
      const auto at = [](unsigned reg, bool moved, unsigned by) { return moved ? reg + by : reg; };
      const auto add = [&](State& want, unsigned dst, unsigned by, unsigned bits) {
        for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
          want.v[at(dst, bits & 8, by)][lane] =
              want.v[at(4, bits & 1, by)][lane] + want.v[at(5, bits & 2, by)][lane] + want.v[at(6, bits & 4, by)][lane];
        }
      };
      const std::string text =
          "s_set_gpr_idx_on s8, " + std::to_string(enables) +
          "\nv_add3_u32 v20, v4, v5, v6\ns_set_gpr_idx_idx 2\nv_add3_u32 v21, v4, v5, v6\n"
          "s_set_gpr_idx_mode 8\nv_add3_u32 v22, v4, v5, v6\ns_set_gpr_idx_off\nv_add3_u32 v23, v4, v5, v6";
      check_assembly(trial, text, before, [&](State& want) {
        add(want, 20, 5, enables);
        add(want, 21, 2, enables);
        add(want, 22, 2, 8);
        add(want, 23, 0, 0);
        want.s[isa::kM0.number] = (want.s[isa::kM0.number] & 0xffff0f00u) | 2 | 8u << 12;
      });
    }
  };
  proofs.push_back(all);
}

/// GFX9: while MODE.VSKIP is set, vector instructions of every kind are passed over, those that would fault as well.
void prove_vskip(Proofs& proofs) {
  proofs.push_back(proof(Op::s_setvskip, [](Trial& trial) {
    for (unsigned i = 0; i < 8; ++i) {
      State before = junk_state(trial.wave_size, trial.random());
      before.mode = trial.random() & 0xff;
      const uint32_t bits = before.s[8] = trial.random();
      const unsigned bit = trial.random() % 32;
      const bool skips = (bits >> bit & 1) != 0;
      before.s[9] = bit | 0x40;
      // No memory, no LDS: each of these would be a fault.
      const std::string accesses = skips ? "v_mov_b32 v5, v6\nglobal_load_dword v7, v[8:9], off\nds_write_b32 v1, v2\n"
                                           "v_readfirstlane_b32 s22, v1\nv_cmp_eq_u32 s[24:25], v1, v1\n"
                                         : "v_mov_b32 v5, v6\n";
      const std::string text = "s_setvskip s8, s9\n" + accesses +
                               "s_movk_i32 s20, 1\ns_nop 1\ns_getreg_b32 s21, hwreg(HW_REG_MODE, 28, 1)\n"
                               "s_setvskip 0, 0\nv_mov_b32 v10, v11";
      check_assembly(trial, text, before, [&](State& want) {
        want.s[20] = 1;
        want.s[21] = skips ? 1 : 0;
        if (!skips) want.v[5] = want.v[6];
        want.v[10] = want.v[11];
      });
      check_assembly(trial, "s_setreg_b32 hwreg(HW_REG_MODE, 28, 1), s8\ns_nop 1\nv_mov_b32 v5, v6\ns_setvskip 0, 0",
                     before, [&](State& want) {
                       if ((bits & 1) == 0) want.v[5] = want.v[6];
                     });
    }
  }));
}

/// The halves of a wave64 one after the other; a half without lanes is left out.
void prove_subvector_loop(Proofs& proofs) {
  Proof all{"s_subvector_loop", {Op::s_subvector_loop_begin, Op::s_subvector_loop_end}, {}};
  all.run = [](Trial& trial) {
    if (trial.wave_size == 32) return trial.checked();  // of wave64 only
    for (unsigned halves = 0; halves < 4; ++halves) {
      State before = junk_state(64, trial.random());
      before.s[isa::kExec.number] = halves & 1 ? 0x12345678 : 0;
      before.s[isa::kExecHi.number] = halves & 2 ? 0x9abcdef0 : 0;
      before.s[22] = 0;
      before.scc = false;
      const std::string text =
          "s_subvector_loop_begin s20, done\nagain:\nv_not_b32 v24, v24\ns_add_u32 s22, s22, 1\n"
          "s_subvector_loop_end s20, again\ndone:";
      check_assembly(trial, text, before, [&](State& want) {
        for (unsigned lane = 0; lane < 64; ++lane) {
          if (want.exec(64) >> lane & 1) want.v[24][lane] = ~want.v[24][lane];
        }
        want.s[22] = (halves & 1) + (halves >> 1);
        if (halves == 3) want.s[20] = want.s[isa::kExec.number];
        if (halves == 1 || halves == 2) want.s[20] = 0;
      });
    }
  };
  proofs.push_back(all);
}

}  // namespace

void add_scalar_control(Proofs& proofs) {
  for (const Branch& branch : kBranches) {
    proofs.push_back(proof(branch.opcode, [branch](Trial& trial) { prove_branch(trial, branch); }));
  }
  prove_calls(proofs);
  prove_modes(proofs);
  prove_relative_moves(proofs);
  prove_gpr_index(proofs);
  prove_vskip(proofs);
  prove_subvector_loop(proofs);
}

}  // namespace spalt::semantics
