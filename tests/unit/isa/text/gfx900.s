// Spellings that people write for gfx900, in wave64. See gfx1030.s.

// no VOP3 literals, one scalar source
v_add_f32 v0, v1, v2
v_add_f32 v0, s1, v2
v_add_f32 v0, v1, s2
v_add_f32 v0, 1.5, v2
v_add_f32 v0, s1, s1
v_add_f32_e64 v0, -v1, |s2|
v_add_u32 v0, v1, v2
v_add_u32 v0, 1, v2 clamp
v_add_co_u32 v0, vcc, v1, v2
v_add_co_u32 v0, s[2:3], v1, v2
v_addc_co_u32 v0, vcc, v1, v2, vcc
v_subb_co_u32 v0, s[0:1], v1, v2, s[4:5]
v_sub_u32 v0, v1, v2
v_subrev_co_u32 v0, vcc, 7, v2
v_cndmask_b32 v0, v1, v2, vcc
v_cndmask_b32 v0, v1, v2
v_cndmask_b32 v0, v1, v2, s[2:3]
v_cmp_lt_f32 vcc, v0, v1
v_cmp_lt_f32 s[2:3], v0, v1
v_cmp_lt_f32 v0, v1
v_cmpx_lt_f32 vcc, v0, v1
v_cmpx_lt_f32 s[2:3], v0, v1
v_mac_f32 v0, v1, v2
v_madak_f32 v0, v1, v2, 0x40490fdb
v_madmk_f32 v0, v1, 2.5, v2
v_mad_f32 v0, v1, v2, v3
v_mad_f32 v0, -v1, |v2|, v3 clamp mul:2
v_mad_u64_u32 v[0:1], vcc, v2, v3, v[4:5]
v_mad_mix_f32 v0, v1, -v2, |v3| op_sel_hi:[1,0,0]
v_mad_mixlo_f16 v0, v1, v2, v3
v_add3_u32 v0, v1, v2, v3
v_lshl_add_u32 v0, v1, 2, v3
v_lshlrev_b64 v[0:1], v2, v[4:5]
v_mul_lo_u32 v0, v1, s2
v_readlane_b32 s0, v1, s2
v_writelane_b32 v0, s1, m0
v_writelane_b32 v0, s1, s1
v_readfirstlane_b32 s0, v1
v_bfe_u32 v0, v1, 8, 8
v_med3_f32 v0, v1, 0, 1.0
v_div_scale_f32 v0, vcc, v1, v2, v3
v_div_fmas_f32 v0, v1, v2, v3
v_add_f16 v0, 1.0, v1
v_add_u16 v0, 0x3c00, v1
v_add_f64 v[0:1], v[2:3], 1.0
v_pk_add_f16 v0, v1, v2 op_sel:[0,1] op_sel_hi:[1,0]
v_pk_mad_i16 v0, v1, v2, v3
v_interp_p1_f32 v0, v1, attr0.x
v_interp_mov_f32 v0, p10, attr1.y

// DPP and SDWA
v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf
v_mov_b32 v0, v1 row_shl:1
v_mov_b32 v0, v1 wave_shl:1
v_mov_b32 v0, v1 wave_rol:1
v_mov_b32 v0, v1 wave_shr:1 row_mask:0xa
v_mov_b32 v0, v1 wave_ror:1 bank_mask:0x1
v_mov_b32 v0, v1 row_bcast:15
v_mov_b32 v0, v1 row_bcast:31 bound_ctrl:0
v_add_f32_dpp v0, -v1, |v2| row_mirror
v_mov_b32_sdwa v0, v1 dst_sel:BYTE_2 dst_unused:UNUSED_PAD src0_sel:WORD_1
v_add_u32_sdwa v0, s1, v2 dst_sel:DWORD src0_sel:BYTE_0 src1_sel:WORD_1
v_add_f32_sdwa v0, -v1, |v2| clamp mul:2 dst_sel:WORD_1
v_cmp_eq_u32_sdwa vcc, v1, v2 src0_sel:BYTE_1
v_cmp_eq_u32_sdwa s[2:3], v1, v2 src0_sel:BYTE_1

// registers
s_mov_b64 s[0:1], flat_scratch
s_mov_b32 flat_scratch_lo, s1
s_mov_b32 s0, xnack_mask_hi
s_mov_b64 xnack_mask, s[2:3]
s_mov_b64 vcc, exec
s_mov_b32 s101, m0
s_mov_b64 s[100:101], -1
s_mov_b32 s0, src_shared_base
s_mov_b32 s0, ttmp15
s_mov_b32 s0, 0.15915494

// scalar memory
s_load_dword s0, s[2:3], 0x10
s_load_dword s0, s[2:3], s4
s_load_dwordx4 s[4:7], s[2:3], 0x100 glc
s_buffer_load_dwordx2 s[8:9], s[4:7], 16
s_store_dword s0, s[2:3], 0x10
s_scratch_load_dword s0, s[2:3], 0x10
s_dcache_wb
s_dcache_inv
s_memtime s[0:1]
s_atomic_add s0, s[2:3], 0x10
s_atomic_add s0, s[2:3], 0x10 glc
s_dcache_discard s[2:3], 0x10

// vector memory
buffer_load_dword v0, off, s[4:7], 0 offset:4095
buffer_load_dword v0, v1, s[4:7], s3 offen glc slc
buffer_load_dword off, s[4:7], 0 lds
buffer_store_dwordx4 v[0:3], v[4:5], s[8:11], 0 idxen offen
buffer_atomic_add v0, off, s[4:7], 0 glc
buffer_wbinvl1
tbuffer_load_format_x v0, off, s[4:7], 0 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
tbuffer_load_format_x v0, off, s[4:7], 0 format:[BUF_NUM_FORMAT_UINT,BUF_DATA_FORMAT_32]
tbuffer_load_format_x v0, off, s[4:7], 0 format:[BUF_DATA_FORMAT_16]
tbuffer_load_format_x v0, off, s[4:7], 0 format:[BUF_NUM_FORMAT_SINT]
tbuffer_load_format_x v0, off, s[4:7], 0
flat_load_dword v0, v[2:3] offset:4095
flat_atomic_add v0, v[2:3], v4 glc
global_load_dword v0, v[2:3], off offset:-4096
global_load_dword v0, v1, s[2:3] offset:4095 glc
global_store_dwordx2 v[2:3], v[4:5], off
scratch_load_dword v0, v1, off
scratch_load_dword v0, off, s2 offset:8
ds_read_b32 v0, v1 offset:4
ds_add_u32 v0, v1 gds
ds_swizzle_b32 v0, v1 offset:swizzle(REVERSE,4)
image_load v[0:3], v4, s[8:15] dmask:0xf unorm
image_sample v[0:3], v4, s[8:15], s[16:19] dmask:0xf da
image_load v0, v4, s[8:15] dmask:0x1 unorm glc slc a16

// program control
s_waitcnt vmcnt(63)
s_waitcnt vmcnt(3) & lgkmcnt(15)
s_waitcnt lgkmcnt(0)
s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 1)
s_sendmsg sendmsg(MSG_INTERRUPT)
s_getreg_b32 s0, hwreg(HW_REG_HW_ID)
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0
s_set_gpr_idx_on s0, gpr_idx(SRC0)
s_set_gpr_idx_on s0, gpr_idx(SRC0,SRC1,SRC2,DST)
s_set_gpr_idx_on s0, 8
s_set_gpr_idx_mode gpr_idx(DST, SRC0)
s_set_gpr_idx_mode 3
s_set_gpr_idx_off
s_cbranch_scc0 4
s_call_b64 s[0:1], 4
s_endpgm
exp mrt0 v0, v0, v1, v1 compr vm
exp pos3 v0, v1, v2, v3 done
