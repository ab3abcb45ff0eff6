// Lines that neither llvm-mc-19 nor we take for gfx1030 in wave32.

v_addd_f32 v0, v1, v2
v_add_u32 v0, v1, v2
v_add_f32
v_add_f32 v0
v_add_f32 v0, v1
v_add_f32 v0, v1, v2, v3
v_add_f32 v0,, v1, v2
v_add_f32 v0, v1, v2 glc
v_add_f32 v0, v1, v2 mul:3
v_add_f32 v0, v1, v[2:3]
v_add_f32 v0, v1, v256
v_add_f32 s0, v1, v2
v_add_f32 v0, v1, 0x1ffffffff
v_add_f32 v0, v1, 1e50
v_add_f32 v0, 1e-50, v1
v_add_f32_e32 v0, -v1, v2
v_add_f32_e32 v0, v1, s2
v_add_f32_e32 v0, v1, v2 clamp
v_add_f32_e64 v0, v1, v2 row_mirror
v_add_f32_sdwa v0, v1, 0x1234
v_add_f32_dpp v0, v1, v2
v_add_f32_dpp v0, s1, v2 row_mirror
v_add_f16 v0, 0x12345, v1
v_add_f16 v0, 1e10, v1
v_add_f64 v[0:1], v[2:3], 0x3ff1000000000000
v_and_b32 v0, -v1, v2
v_fma_f32_e32 v0, v1, v2, v3
v_fma_f32 v0, s0, s1, s2
v_fma_f32 v0, 0x1234, v1, 0x4321
v_mul_f32 v0, 0x1234, 0x4321
v_mov_b32 v0, v[0:1]
v_mov_b32 v0, s106
v_mov_b32 v0, s[0:1]
v_mov_b32 v0, v1.l
v_mov_b32 v0, off
v_mov_b32 v0, v1 quad_perm:[0,1,2,4]
v_mov_b32 v0, v1 quad_perm:[0,1,2]
v_mov_b32 v0, v1 row_shl:0
v_mov_b32 v0, v1 row_shl:16
v_mov_b32 v0, v1 row_shl
v_mov_b32 v0, v1 row_mirror:1
v_mov_b32 v0, v1 dpp8:[0,1,2,3,4,5,6,8]
v_mov_b32 v0, v1 dpp8:[0,1,2,3,4,5,6]
v_mov_b32 v0, v1 bank_mask:0x1
v_mov_b32_sdwa v0, v1 src0_sel:WORD_2
v_cmp_lt_f32 vcc, v0, v1
v_cmp_lt_f32 s[0:1], v0, v1
v_cndmask_b32 v0, v1, v2, vcc
v_add_co_ci_u32 v0, vcc_lo, v1, v2
v_readlane_b32 s0, v1, 0x1234
v_lshlrev_b64 v[0:1], s1, s[2:3]
v_pk_add_f16 v0, -v1, v2
v_pk_add_f16 v0, v1, v2 op_sel:[0,2]
v_pk_add_f16 v0, v1, v2 op_sel_hi:1
v_interp_p1_f32 v0, v1, attr0
v_interp_p1_f32 v0, v1, attr0.q
v_interp_mov_f32 v0, p30, attr0.x
s_mov_b32 s0, v1
s_mov_b32 1, s0
s_mov_b32 s0, -s1
s_mov_b64 s[1:2], 0
s_mov_b64 s[3:2], 0
s_mov_b64 s[0:1], 0x123456789
s_mov_b64 s[0:1], 1.5
s_movk_i32 s0, 0x12345
s_movk_i32 s0, -32769
s_movk_i32 s0, 1.0
s_add_u32 s0, 0x1234, 0x4321
s_waitcnt vmcnt(64)
s_waitcnt vmcnt(-1)
s_waitcnt foo(0)
s_waitcnt vmcnt
s_waitcnt
s_waitcnt_depctr depctr_foo(0)
s_sendmsg sendmsg(MSG_GS)
s_sendmsg sendmsg(MSG_FOO)
s_sendmsg sendmsg(MSG_INTERRUPT, 1, 2, 3)
s_getreg_b32 s0, hwreg(HW_REG_MODE, 32, 4)
s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 33)
s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 0)
s_getreg_b32 s0, hwreg(HW_REG_FOO)
s_getreg_b32 s0, hwreg(HW_REG_MODE, 1)
s_load_dword s0, s[2:3], 0x100000
s_load_dword m0, s[2:3], 0
s_load_dwordx4 s[2:5], s[2:3], 0
global_load_dword v0, v1, s[2:3] offset:5000
global_load_dword v0, v1, off
global_load_dword v0, v[2:3], s[2:3]
global_load_dword v0, v[2:3]
global_atomic_add v0, v1, v2, s[2:3]
global_atomic_add v1, v2, s[2:3] glc
flat_load_dword v0, v[2:3], off
flat_load_dword v0, v[2:3] offset:-1
scratch_load_dword v0, v1, s0
buffer_load_dword v0, v1, s[4:7], 0
buffer_load_dword v0, off, s[4:7], 0 offen
buffer_load_dword v0, v[1:2], s[4:7], 0 offen
buffer_load_dword v0, off, s[5:8], 0
buffer_load_dword v0, off, s[4:7], 0 offset:-1
ds_read_b32 v0, v1 offset:65536
ds_read2_b32 v[0:1], v2 offset:4
ds_read2_b32 v[0:1], v2 offset0:256
ds_read_b32 v0, s1
ds_gws_init v0
ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,3)
ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM,0,1,2)
ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM,"0000")
ds_swizzle_b32 v0, v1 offset:swizzle(BROADCAST,4,4)
ds_swizzle_b32 v0, v1 offset:swizzle(FOO,4,4)
image_load v0, v1, s[0:7]
image_load v0, v1, s[0:7] dmask:1
buffer_load_dword v0, off, s[4:7]
image_load v0, v1, s[0:7] dmask:1 dim:4D
image_load v[0:1], v1, s[0:7] dmask:1 dim:1D
image_load v0, v[1:2], s[0:7] dmask:1 dim:1D
image_load v0, v1, s[0:3] dmask:1 dim:1D
image_sample v[0:3], v[4:5], s[0:7], s[8:11] dmask:0x10 dim:2D
exp mrt9 v0, v0, v0, v0
exp foo v0, v0, v0, v0
exp mrt0 v0, v0, v0
tbuffer_load_format_x v0, off, s[4:7], 0 format:[BUF_FMT_7]
tbuffer_load_format_x v0, off, s[4:7], 0 format:128
