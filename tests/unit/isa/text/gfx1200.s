// Spellings that people write for gfx1200, in wave32. See gfx1030.s.

v_add_f32 v0, v1, v2
v_add_f64 v[0:1], v[2:3], v[4:5]
v_add_f64 v[0:1], 1.0, s[2:3]
v_minimum_f32 v0, v1, v2
v_max_num_f32 v0, v1, v2
v_minimum3_f32 v0, v1, v2, v3
v_cmp_lt_f32 vcc_lo, v0, s1
v_fma_f32 v0, v1, v2, v3 dpp8:[7,6,5,4,3,2,1,0]
v_dual_add_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v4, v5
v_dual_mov_b32 v13, v2 :: v_dual_mov_b32 v2, v10
v_s_exp_f32 s0, s1
v_permlane16_var_b32 v0, v1, v2
s_add_f32 s0, s1, 1.0
s_add_co_u32 s0, s1, s2
s_mul_u64 s[0:1], s[2:3], s[4:5]
s_cmp_lt_f32 s0, 0.5
s_fmaak_f32 s0, s1, s2, 0x12345678
s_load_b32 s0, s[2:3], 0x10
s_load_b32 s0, s[2:3], s4 offset:0x10 scope:SCOPE_SE
s_load_b96 s[4:6], s[2:3], 0x0
s_load_u8 s0, s[2:3], -0x800000
s_buffer_load_b32 s0, s[4:7], s8 offset:0x10 th:TH_LOAD_HT scope:SCOPE_SYS
s_prefetch_data s[2:3], 0x10, s4, 7
s_prefetch_inst s[2:3], 0x10, null, 7
buffer_load_b32 v0, off, s[4:7], s3
buffer_load_b32 v0, off, s[4:7], null
buffer_load_b32 v0, v1, s[4:7], s3 offen offset:8388607
buffer_load_b32 v0, v[2:3], s[4:7], m0 idxen offen th:TH_LOAD_NT scope:SCOPE_DEV
buffer_store_b32 v0, off, s[4:7], null th:TH_STORE_RT_WB
buffer_atomic_add_u32 v0, off, s[4:7], s3 th:TH_ATOMIC_RETURN
tbuffer_load_format_x v0, off, s[4:7], s3 format:[BUF_FMT_32_FLOAT]
global_load_b32 v0, v[2:3], off th:TH_LOAD_BYPASS scope:SCOPE_SYS
global_load_b32 v0, v[2:3], off th:TH_LOAD_LU
global_load_b32 v0, v[2:3], off th:TH_LOAD_RT
global_load_b32 v0, v[2:3], off th:TH_DEFAULT scope:SCOPE_CU
global_load_b32 v0, v1, s[2:3] offset:-8388608
global_store_b128 v[2:3], v[4:7], off th:TH_STORE_NT_HT scope:SCOPE_SE
global_atomic_add_u32 v0, v[2:3], v1, off th:TH_ATOMIC_RETURN
global_atomic_add_u32 v[2:3], v1, off th:TH_ATOMIC_CASCADE_RT scope:SCOPE_SYS
global_load_tr_b64 v[0:1], v[2:3], off
global_wb scope:SCOPE_SYS
global_inv scope:SCOPE_DEV
scratch_load_b32 v0, v1, s2 offset:4
scratch_load_b32 v0, off, off offset:4
flat_load_b32 v0, v[2:3] offset:64
flat_atomic_add_f32 v[2:3], v1
ds_load_b32 v0, v1 offset:4
ds_pk_add_f16 v0, v1
image_load v[0:3], [v4, v5], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D
image_load v[0:3], v4, s[8:15] dmask:0xf dim:1D th:TH_LOAD_NT scope:SCOPE_DEV
image_sample v[0:3], [v4, v6], s[8:15], s[16:19] dmask:0xf dim:2D unorm
image_atomic_add_uint v0, [v4, v5], s[8:15] dmask:0x1 dim:2D th:TH_ATOMIC_RETURN
ds_param_load v0, attr0.x wait_va_vdst:15 wait_vm_vsrc:1
ds_direct_load v0 wait_va_vdst:3 wait_vm_vsrc:0
export mrt0 v0, v1, v2, v3 done
s_wait_loadcnt 0
s_wait_storecnt 0x3
s_wait_loadcnt_dscnt 0x303
s_wait_kmcnt 0
s_wait_alu 0xfffe
s_barrier_signal -1
s_barrier_wait -1
s_sleep_var s0
s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
s_sendmsg_rtn_b64 s[0:1], sendmsg(MSG_RTN_GET_REALTIME)
s_getreg_b32 s0, hwreg(HW_REG_SHADER_CYCLES_LO)
s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
s_endpgm
