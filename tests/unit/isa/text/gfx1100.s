// Spellings that people write for gfx1100, in wave32. See gfx1030.s.

// vector instructions
v_add_f32 v0, v1, v2
v_add_f32 v0, 0x12345678, v2
v_add_nc_u32 v0, v1, v2
v_cndmask_b32 v0, v1, v2, vcc_lo
v_cmp_lt_f32 vcc_lo, v0, v1
v_cmpx_lt_f32 v0, v1
v_mov_b32 v0, null
v_mov_b32 v0, m0
v_mov_b16 v0.l, v1.h
v_mov_b16 v0.h, s1
v_add_f16 v0, v1, v2
v_add_f16 v127, v1, 1.5
v_add_f16 v128, v1, v2
v_fma_f16 v0, v1, v2, v3 op_sel:[1,0,0,1]
v_dot2acc_f32_f16 v0, v1, v2
v_minmax_f32 v0, v1, v2, v3
v_pk_fma_f16 v0, v1, v2, v3 op_sel_hi:[0,1,1]
v_fma_mix_f32 v0, -v1, v2, |v3| op_sel_hi:[0,0,1]
v_dot4_i32_iu8 v0, v1, v2, v3 neg_lo:[1,0,0]
v_permlane64_b32 v0, v1
v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]

// DPP, also in VOP3
v_mov_b32 v0, v1 row_shl:1
v_mov_b32 v0, v1 quad_perm:[3,2,1,0] bound_ctrl:1
v_add_f32 v0, v1, v2 row_mirror
v_add_f32 v0, v1, v2 clamp row_mirror
v_add_f32_e64_dpp v0, -v1, |v2| clamp quad_perm:[3,2,1,0] row_mask:0x0 bank_mask:0x0
v_fma_f32 v0, v1, v2, v3 row_share:1
v_fma_f32_e64_dpp v0, v1, v2, v3 dpp8:[7,6,5,4,3,2,1,0]
v_cmp_lt_f32 vcc_lo, v1, v2 row_shl:1
v_cmp_lt_f32_e64_dpp s0, v1, v2 row_shl:1
v_add_f32 v0, v1, v2 dpp8:[7,6,5,4,3,2,1,0]

// two operations in one
v_dual_add_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v4, v5
v_dual_mov_b32 v0, 1.0 :: v_dual_mov_b32 v1, s2
v_dual_fmaak_f32 v0, v1, v2, 0x12345678 :: v_dual_add_f32 v3, v4, v5
v_dual_add_f32 v0, 0x12345678, v2 :: v_dual_fmamk_f32 v3, v4, 0x12345678, v5
v_dual_cndmask_b32 v0, v1, v2 :: v_dual_lshlrev_b32 v3, 4, v5
v_dual_fmac_f32 v0, s1, v2 :: v_dual_fmac_f32 v1, s2, v3

// memory
s_load_b32 s0, s[2:3], 0x10
s_load_b64 s[0:1], s[2:3], null
s_load_b128 s[4:7], s[2:3], s4 offset:0x10
s_buffer_load_b256 s[8:15], s[4:7], 0x20 glc dlc
s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_DOORBELL)
s_sendmsg_rtn_b64 s[0:1], sendmsg(MSG_RTN_GET_REALTIME)
s_sendmsg_rtn_b32 s0, 132
buffer_load_b32 v0, v1, s[4:7], 0 offen offset:4095 glc slc dlc
buffer_load_b32 v0, off, s[4:7], null
buffer_store_b128 v[0:3], v4, s[8:11], s3 idxen
buffer_atomic_add_u32 v0, off, s[4:7], 0 glc
tbuffer_load_format_x v0, off, s[4:7], 0 format:[BUF_FMT_32_FLOAT]
flat_load_b32 v0, v[2:3] offset:4095
global_load_b32 v0, v[2:3], off offset:-4096
global_load_b32 v0, v1, s[2:3]
global_atomic_add_u32 v0, v1, v2, s[2:3] glc
scratch_load_b32 v0, v1, s2
scratch_load_b32 v0, off, s2 offset:16
scratch_store_b32 v1, v0, off
scratch_store_b32 off, v0, off offset:4
ds_load_b32 v0, v1 offset:4
ds_load_2addr_b32 v[0:1], v2 offset0:1 offset1:2
ds_store_b128 v0, v[4:7]
ds_bvh_stack_rtn_b32 v0, v1, v2, v[4:7]
image_load v[0:3], v[4:5], s[8:15] dmask:0xf dim:2D unorm
image_sample v[0:3], [v4, v6], s[8:15], s[16:19] dmask:0xf dim:2D
image_sample_d v[0:3], [v1, v2, v3, v4, v[5:6]], s[8:15], s[16:19] dmask:0xf dim:2D
image_bvh_intersect_ray v[4:7], [v9, v10, v[11:13], v[14:16], v[17:19]], s[4:7]

// interpolation, export, control
lds_param_load v0, attr0.x wait_vdst:15
lds_direct_load v0 wait_vdst:3
v_interp_p10_f32 v0, v1, v2, v3 wait_exp:7
v_interp_p2_f32 v0, -v1, v2, v3 clamp wait_exp:1
exp mrt0 v0, v1, v2, v3 done
exp dual_src_blend0 v0, v1, off, off row_en
exp pos0 v0, v1, v2, v3
s_delay_alu instid0(VALU_DEP_1)
s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
s_delay_alu instid0(TRANS32_DEP_2)|instskip(SKIP_3)|instid1(VALU_DEP_4)
s_delay_alu instid1(VALU_DEP_1) | instid0(VALU_DEP_2)
s_delay_alu instid0(NO_DEP) | instskip(SAME) | instid1(FMA_ACCUM_CYCLE_1)
s_delay_alu 0x91
s_waitcnt vmcnt(0) lgkmcnt(0)
s_waitcnt vmcnt(63)
s_waitcnt 0
s_waitcnt_depctr depctr_va_vdst(0)
s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
s_sendmsg sendmsg(MSG_INTERRUPT)
s_sendmsg 3
s_getreg_b32 s0, hwreg(HW_REG_SHADER_CYCLES, 0, 20)
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3
s_clause 0x3
s_set_inst_prefetch_distance 0x1
s_endpgm
