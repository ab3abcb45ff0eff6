// Spellings that people write. Every line must assemble to the same bytes as llvm-mc-19 gives for gfx1030 in wave32.

// the shortest encoding that takes the operands
v_add_f32 v0, v1, v2
v_add_f32 v0, s1, v2
v_add_f32 v0, v1, s2
v_add_f32 v0, s1, s2
v_add_f32 v255, v255, v255
v_add_f32 v0, 1.0, v2
v_add_f32 v0, v1, 1.0
v_add_f32 v0, 0x12345678, v2
v_add_f32 v0, v2, 0x12345678
v_add_f32 v0, s1, 0x12345678
v_add_f32 v0, v1, v2 clamp
v_add_f32 v0, v1, v2 mul:2
v_add_f32 v0, v1, v2 clamp mul:4
v_add_f32 v0, v1, v2, clamp
v_add_f32 v0, -v1, v2
v_add_f32 v0, v1, |v2|
v_add_f32 v0, -|v1|, -v2
v_add_f32 v0, neg(v1), abs(v2)
v_add_f32 v0, -abs(v1), neg(|v2|)
v_add_f32 v0, neg(abs(v1)), v2
v_add_f32 v0, |s1|, v2
v_mov_b32 v0, v1
v_mov_b32 v0, s1
v_mov_b32 v0, 0
v_mov_b32 v0, 64
v_mov_b32 v0, 65
v_mov_b32 v0, -16
v_mov_b32 v0, -17
v_mov_b32 v0, vcc_lo
v_mov_b32 v0, exec_hi
v_mov_b32 v0, m0
v_mov_b32 v0, null
v_mov_b32 v0, ttmp15
v_mov_b32 v0, src_scc
v_mov_b32 v0, scc
v_mov_b32 v0, vccz
v_mov_b32 v0, src_execz
v_mov_b32 v0, shared_base
v_mov_b32 v0, src_shared_limit
v_mov_b32 v0, private_base
v_mov_b32 v0, src_private_limit
v_mov_b32 v0, pops_exiting_wave_id
v_mov_b32 v0, lds_direct
v_mov_b32 v0, src_lds_direct
V_MOV_B32 v0, v1
S_Mov_B32 s0, s1

// suffixes
v_add_f32_e32 v0, v1, v2
v_add_f32_e64 v0, v1, v2
v_add_f32_e64 v0, 1.0, 1.0
v_mov_b32_e32 v0, 0x1234
v_mov_b32_e64 v0, 0x1234
v_mov_b32_e64 v0, 1
v_mov_b32_e64 v0, v1
v_fma_f32_e64 v0, v1, v2, v3
v_cndmask_b32_e32 v0, v1, v2, vcc_lo
v_cndmask_b32_e64 v0, v1, v2, vcc_lo
v_cndmask_b32_e64 v0, -v1, |v2|, s0
v_cmp_eq_u32_e32 vcc_lo, v0, v1
v_cmp_eq_u32_e64 vcc_lo, v0, v1
v_cmp_eq_u32_e64 s7, v0, v1
v_cmpx_eq_f32_e32 v0, v1
v_cmpx_eq_f32_e64 v0, s1
v_interp_p1_f32_e32 v0, v1, attr0.x
v_interp_p1_f32_e64 v0, v1, attr0.x
v_nop
v_nop_e32
v_nop_e64

// registers
v_add_f32 v[0], v[1:1], v2
s_mov_b32 s[0], s[5:5]
s_mov_b64 s[0:1], s[2:3]
s_mov_b64 s[104:105], s[100:101]
s_mov_b64 [s2,s3], [s4, s5]
s_mov_b64 vcc, exec
s_mov_b64 exec, vcc
s_mov_b64 ttmp[2:3], ttmp[14:15]
s_mov_b64 null, s[2:3]
s_mov_b64 s[2:3], null
s_mov_b32 ttmp0, ttmp[1]
s_mov_b32 m0, -1
s_mov_b32 exec_lo, vcc_hi
s_mov_b64 s[0:1], src_shared_base
s_mov_b64 s[0:1], src_scc
v_lshlrev_b64 v[0:1], v2, v[4:5]
v_lshlrev_b64 v[0:1], 3, s[4:5]
v_add_f64 v[0:1], vcc, v[2:3]
v_mqsad_u32_u8 v[0:3], v[4:5], v6, v[8:11]

// integers
s_mov_b32 s0, 10
s_mov_b32 s0, 0xa
s_mov_b32 s0, 0XA
s_mov_b32 s0, 0b1010
s_mov_b32 s0, 012
s_mov_b32 s0, 0xDeadBeef
s_mov_b32 s0, -1
s_mov_b32 s0, 0xffffffff
s_mov_b32 s0, 4294967295
s_mov_b32 s0, 0xfffffff0
s_mov_b32 s0, 0xffffffef
s_mov_b32 s0, -2147483648
s_mov_b64 s[0:1], 0
s_mov_b64 s[0:1], -1
s_mov_b64 s[0:1], 64
s_mov_b64 s[0:1], 0x12345678
s_mov_b64 s[0:1], 0xffffffff
s_mov_b64 s[0:1], -100
s_mov_b64 s[0:1], 0x3ff0000000000000
s_mov_b64 s[0:1], 1.0
s_mov_b64 s[0:1], -4.0
s_cmp_eq_u64 s[0:1], 1
s_add_u32 s0, 0x12345678, 0x12345678
s_add_u32 s0, s1, 0x3f800000
s_movk_i32 s0, -1
s_movk_i32 s0, 65535
s_movk_i32 s0, -32768
s_movk_i32 s0, 0x7fff
s_addk_i32 s0, 100
s_cmpk_eq_i32 s0, -5
s_cmpk_eq_u32 s0, 0xfffb

// floating point
v_add_f32 v0, 0.5, v1
v_add_f32 v0, -0.5, v1
v_add_f32 v0, 2.0, v1
v_add_f32 v0, -4.0, v1
v_add_f32 v0, 4.00, v1
v_add_f32 v0, 1.5, v1
v_add_f32 v0, -1.5, v1
v_add_f32 v0, 1e3, v1
v_add_f32 v0, 1.0e-3, v1
v_add_f32 v0, 0x1p3, v1
v_add_f32 v0, 0x1.8p1, v1
v_add_f32 v0, .5, v1
v_add_f32 v0, 0.0, v1
v_add_f32 v0, 3.1415927, v1
v_add_f32 v0, 0.1, v1
v_add_f32 v0, 16777217.0, v1
v_add_f32 v0, 0.15915494, v1
v_add_f32 v0, 0.15915494309189532, v1
v_add_f32 v0, 0x3e22f983, v1
v_add_f32 v0, 0x3f800000, v1
v_add_f32 v0, 1, v1
v_add_f32 v0, -1, v1
v_add_f32 v0, neg(1.0), v1
v_add_f32 v0, |-1.0|, v1
v_add_f32 v0, -|2.0|, v1
v_add_f32 v0, neg(0x3fc00000), v1
v_add_f32 v0, neg(1.5), s1
v_add_f32 v0, -1.5, s1
v_add_f32_e64 v0, neg(1.0), v1
v_add_f32_e64 v0, |-1.0|, v1
v_fma_f32 v0, neg(1.0), v1, v2
v_fma_f32 v0, -1.0, v1, v2
v_fma_f32 v0, -|1.0|, v1, v2
s_mov_b32 s0, 1.0
s_mov_b32 s0, -2.5
v_add_f16 v0, 1.0, v1
v_add_f16 v0, 1.5, v1
v_add_f16 v0, 0x3c00, v1
v_add_f16 v0, 0x3e00, v1
v_add_f16 v0, 15360, v1
v_add_f16 v0, -1, v1
v_add_f16 v0, 0xffff, v1
v_add_f16 v0, 0xfff0, v1
v_add_f16 v0, 65520, v1
v_add_f16 v0, -16, v1
v_add_f16 v0, 0.1, v1
v_add_f16 v0, 0.15915494, v1
v_add_f16 v0, neg(1.0), v1
v_add_f16 v0, neg(0x1234), v1
v_fma_f16 v0, 0x1234, v1, v2
v_add_nc_u16 v0, 1, v1
v_add_nc_u16 v0, 1.0, v1
v_add_nc_u16 v0, 0x3c00, v1
v_add_nc_u16 v0, 0xfff0, v1
v_add_nc_u16 v0, 0xffff, v1
v_add_nc_u16 v0, -16, v1
v_lshrrev_b16 v0, 0xfff0, v1
v_mad_u16 v0, 0xffff, v1, v2
v_add_nc_i16 v0, -1, v1
v_add_f64 v[0:1], v[2:3], 1.0
v_add_f64 v[0:1], v[2:3], -0.5
v_add_f64 v[0:1], v[2:3], 1
v_add_f64 v[0:1], v[2:3], -16
v_add_f64 v[0:1], v[2:3], 1.5
v_add_f64 v[0:1], v[2:3], 0x3ff00000
v_add_f64 v[0:1], v[2:3], 0x3ff0000000000000
v_add_f64 v[0:1], v[2:3], 0x12345
v_add_f64 v[0:1], v[2:3], -100
v_add_f64 v[0:1], v[2:3], 0.15915494309189532
v_add_f64 v[0:1], |v[2:3]|, -v[4:5]
v_fma_f64 v[0:1], v[2:3], 1.0, v[4:5] clamp
v_cvt_f32_f64 v0, 1.0
v_cvt_f64_i32 v[0:1], 7
v_cvt_i32_f64 v0, v[2:3]
v_fmaak_f32 v0, v1, v2, 0x40490fdb
v_fmaak_f32 v0, v1, v2, 1.0
v_fmaak_f32 v0, s1, v2, 1
v_fmamk_f32 v0, v1, 3.14, v2
v_fmaak_f16 v0, v1, v2, 0x1234
v_fmaak_f16 v0, v1, v2, 1.0
v_pk_add_f16 v0, v1, v2
v_pk_add_f16 v0, v1, 1.0
v_pk_add_f16 v0, v1, 1.5
v_pk_add_f16 v0, v1, 1
v_pk_add_f16 v0, v1, -1
v_pk_add_f16 v0, v1, 0x3c003c00
v_pk_add_f16 v0, v1, 0x3c00
v_pk_add_f16 v0, v1, 0x12345678
v_pk_add_u16 v0, v1, 7
v_pk_add_u16 v0, v1, 0xffff
v_pk_add_u16 v0, v1, 0x3f800000
v_pk_add_i16 v0, v1, 1.0
v_pk_add_i16 v0, v1, 1.5

// lane masks and carries
v_cndmask_b32 v0, v1, v2, vcc_lo
v_cndmask_b32 v0, v1, v2, s3
v_cndmask_b32 v0, v1, v2
v_cndmask_b32 v0, 0, 1, vcc_lo
v_cndmask_b32 v0, 0, -1, s0
v_add_co_ci_u32 v0, vcc_lo, v1, v2, vcc_lo
v_add_co_ci_u32 v0, s0, v1, v2, s1
v_add_co_u32 v0, vcc_lo, v1, v2
v_add_co_u32 v0, s5, v1, v2
v_add_co_u32 v0, null, v1, v2
v_sub_co_ci_u32 v0, vcc_lo, 5, v2, vcc_lo
v_cmp_lt_f32 vcc_lo, v0, v1
v_cmp_lt_f32 s2, v0, v1
v_cmp_lt_f32 vcc_lo, v0, s1
v_cmp_lt_f32 vcc_lo, |v0|, -v1
v_cmp_lt_f32 v0, v1
v_cmp_class_f32 vcc_lo, v0, v1
v_cmp_class_f32 s1, -v0, 0x3
v_cmpx_gt_i32 0, v1
v_cmpx_gt_i32 v1, 0
v_div_scale_f32 v0, vcc_lo, v1, v2, v3
v_div_scale_f64 v[0:1], null, v[2:3], v[4:5], v[6:7]
v_div_fmas_f32 v0, v1, v2, v3
v_mad_u64_u32 v[0:1], null, v2, v3, v[4:5]
v_mad_u64_u32 v[0:1], s2, s3, 5, v[4:5]

// lanes
v_readlane_b32 s0, v1, s2
v_readlane_b32 s0, v1, 63
v_readlane_b32 vcc_lo, v1, m0
v_writelane_b32 v0, s1, 3
v_writelane_b32 v0, 7, s3
v_readfirstlane_b32 s0, v1
v_permlane16_b32 v0, v1, s0, 1
v_permlane16_b32 v0, v1, s0, 1 op_sel:[1,0]
v_permlanex16_b32 v0, v1, s0, s1 op_sel:[1,1]
v_swap_b32 v0, v1
v_mbcnt_lo_u32_b32 v0, -1, 0
v_mbcnt_hi_u32_b32 v0, -1, v0

// packed math and op_sel
v_pk_fma_f16 v0, v1, v2, v3
v_pk_fma_f16 v0, v1, v2, v3 op_sel:[1,0,0]
v_pk_fma_f16 v0, v1, v2, v3 op_sel_hi:[0,1,1]
v_pk_fma_f16 v0, v1, v2, v3 neg_lo:[1,0,0] neg_hi:[0,1,0] clamp
v_pk_fma_f16 v0, v1, v2, v3 op_sel:[0,0,1] op_sel_hi:[1,1,0]
v_pk_add_f16 v0, s1, v2 op_sel:[1,1]
v_pk_add_f16 v0, v1, v2 op_sel_hi:[0,1] neg_lo:[1,0]
v_pk_mul_lo_u16 v0, v1, v2 op_sel_hi:[1,0]
v_dot2_f32_f16 v0, v1, v2, v3
v_dot4_i32_i8 v0, v1, v2, v3
v_dot4_u32_u8 v0, v1, s2, 0 clamp
v_fma_mix_f32 v0, v1, v2, v3
v_fma_mix_f32 v0, -v1, |v2|, v3 op_sel_hi:[1,1,0]
v_fma_mix_f32 v0, v1, v2, v3 op_sel:[1,0,0] op_sel_hi:[1,0,0] clamp
v_fma_mixlo_f16 v0, v1, v2, v3
v_fma_mixhi_f16 v0, v1, abs(v2), v3 op_sel:[0,1,0] op_sel_hi:[0,1,0]
v_mad_u16 v0, v1, v2, v3
v_mad_u16 v0, v1, v2, v3 op_sel:[1,0,0,1]
v_add_nc_u16 v0, v1, v2 op_sel:[1,0,1]
v_fma_f16 v0, v1, v2, v3 op_sel:[0,1,0,0] clamp
v_med3_f16 v0, v1, v2, v3
v_pack_b32_f16 v0, v1, v2
v_pack_b32_f16 v0, v1, -v2 op_sel:[0,1,0]
v_cvt_pkrtz_f16_f32 v0, v1, v2
v_cvt_pkrtz_f16_f32 v0, -v1, |v2|

// DPP
v_mov_b32 v0, v1 quad_perm:[0,1,2,3]
v_mov_b32_dpp v0, v1 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf
v_mov_b32_dpp v0, v1 quad_perm:[ 3, 2, 1, 0 ]
v_mov_b32 v0, v1 row_shl:1
v_mov_b32 v0, v1 row_shr:15 row_mask:0xa
v_mov_b32 v0, v1 row_ror:4 bank_mask:0x5
v_mov_b32 v0, v1 row_mirror
v_mov_b32 v0, v1 row_half_mirror bound_ctrl:1
v_mov_b32 v0, v1 row_share:0
v_mov_b32 v0, v1 row_share:15 fi:1
v_mov_b32 v0, v1 row_xmask:1 row_mask:0 bank_mask:0
v_mov_b32 v0, v1 row_shl:1 bound_ctrl:0
v_mov_b32 v0, v1 row_shl:1 fi:0
v_mov_b32 v0, v1 row_shl:1, row_mask:0xf, bank_mask:0x3
v_add_f32_dpp v0, -v1, |v2| row_mirror
v_add_f32 v0, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf
v_add_co_ci_u32_dpp v0, vcc_lo, v1, v2, vcc_lo row_shl:3
v_cndmask_b32_dpp v0, v1, v2, vcc_lo row_shl:3
v_mov_b32 v0, v1 dpp8:[0,1,2,3,4,5,6,7]
v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0] fi:1
v_add_f32_dpp v0, v1, v2 dpp8:[1,0,3,2,5,4,7,6]
v_fmac_f32_dpp v0, v1, v2 quad_perm:[1,1,1,1] row_mask:0x0 bank_mask:0x0

// SDWA
v_mov_b32_sdwa v0, v1
v_mov_b32_sdwa v0, v1 src0_sel:WORD_1
v_mov_b32 v0, v1 src0_sel:WORD_1
v_mov_b32_sdwa v0, v1 dst_sel:BYTE_2 dst_unused:UNUSED_PAD src0_sel:BYTE_0
v_mov_b32_sdwa v0, s1 dst_sel:DWORD dst_unused:UNUSED_SEXT src0_sel:DWORD
v_mov_b32_sdwa v0, sext(v1) src0_sel:BYTE_3
v_mov_b32_sdwa v0, 1 dst_sel:WORD_1
v_add_f32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD
v_add_f32_sdwa v0, -v1, |s2| clamp src1_sel:WORD_0
v_add_f32_sdwa v0, v1, v2 mul:2 dst_sel:WORD_1
v_add_nc_u32_sdwa v0, sext(v1), sext(v2) src0_sel:BYTE_1 src1_sel:BYTE_2
v_and_b32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:WORD_1
v_cmp_eq_u32_sdwa vcc_lo, v1, v2 src0_sel:BYTE_1
v_cmp_eq_u32_sdwa s4, v1, v2 src0_sel:BYTE_1 src1_sel:DWORD
v_cmp_lt_f32_sdwa s4, -v1, |v2| src0_sel:WORD_0 src1_sel:WORD_1
v_cmpx_lt_f32_sdwa v1, v2 src0_sel:WORD_0 src1_sel:WORD_1
v_cvt_f32_ubyte0_sdwa v0, v1 src0_sel:BYTE_0
v_cndmask_b32_sdwa v0, v1, v2, vcc_lo src0_sel:WORD_1

// scalar memory
s_load_dword s0, s[2:3]
s_load_dword s0, s[2:3], 0
s_load_dword s0, s[2:3], 0x10
s_load_dword s0, s[2:3], -8
s_load_dword s0, s[2:3], 0xfffff
s_load_dword s0, s[2:3], -0x100000
s_load_dwordx2 s[0:1], s[2:3], s4
s_load_dwordx2 s[0:1], s[2:3], null
s_load_dwordx4 s[4:7], s[2:3], s4 offset:0x8
s_load_dwordx4 s[4:7], s[2:3], s4 offset:8
s_load_dwordx8 s[8:15], s[2:3], 0x40 glc
s_load_dwordx16 s[16:31], vcc, 0x40 glc dlc
s_load_dwordx2 vcc, s[2:3], m0
s_buffer_load_dword s0, s[4:7], 16
s_buffer_load_dwordx4 s[8:11], s[4:7], s1
s_buffer_load_dwordx2 s[8:9], s[4:7], s1 offset:0x20 glc
s_dcache_inv
s_gl1_inv
s_memtime s[0:1]
s_memrealtime vcc
s_atc_probe 7, s[2:3], 0x10

// buffers
buffer_load_dword v0, off, s[4:7], 0
buffer_load_dword v0, off, s[4:7], s2
buffer_load_dword v0, off, s[4:7], m0 offset:4
buffer_load_dword v0, v1, s[4:7], 0 offen
buffer_load_dword v0, v1, s[4:7], 0 offen offset:4095
buffer_load_dword v0, v1, s[4:7], 0 idxen offset:0xff glc
buffer_load_dword v0, v[2:3], s[4:7], 0 idxen offen
buffer_load_dword v0, v1, s[4:7], 0, idxen, glc
buffer_load_dword v0, off, ttmp[4:7], 0
buffer_load_dword v0, off, s[100:103], 0
buffer_load_dword v[0:1], off, s[4:7], 0 tfe
buffer_load_dword off, s[4:7], 0 lds
buffer_load_dwordx4 v[0:3], v1, s[4:7], 64 offen
buffer_load_ubyte v0, off, s[4:7], 0 offset:1
buffer_load_short_d16_hi v0, off, s[4:7], 0
buffer_load_format_xyzw v[0:3], v4, s[8:11], 0 idxen
buffer_store_dword v0, off, s[4:7], 0 offset:12
buffer_store_dwordx3 v[0:2], v4, s[8:11], s3 offen
buffer_store_byte v0, v1, s[4:7], 0 idxen noglc
buffer_atomic_add v0, v1, s[4:7], 0 offen
buffer_atomic_add v0, v1, s[4:7], 0 offen glc
buffer_atomic_cmpswap v[0:1], v2, s[4:7], 0 idxen offset:8 glc
buffer_atomic_swap_x2 v[0:1], off, s[4:7], 0 slc
buffer_gl0_inv
buffer_gl1_inv
tbuffer_load_format_x v0, off, s[4:7], 0 format:[BUF_FMT_32_FLOAT]
tbuffer_load_format_x v0, off, s[4:7], 0 format:22
tbuffer_load_format_x v0, off, s[4:7], 0
tbuffer_load_format_xyzw v[0:3], v4, s[8:11], s3 format:[BUF_FMT_8_8_8_8_UNORM] idxen offset:16 glc
tbuffer_store_format_xy v[0:1], v4, s[8:11], 0 format:[BUF_FMT_16_16_FLOAT] offen
tbuffer_load_format_d16_xyz v[0:1], v4, s[8:11], 0 format:[BUF_FMT_8_UINT] offen

// flat, global, scratch
flat_load_dword v0, v[2:3]
flat_load_dword v0, v[2:3] offset:2047 glc slc dlc
flat_store_dwordx4 v[2:3], v[4:7]
flat_atomic_add v[2:3], v4
flat_atomic_add v0, v[2:3], v4 glc
flat_atomic_cmpswap v0, v[2:3], v[4:5] glc
global_load_dword v0, v[2:3], off
global_load_dword v0, v1, s[2:3]
global_load_dword v0, v1, s[2:3] offset:-2048
global_load_dword v0, v[2:3], off offset:2047 glc slc dlc
global_load_dword v0, v1, vcc
global_load_dwordx4 v[0:3], v[4:5], off offset:0x10
global_load_ubyte_d16_hi v0, v[2:3], off
global_load_dword v[2:3], off lds
global_store_dword v[2:3], v0, off
global_store_dword v1, v0, s[2:3] offset:-4
global_store_short_d16_hi v[2:3], v0, off
global_atomic_add v[2:3], v4, off
global_atomic_add v0, v1, v2, s[2:3] glc
global_atomic_add v1, v2, s[2:3]
global_atomic_cmpswap_x2 v[0:1], v[2:3], v[4:7], off glc
global_load_dword_addtid v0, s[2:3] offset:8
global_store_dword_addtid v0, s[2:3]
scratch_load_dword v0, off, s0
scratch_load_dword v0, v1, off
scratch_load_dword v0, off, off
scratch_load_dword v0, v1, off offset:-5
scratch_store_dword off, v0, s0 offset:4
scratch_store_dword v1, v0, off
scratch_load_dwordx4 v[0:3], off, vcc_hi offset:16

// LDS
ds_read_b32 v0, v1
ds_read_b32 v0, v1 offset:65535
ds_read_b32 v0, v1, offset:4
ds_write_b32 v0, v1 offset:0x10
ds_read2_b32 v[0:1], v2 offset1:1
ds_read2_b32 v[0:1], v2 offset0:3 offset1:255
ds_read2st64_b64 v[0:3], v4 offset0:1 offset1:2
ds_write2_b32 v0, v1, v2 offset0:1
ds_write2_b64 v0, v[2:3], v[4:5] offset1:7 gds
ds_write_b128 v0, v[4:7]
ds_read_b96 v[0:2], v4
ds_add_u32 v0, v1
ds_add_u32 v0, v1 gds
ds_add_rtn_u32 v0, v1, v2 offset:4
ds_cmpst_rtn_b32 v0, v1, v2, v3
ds_cmpst_b64 v0, v[2:3], v[4:5]
ds_min_rtn_f32 v0, v1, v2
ds_bpermute_b32 v0, v1, v2
ds_permute_b32 v0, v1, v2 offset:4
ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM,0,1,2,3)
ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM, 3, 2, 1, 0)
ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM,"00p11")
ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM, "01pip")
ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,16)
ds_swizzle_b32 v0, v1 offset:swizzle(REVERSE,8)
ds_swizzle_b32 v0, v1 offset:swizzle(BROADCAST,4,1)
ds_swizzle_b32 v0, v1 offset:0x8055
ds_swizzle_b32 v0, v1 offset:0xffff
ds_swizzle_b32 v0, v1
ds_append v0 offset:4
ds_consume v0 gds
ds_nop
ds_gws_init v0 offset:4 gds
ds_gws_barrier v0 gds
ds_ordered_count v0, v1 offset:4 gds
ds_write_addtid_b32 v0 offset:8
ds_read_addtid_b32 v0 offset:8

// images
image_load v[0:3], v[4:5], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D
image_load v[0:3], v[4:5], s[0:7] dmask:0xf dim:2D unorm
image_load v0, v1, s[0:7] dmask:1 dim:1D
image_load v[0:1], [v4, v6], s[0:7] dmask:0x3 dim:SQ_RSRC_IMG_2D
image_load v[0:2], v[4:6], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D_ARRAY tfe d16
image_load v[0:1], v[4:6], s[0:7] dmask:0xf dim:3D d16
image_load v[0:4], v[4:6], s[0:7] dmask:0xf dim:CUBE tfe
image_load_mip v[0:3], v[4:6], s[0:7] dmask:0xf dim:2D
image_store v[0:3], v[4:5], s[0:7] dmask:0xf dim:2D unorm
image_store v0, v4, s[0:7] dmask:0x1 dim:1D
image_sample v[0:3], v[4:5], s[0:7], s[8:11] dmask:0xf dim:2D
image_sample v[0:3], [v4, v6], s[0:7], s[8:11] dmask:0xf dim:2D
image_sample v[0:3], [v4, v5], s[0:7], s[8:11] dmask:0xf dim:2D
image_sample v[0:3], [v4], s[0:7], s[8:11] dmask:0xf dim:1D
image_sample_l v[0:3], v[4:6], s[0:7], s[8:11] dmask:0xf dim:2D
image_sample_c_b_o v0, [v1, v2, v3, v9, v5], s[0:7], s[8:11] dmask:0x1 dim:2D
image_sample_d v0, v[1:6], s[0:7], s[8:11] dmask:0x1 dim:2D
image_sample v0, v1, s[0:7], s[8:11] dmask:0x1 dim:2D a16
image_gather4 v[0:3], v[4:5], s[0:7], s[8:11] dmask:0x1 dim:2D
image_get_resinfo v[0:3], v4, s[0:7] dmask:0xf dim:2D
image_atomic_add v0, v[4:5], s[0:7] dmask:0x1 dim:2D
image_atomic_add v0, v[4:5], s[0:7] dmask:0x1 dim:2D glc
image_atomic_cmpswap v[0:1], v4, s[0:7] dmask:0x3 dim:1D unorm glc
image_msaa_load v0, v[4:6], s[0:7] dmask:0x1 dim:2D_MSAA
image_bvh_intersect_ray v[4:7], v[9:19], s[4:7]
image_bvh_intersect_ray v[4:7], v[9:16], s[4:7] a16
image_bvh64_intersect_ray v[4:7], [v9, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19, v20], s[4:7]

// export and interpolation
exp mrt0 v0, v1, v2, v3 done vm
exp mrt0, v0, v1, v2, v3 done
exp mrt7 v0, v0, v0, v0
exp mrtz v0, off, off, off
exp null off, off, off, off done
exp pos0 v0, v1, v2, v3, done
exp pos4 v0 v1 v2 v3
exp prim v0, off, off, off done
exp param31 v0, v1, off, off
exp mrt0 v0, v0, v1, v1 compr vm
exp mrt0 v0, v0, off, off compr
v_interp_p1_f32 v0, v1, attr0.x
v_interp_p2_f32 v0, v1, attr32.w
v_interp_mov_f32 v0, p10, attr1.y
v_interp_mov_f32 v0, p20, attr1.z
v_interp_mov_f32 v0, p0, attr1.z
v_interp_p1ll_f16 v0, v1, attr3.y
v_interp_p1lv_f16 v0, v1, attr3.y, v2 high
v_interp_p2_f16 v0, v1, attr3.w, v2 high
v_interp_p2_f16 v0, v1, attr3.w, v2

// program control
s_nop 0
s_nop 5
s_nop 0xffff
s_nop -1
s_endpgm
s_endpgm 1
s_branch 4
s_branch 0xfffc
s_branch -1
s_cbranch_scc0 10
s_cbranch_vccnz 0x20
s_call_b64 s[0:1], 5
s_barrier
s_waitcnt 0
s_waitcnt 0x3f70
s_waitcnt vmcnt(0)
s_waitcnt lgkmcnt(0)
s_waitcnt vmcnt(0) lgkmcnt(0)
s_waitcnt vmcnt(0) & lgkmcnt(1)
s_waitcnt vmcnt(0), expcnt(1), lgkmcnt(63)
s_waitcnt expcnt(3)vmcnt(7)
s_waitcnt vmcnt(63) expcnt(7) lgkmcnt(63)
s_waitcnt vmcnt_sat(100)
s_waitcnt lgkmcnt( 2 )
s_waitcnt_vscnt null, 0
s_waitcnt_vscnt null, 0x3f
s_waitcnt_lgkmcnt s0, 3
s_waitcnt_depctr 0xffe3
s_waitcnt_depctr depctr_hold_cnt(0)
s_waitcnt_depctr depctr_vm_vsrc(0) depctr_sa_sdst(0)
s_waitcnt_depctr depctr_va_vdst(3) & depctr_va_ssrc(0)
s_sendmsg sendmsg(MSG_INTERRUPT)
s_sendmsg 1
s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT)
s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 2)
s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT_CUT, 0)
s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)
s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)
s_sendmsg sendmsg(MSG_SYSMSG, SYSMSG_OP_TTRACE_PC)
s_sendmsg sendmsg(2, 2, 1)
s_sendmsg sendmsg(15, 1)
s_sendmsghalt sendmsg(MSG_GET_DOORBELL)
s_getreg_b32 s0, hwreg(HW_REG_MODE)
s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 4)
s_getreg_b32 s0, hwreg(1, 31, 1)
s_getreg_b32 s0, hwreg(HW_REG_SHADER_CYCLES, 0, 20)
s_getreg_b32 s0, 0x1801
s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s0
s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0x12345
s_setreg_imm32_b32 hwreg(HW_REG_MODE), 3
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0
s_version 4
s_version UC_VERSION_GFX10
s_version UC_VERSION_GFX10|UC_VERSION_W32_BIT
s_version (UC_VERSION_GFX10 | UC_VERSION_W64_BIT) | UC_VERSION_MDP_BIT
s_clause 0x3
s_clause 63
s_inst_prefetch 3
s_inst_prefetch 0x1
s_round_mode 0x5
s_denorm_mode 15
s_setprio 3
s_sleep 10
s_sethalt 1
s_trap 2
s_icache_inv
s_ttracedata
s_wait_idle
s_code_end
s_getpc_b64 s[0:1]
s_setpc_b64 s[0:1]
s_swappc_b64 s[2:3], s[0:1]
s_and_saveexec_b32 s0, vcc_lo
s_and_saveexec_b64 s[0:1], vcc
s_subvector_loop_begin s0, 4
s_movrels_b32 s0, s2
s_cmp_lg_u32 s0, 0
s_bitcmp1_b64 s[0:1], 5
s_cselect_b32 s0, 1, 0
s_bfe_u32 s0, s1, 0x80004
s_bfm_b64 s[0:1], s2, s3
s_mul_hi_u32 s0, s1, 0xcccccccd
s_mov_b32 s0, s1 ; a comment
s_mov_b32 s0, s1 // a comment
v_add_f32 v0, v1, v2 mul:2 // a comment
v_mov_b32_sdwa v0, v1 src0_sel:WORD_1 ; a comment
v_mov_b32 v0, v1 row_shl:1 /* a comment */ row_mask:0x3
ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,16) // a comment
s_mov_b32 s0, /* in the middle */ s1
	s_mov_b32	s0,	s1
  s_mov_b32 s0 , s1
