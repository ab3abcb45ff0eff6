// SPDX-License-Identifier: MIT
// Rules about one instruction, and clauses (RDNA ISA guides, S_CLAUSE and S_DELAY_ALU; LLVM's subtarget features).
#include <gtest/gtest.h>

#include "hazard_case.h"

namespace spalt::emu::test {
namespace {

#define LOAD "global_load_dword v1, v2, s[20:21]\n"
#define STORE "global_store_dword v2, v3, s[20:21]\n"
#define IMAGE_LOAD "image_load v1, v[2:3], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D\n"
#define IMAGE_SAMPLE "image_sample v4, v[2:3], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D\n"
#define SCALAR_LOAD "s_load_dword s24, s[4:5], 0\n"
#define EIGHT_MOVES                                                                                                  \
  "v_mov_b32 v1, 0\nv_mov_b32 v1, 0\nv_mov_b32 v1, 0\nv_mov_b32 v1, 0\nv_mov_b32 v1, 0\nv_mov_b32 v1, 0\nv_mov_b32 " \
  "v1, 0\nv_mov_b32 v1, 0\n"
#define FOUR_MOVES "v_mov_b32 v1, 0\nv_mov_b32 v1, 0\nv_mov_b32 v1, 0\nv_mov_b32 v1, 0\n"
// 0x40 dwords of s_nop
#define NOPS_8 "s_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\ns_nop 0\n"
#define NOPS_64 NOPS_8 NOPS_8 NOPS_8 NOPS_8 NOPS_8 NOPS_8 NOPS_8 NOPS_8

constexpr HazardCase kCases[] = {
    {"Offset3f", "gfx1010", 32, "s_branch 63\n" NOPS_64, "s_branch 62\n" NOPS_64, "gfx1030"},
    {"Offset3f", "gfx1013", 64, "s_cbranch_scc0 63\n" NOPS_64, "s_cbranch_scc0 64\n" NOPS_64, "gfx900"},
    {"InstFwdPrefetch", "gfx1010", 32, "s_inst_prefetch 0x3", "s_nop 3", "gfx1030"},
    {"FlatSegmentOffset", "gfx1010", 32, "flat_load_dword v1, v[2:3] offset:4",
     "global_load_dword v1, v[2:3], off offset:4", "gfx1030"},
    {"MADIntraFwd", "gfx1100", 32, "v_mad_u64_u32 v[2:3], null, v4, v5, v[2:3]",
     "v_mad_u64_u32 v[2:3], null, v4, v5, v[6:7]", "gfx1150"},
    {"MADIntraFwd", "gfx1102", 64, "v_mad_i64_i32 v[2:3], null, v3, v5, v[6:7]",
     "v_mad_i64_i32 v[2:3], null, s3, v5, v[1:2]", "gfx1150"},
    {"DeallocVGPRs", "gfx1100", 32, "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)",
     "s_nop 0\ns_sendmsg sendmsg(MSG_DEALLOC_VGPRS)"},
    {"ClauseLength", "gfx1030", 32, "s_clause 0\n" LOAD, "s_clause 0x1\n" LOAD LOAD},
    {"ClauseLength", "gfx1010", 32, "s_clause 63\n" LOAD,
     "s_clause 62\n" EIGHT_MOVES EIGHT_MOVES EIGHT_MOVES EIGHT_MOVES EIGHT_MOVES EIGHT_MOVES EIGHT_MOVES FOUR_MOVES
     "v_mov_b32 v1, 0\nv_mov_b32 v1, 0\nv_mov_b32 v1, 0\n"},
    {"ClauseLength", "gfx1100", 32, "s_clause 32\n" EIGHT_MOVES EIGHT_MOVES EIGHT_MOVES EIGHT_MOVES "v_mov_b32 v1, 0\n",
     "s_clause 31\n" EIGHT_MOVES EIGHT_MOVES EIGHT_MOVES EIGHT_MOVES, "gfx1030"},
    {"ClauseContents", "gfx1030", 32, "s_clause 0x1\n" LOAD "v_mov_b32 v5, 0\n" LOAD,
     "s_clause 0x1\n" LOAD LOAD "v_mov_b32 v5, 0\n"},
    {"ClauseContents", "gfx1030", 32, "s_clause 0x1\n" LOAD "s_mov_b32 s24, 0\n" LOAD,
     "s_clause 0x2\n" LOAD "s_nop 0\n" LOAD},
    {"ClauseContents", "gfx1030", 32, "s_clause 0x1\n" LOAD SCALAR_LOAD,
     "s_clause 0x1\n" SCALAR_LOAD "s_load_dword s25, s[4:5], 0"},
    {"ClauseContents", "gfx1030", 32, "s_clause 0x1\nds_read_b32 v3, v2\n" LOAD,
     "s_clause 0x1\nds_read_b32 v3, v2\nds_write_b32 v2, v4\n"},
    {"ClauseContents", "gfx1010", 64, "s_clause 0x1\ns_nop 0\n" LOAD, "s_clause 0x1\n" LOAD STORE},
    {"ClauseContents", "gfx1030", 32, "s_clause 0x1\n" LOAD "flat_load_dword v3, v[4:5]",
     "s_clause 0x1\n" LOAD "buffer_load_dword v3, v4, s[8:11], 0 offen"},
    {"ClauseContents", "gfx1100", 32,
     "s_clause 0x1\nglobal_load_b32 v1, v2, s[20:21]\nglobal_store_b32 v2, v3, s[20:21]",
     "s_clause 0x1\nglobal_store_b32 v2, v4, s[20:21]\nglobal_store_b32 v2, v3, s[20:21]"},
    {"ClauseContents", "gfx1030", 32, "s_clause 0x2\n" LOAD "s_clause 0x1\n" LOAD,
     "s_clause 0x1\n" LOAD LOAD "s_clause 0x1\n" LOAD LOAD},
    {"ClauseContents", "gfx1030", 32, "s_clause 0x2\n" LOAD LOAD "s_endpgm", "s_clause 0x1\n" LOAD LOAD "s_endpgm"},
    {"ClauseContents", "gfx1030", 32, "s_clause 0x2\n" LOAD LOAD "s_branch 0\n" LOAD,
     "s_branch 0\ns_clause 0x1\n" LOAD LOAD},
    {"ClauseContents", "gfx1150", 32,
     "s_clause 0x1\nv_mov_b32 v1, 0\ns_delay_alu instid0(VALU_DEP_1)\nv_mov_b32 v2, v1",
     "s_clause 0x1\nv_mov_b32 v1, 0\nv_mov_b32 v2, v1"},
    {"NSAClause", "gfx1010", 32, "s_clause 0x1\nimage_load v1, [v2, v5], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D\n" LOAD,
     "s_clause 0x1\nimage_load v1, v[2:3], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D\n" LOAD, "gfx1030"},
    {"ClauseContents", "gfx1100", 32, "s_clause 0x1\n" IMAGE_LOAD IMAGE_SAMPLE,
     "s_clause 0x1\n" IMAGE_SAMPLE "image_gather4_lz v[8:11], v[2:3], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D",
     "gfx1030"},
    {"ClauseContents", "gfx1150", 64, "s_clause 0x1\nglobal_load_b32 v1, v2, s[20:21]\n" IMAGE_LOAD,
     "s_clause 0x1\n" IMAGE_LOAD IMAGE_LOAD},
    {"ClauseContents", "gfx1200", 32,
     "s_clause 0x1\nimage_load v1, [v2, v3], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D\n"
     "image_sample v4, [v2, v3], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D",
     "s_clause 0x1\nimage_sample v1, [v2, v3], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D\n"
     "image_sample v4, [v2, v3], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D"},
    {"NSALength", "gfx1010", 32,
     "image_sample_d v1, [v2, v3, v4, v5, v6, v7], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D",
     "image_sample_d v1, v[2:7], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D"},
    {"NSALength", "gfx1013", 64,
     "image_sample_d v1, [v2, v3, v4, v5, v6, v8], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D",
     "image_sample_l_o v1, [v2, v3, v4, v5, v8], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_3D"},
    {"DelayReserved", "gfx1100", 32, ".long 0xbf87000c", ".long 0xbf87000b"},
    {"DelayReserved", "gfx1150", 32, ".long 0xbf870061", ".long 0xbf870051"},
    {"DelayReserved", "gfx1100", 32, ".long 0xbf870611", ".long 0xbf870591"},
};

TEST(Hazards, SingleInstructionsAndClauses) {
  check_cases(kCases);
}

}  // namespace

std::span<const HazardCase> single_cases() {
  return kCases;
}

}  // namespace spalt::emu::test
