// SPDX-License-Identifier: MIT
// Registers of the SH space: programs, their resources and dispatch (docs/abi/pal.md#registers).
#include <algorithm>
#include <array>

#include "amdgpu/metadata/registers.h"

namespace spalt::metadata {
namespace {

using namespace isa;

template <size_t A, size_t B>
constexpr auto join(const RegisterField (&a)[A], const RegisterField (&b)[B]) {
  std::array<RegisterField, A + B> all{};
  std::copy(b, b + B, std::copy(a, a + A, all.begin()));
  return all;
}

/// The first fields of PGM_RSRC1 of every stage, and the last ones of PGM_RSRC2 of graphics stages.
constexpr RegisterField kRsrc1Common[] = {{"VGPRS", 0, 6},
                                          {"SGPRS", 6, 4},
                                          {"PRIORITY", 10, 2},
                                          {"FLOAT_MODE", 12, 8},
                                          {"PRIV", 20, 1},
                                          {"DX10_CLAMP", 21, 1, kGfx9To11},
                                          {"WG_RR_EN", 21, 1, kGfx12},
                                          {"DEBUG_MODE", 22, 1},
                                          {"DISABLE_PERF", 23, 1, kGfx12},
                                          {"IEEE_MODE", 23, 1, kGfx9To11}};
constexpr RegisterField kRsrc2Common[] = {{"SKIP_USGPR0", 27, 1, kGfx9},
                                          {"USER_SGPR_MSB", 27, 1, kGfx10To12},
                                          {"SHARED_VGPR_CNT", 28, 4, kGfx10To12},
                                          {"USER_SGPR_MSB", 28, 1, kGfx9}};

constexpr RegisterField kSpiShaderPgmRsrc4Ps[] = {{"CU_EN", 0, 16, kGfx9To11},       {"WAVE_LIMIT", 0, 10, kGfx12},
                                                  {"LDS_GROUP_SIZE", 10, 2, kGfx12}, {"INST_PREF_SIZE", 16, 6, kGfx11},
                                                  {"INST_PREF_SIZE", 16, 8, kGfx12}, {"TRAP_ON_START", 29, 1, kGfx11},
                                                  {"TRAP_ON_END", 30, 1, kGfx11},    {"IMAGE_OP", 31, 1, kGfx11To12}};
constexpr RegisterField kSpiShaderPgmRsrc3Ps[] = {{"CU_EN", 0, 16},
                                                  {"WAVE_LIMIT", 16, 6, kGfx9To11},
                                                  {"LDS_GROUP_SIZE", 22, 2, kGfx11},
                                                  {"LOCK_LOW_THRESHOLD", 22, 4, kGfx10},
                                                  {"SIMD_DISABLE", 26, 4, kGfx9}};
constexpr auto kSpiShaderPgmRsrc1Ps = join(kRsrc1Common, {{"CU_GROUP_DISABLE", 24, 1},
                                                          {"MEM_ORDERED", 25, 1, kGfx10To11},
                                                          {"FWD_PROGRESS", 26, 1, kGfx10To12},
                                                          {"LOAD_PROVOKING_VTX", 27, 1, kGfx10_3To12},
                                                          {"CDBG_USER", 28, 1},
                                                          {"FP16_OVFL", 29, 1}});
constexpr auto kSpiShaderPgmRsrc2Ps = join({{"SCRATCH_EN", 0, 1},
                                            {"USER_SGPR", 1, 5},
                                            {"TRAP_PRESENT", 6, 1},
                                            {"WAVE_CNT_EN", 7, 1},
                                            {"EXTRA_LDS_SIZE", 8, 8},
                                            {"EXCP_EN", 16, 9},
                                            {"LOAD_COLLISION_WAVEID", 25, 1},
                                            {"LOAD_INTRAWAVE_COLLISION", 26, 1}},
                                           kRsrc2Common);
constexpr RegisterField kSpiShaderGsOutConfigPs[] = {{"VS_EXPORT_COUNT", 0, 5},
                                                     {"PRIM_EXPORT_COUNT", 5, 5},
                                                     {"NO_PC_EXPORT", 10, 1},
                                                     {"NUM_INTERP", 11, 6},
                                                     {"NUM_PRIM_INTERP", 17, 5}};
constexpr RegisterField kSpiShaderPgmRsrc3Vs[] = {
    {"CU_EN", 0, 16}, {"WAVE_LIMIT", 16, 6}, {"LOCK_LOW_THRESHOLD", 22, 4}, {"SIMD_DISABLE", 26, 4, kGfx9}};
constexpr auto kSpiShaderPgmRsrc1Vs = join(kRsrc1Common, {{"VGPR_COMP_CNT", 24, 2},
                                                          {"CU_GROUP_ENABLE", 26, 1},
                                                          {"MEM_ORDERED", 27, 1, kGfx10To11},
                                                          {"FWD_PROGRESS", 28, 1, kGfx10To11},
                                                          {"CDBG_USER", 30, 1},
                                                          {"FP16_OVFL", 31, 1}});
constexpr auto kSpiShaderPgmRsrc2Vs = join({{"SCRATCH_EN", 0, 1},
                                            {"USER_SGPR", 1, 5},
                                            {"TRAP_PRESENT", 6, 1},
                                            {"OC_LDS_EN", 7, 1},
                                            {"SO_BASE0_EN", 8, 1},
                                            {"SO_BASE1_EN", 9, 1},
                                            {"SO_BASE2_EN", 10, 1},
                                            {"SO_BASE3_EN", 11, 1},
                                            {"SO_EN", 12, 1},
                                            {"EXCP_EN", 13, 9},
                                            {"PC_BASE_EN", 22, 1},
                                            {"DISPATCH_DRAW_EN", 24, 1, kGfx10To11}},
                                           kRsrc2Common);
constexpr RegisterField kSpiShaderPgmRsrc4Gs[] = {{"CU_EN", 0, 16, kGfx10},
                                                  {"CU_EN", 0, 1, kGfx11},
                                                  {"GROUP_FIFO_DEPTH", 0, 7, kGfx9},
                                                  {"WAVE_LIMIT", 0, 10, kGfx12},
                                                  {"SPI_SHADER_LATE_ALLOC_GS", 7, 7, kGfx9},
                                                  {"GLG_EN_OVERRIDE", 10, 1, kGfx12},
                                                  {"GLG_FORCE_DISABLE", 11, 1, kGfx12},
                                                  {"PH_THROTTLE_EN", 14, 1, kGfx11To12},
                                                  {"SPI_THROTTLE_EN", 15, 1, kGfx11To12},
                                                  {"SPI_SHADER_LATE_ALLOC_GS", 16, 7, kGfx10To12},
                                                  {"INST_PREF_SIZE", 23, 6, kGfx11},
                                                  {"INST_PREF_SIZE", 23, 8, kGfx12},
                                                  {"TRAP_ON_START", 29, 1, kGfx11},
                                                  {"TRAP_ON_END", 30, 1, kGfx11},
                                                  {"IMAGE_OP", 31, 1, kGfx11To12}};
constexpr RegisterField kSpiShaderPgmRsrc3Gs[] = {{"CU_EN", 0, 16, kGfx9To11},
                                                  {"CU_EN", 0, 32, kGfx12},
                                                  {"WAVE_LIMIT", 16, 6, kGfx9To11},
                                                  {"LOCK_LOW_THRESHOLD", 22, 4, kGfx9To11},
                                                  {"GROUP_FIFO_DEPTH", 26, 6, kGfx10To11},
                                                  {"SIMD_DISABLE", 26, 4, kGfx9}};
constexpr auto kSpiShaderPgmRsrc1Gs = join(kRsrc1Common, {{"CU_GROUP_ENABLE", 24, 1},
                                                          {"MEM_ORDERED", 25, 1, kGfx10To11},
                                                          {"FWD_PROGRESS", 26, 1, kGfx10To12},
                                                          {"WGP_MODE", 27, 1, kGfx10To12},
                                                          {"CDBG_USER", 28, 1},
                                                          {"GS_VGPR_COMP_CNT", 29, 2},
                                                          {"FP16_OVFL", 31, 1}});
constexpr auto kSpiShaderPgmRsrc2Gs = join({{"SCRATCH_EN", 0, 1},
                                            {"USER_SGPR", 1, 5},
                                            {"TRAP_PRESENT", 6, 1},
                                            {"EXCP_EN", 7, 9},
                                            {"ES_VGPR_COMP_CNT", 16, 2},
                                            {"OC_LDS_EN", 18, 1},
                                            {"LDS_SIZE", 19, 8}},
                                           kRsrc2Common);
constexpr RegisterField kSpiShaderGsMeshletDim[] = {{"MESHLET_NUM_THREAD_X", 0, 8},
                                                    {"MESHLET_NUM_THREAD_Y", 8, 8},
                                                    {"MESHLET_NUM_THREAD_Z", 16, 8},
                                                    {"MESHLET_THREADGROUP_SIZE", 24, 8}};
constexpr RegisterField kSpiShaderGsMeshletExpAlloc[] = {{"MAX_EXP_VERTS", 0, 9}, {"MAX_EXP_PRIMS", 9, 9}};
constexpr RegisterField kSpiShaderGsMeshletCtrl[] = {{"INTERLEAVE_BITS_X", 0, 4}, {"INTERLEAVE_BITS_Y", 4, 4}};
constexpr RegisterField kSpiShaderPgmRsrc4Hs[] = {
    {"CU_EN", 0, 16, kGfx10To11},       {"GROUP_FIFO_DEPTH", 0, 7, kGfx9},    {"WAVE_LIMIT", 0, 10, kGfx12},
    {"GLG_EN_OVERRIDE", 10, 1, kGfx12}, {"GLG_FORCE_DISABLE", 11, 1, kGfx12}, {"INST_PREF_SIZE", 16, 6, kGfx11},
    {"INST_PREF_SIZE", 16, 8, kGfx12},  {"TRAP_ON_START", 29, 1, kGfx11},     {"TRAP_ON_END", 30, 1, kGfx11},
    {"IMAGE_OP", 31, 1, kGfx11To12}};
constexpr RegisterField kSpiShaderPgmRsrc3Hs[] = {{"CU_EN", 0, 32, kGfx12},
                                                  {"WAVE_LIMIT", 0, 6, kGfx9To11},
                                                  {"LOCK_LOW_THRESHOLD", 6, 4, kGfx9To11},
                                                  {"GROUP_FIFO_DEPTH", 10, 6, kGfx10To11},
                                                  {"SIMD_DISABLE", 10, 4, kGfx9},
                                                  {"CU_EN", 16, 16, kGfx9To11}};
constexpr auto kSpiShaderPgmRsrc1Hs = join(kRsrc1Common, {{"MEM_ORDERED", 24, 1, kGfx10To11},
                                                          {"FWD_PROGRESS", 25, 1, kGfx10To12},
                                                          {"WGP_MODE", 26, 1, kGfx10To12},
                                                          {"CDBG_USER", 27, 1},
                                                          {"LS_VGPR_COMP_CNT", 28, 2},
                                                          {"FP16_OVFL", 30, 1}});
constexpr auto kSpiShaderPgmRsrc2Hs = join({{"SCRATCH_EN", 0, 1},
                                            {"USER_SGPR", 1, 5},
                                            {"TRAP_PRESENT", 6, 1},
                                            {"EXCP_EN", 7, 9, kGfx9},
                                            {"OC_LDS_EN", 7, 1, kGfx10To12},
                                            {"TG_SIZE_EN", 8, 1, kGfx10To12},
                                            {"EXCP_EN", 9, 9, kGfx10To12},
                                            {"LDS_SIZE", 16, 9, kGfx9},
                                            {"LDS_SIZE", 18, 9, kGfx10To12}},
                                           kRsrc2Common);
constexpr RegisterField kComputeDispatchInitiator[] = {{"COMPUTE_SHADER_EN", 0, 1},
                                                       {"PARTIAL_TG_EN", 1, 1},
                                                       {"FORCE_START_AT_000", 2, 1},
                                                       {"ORDERED_APPEND_ENBL", 3, 1},
                                                       {"ORDERED_APPEND_MODE", 4, 1},
                                                       {"USE_THREAD_DIMENSIONS", 5, 1},
                                                       {"ORDER_MODE", 6, 1},
                                                       {"SCALAR_L1_INV_VOL", 10, 1},
                                                       {"VECTOR_L1_INV_VOL", 11, 1},
                                                       {"PING_PONG_EN", 12, 1, kGfx12},
                                                       {"TUNNEL_ENABLE", 13, 1, kGfx10To12},
                                                       {"RESTORE", 14, 1},
                                                       {"CS_W32_EN", 15, 1, kGfx10To12},
                                                       {"AMP_SHADER_EN", 16, 1, kGfx11To12},
                                                       {"DISABLE_DISP_PREMPT_EN", 17, 1, kGfx11To12},
                                                       {"INTERLEAVE_2D_EN", 18, 1, kGfx12},
                                                       {"WGS_DISPATCH", 19, 1, kGfx12},
                                                       {"TTRACE_QUEUE_ID", 29, 3, kGfx12}};
constexpr RegisterField kComputeNumThreadX[] = {{"NUM_THREAD_FULL", 0, 16, kGfx9To11},
                                                {"NUM_THREAD_FULL", 0, 13, kGfx12},
                                                {"INTERLEAVE_BITS_X", 13, 3, kGfx12},
                                                {"NUM_THREAD_PARTIAL", 16, 16}};
constexpr RegisterField kComputeNumThreadY[] = {{"NUM_THREAD_FULL", 0, 16, kGfx9To11},
                                                {"NUM_THREAD_FULL", 0, 13, kGfx12},
                                                {"INTERLEAVE_BITS_Y", 13, 3, kGfx12},
                                                {"NUM_THREAD_PARTIAL", 16, 16}};
constexpr RegisterField kComputeNumThreadZ[] = {{"NUM_THREAD_FULL", 0, 16}, {"NUM_THREAD_PARTIAL", 16, 16}};
constexpr auto kComputePgmRsrc1 = join(kRsrc1Common, {{"BULKY", 24, 1},
                                                      {"CDBG_USER", 25, 1},
                                                      {"FP16_OVFL", 26, 1},
                                                      {"WGP_MODE", 29, 1, kGfx10To12},
                                                      {"MEM_ORDERED", 30, 1, kGfx10To12},
                                                      {"FWD_PROGRESS", 31, 1, kGfx10To12}});
constexpr RegisterField kComputePgmRsrc2[] = {{"SCRATCH_EN", 0, 1},
                                              {"USER_SGPR", 1, 5},
                                              {"DYNAMIC_VGPR", 6, 1, kGfx12},
                                              {"TRAP_PRESENT", 6, 1, kGfx9To11},
                                              {"TGID_X_EN", 7, 1},
                                              {"TGID_Y_EN", 8, 1},
                                              {"TGID_Z_EN", 9, 1},
                                              {"TG_SIZE_EN", 10, 1},
                                              {"TIDIG_COMP_CNT", 11, 2},
                                              {"EXCP_EN_MSB", 13, 2},
                                              {"LDS_SIZE", 15, 9},
                                              {"EXCP_EN", 24, 7},
                                              {"SKIP_USGPR0", 31, 1, kGfx9},
                                              {"WGP_TAKEOVER", 31, 1, kGfx12}};
constexpr RegisterField kComputeResourceLimits[] = {
    {"WAVES_PER_SH", 0, 10},    {"TG_PER_CU", 12, 4},      {"LOCK_THRESHOLD", 16, 6},     {"SIMD_DEST_CNTL", 22, 1},
    {"FORCE_SIMD_DIST", 23, 1}, {"CU_GROUP_COUNT", 24, 3}, {"SIMD_DISABLE", 27, 4, kGfx9}};
constexpr RegisterField kComputeTmpringSize[] = {
    {"WAVES", 0, 12}, {"WAVESIZE", 12, 13, kGfx9To10}, {"WAVESIZE", 12, 15, kGfx11}, {"WAVESIZE", 12, 18, kGfx12}};
constexpr RegisterField kComputePgmRsrc3[] = {{"SHARED_VGPR_CNT", 0, 4},        {"INST_PREF_SIZE", 4, 6, kGfx11},
                                              {"INST_PREF_SIZE", 4, 8, kGfx12}, {"TRAP_ON_START", 10, 1, kGfx11},
                                              {"TRAP_ON_END", 11, 1, kGfx11},   {"GLG_EN", 13, 1, kGfx12},
                                              {"IMAGE_OP", 31, 1, kGfx11To12}};
constexpr RegisterField kComputeDispatchInterleave[] = {{"INTERLEAVE", 0, 10, kGfx9To11},
                                                        {"INTERLEAVE_1D", 0, 10, kGfx12},
                                                        {"INTERLEAVE_2D_X_SIZE", 16, 4, kGfx12},
                                                        {"INTERLEAVE_2D_Y_SIZE", 24, 4, kGfx12}};

constexpr Register kRegisters[] = {
    {0x2c01, "SPI_SHADER_PGM_RSRC4_PS", kGfx9To11, kSpiShaderPgmRsrc4Ps},
    {0x2c06, "SPI_SHADER_PGM_RSRC3_PS", kGfx12, kSpiShaderPgmRsrc3Ps},
    {0x2c07, "SPI_SHADER_PGM_RSRC3_PS", kGfx9To11, kSpiShaderPgmRsrc3Ps},
    {0x2c07, "SPI_SHADER_PGM_RSRC4_PS", kGfx12, kSpiShaderPgmRsrc4Ps},
    {0x2c0a, "SPI_SHADER_PGM_RSRC1_PS", kGfx9To12, kSpiShaderPgmRsrc1Ps},
    {0x2c0b, "SPI_SHADER_PGM_RSRC2_PS", kGfx9To12, kSpiShaderPgmRsrc2Ps},
    {0x2c31, "SPI_SHADER_GS_OUT_CONFIG_PS", kGfx12, kSpiShaderGsOutConfigPs},
    {0x2c46, "SPI_SHADER_PGM_RSRC3_VS", kGfx9To11, kSpiShaderPgmRsrc3Vs},
    {0x2c4a, "SPI_SHADER_PGM_RSRC1_VS", kGfx9To11, kSpiShaderPgmRsrc1Vs},
    {0x2c4b, "SPI_SHADER_PGM_RSRC2_VS", kGfx9To11, kSpiShaderPgmRsrc2Vs},
    {0x2c81, "SPI_SHADER_PGM_RSRC4_GS", kGfx9To11, kSpiShaderPgmRsrc4Gs},
    {0x2c87, "SPI_SHADER_PGM_RSRC3_GS", kGfx9To12, kSpiShaderPgmRsrc3Gs},
    {0x2c88, "SPI_SHADER_PGM_RSRC4_GS", kGfx12, kSpiShaderPgmRsrc4Gs},
    {0x2c8a, "SPI_SHADER_PGM_RSRC1_GS", kGfx9To12, kSpiShaderPgmRsrc1Gs},
    {0x2c8b, "SPI_SHADER_PGM_RSRC2_GS", kGfx9To12, kSpiShaderPgmRsrc2Gs},
    {0x2cac, "SPI_SHADER_GS_MESHLET_DIM", kGfx9To12, kSpiShaderGsMeshletDim},
    {0x2cad, "SPI_SHADER_GS_MESHLET_EXP_ALLOC", kGfx9To12, kSpiShaderGsMeshletExpAlloc},
    {0x2cae, "SPI_SHADER_GS_MESHLET_CTRL", kGfx12, kSpiShaderGsMeshletCtrl},
    {0x2d01, "SPI_SHADER_PGM_RSRC4_HS", kGfx9To11, kSpiShaderPgmRsrc4Hs},
    {0x2d07, "SPI_SHADER_PGM_RSRC3_HS", kGfx9To12, kSpiShaderPgmRsrc3Hs},
    {0x2d08, "SPI_SHADER_PGM_RSRC4_HS", kGfx12, kSpiShaderPgmRsrc4Hs},
    {0x2d0a, "SPI_SHADER_PGM_RSRC1_HS", kGfx9To12, kSpiShaderPgmRsrc1Hs},
    {0x2d0b, "SPI_SHADER_PGM_RSRC2_HS", kGfx9To12, kSpiShaderPgmRsrc2Hs},
    {0x2e00, "COMPUTE_DISPATCH_INITIATOR", kGfx9To12, kComputeDispatchInitiator},
    {0x2e07, "COMPUTE_NUM_THREAD_X", kGfx9To12, kComputeNumThreadX},
    {0x2e08, "COMPUTE_NUM_THREAD_Y", kGfx9To12, kComputeNumThreadY},
    {0x2e09, "COMPUTE_NUM_THREAD_Z", kGfx9To12, kComputeNumThreadZ},
    {0x2e12, "COMPUTE_PGM_RSRC1", kGfx9To12, kComputePgmRsrc1},
    {0x2e13, "COMPUTE_PGM_RSRC2", kGfx9To12, kComputePgmRsrc2},
    {0x2e15, "COMPUTE_RESOURCE_LIMITS", kGfx9To12, kComputeResourceLimits},
    {0x2e18, "COMPUTE_TMPRING_SIZE", kGfx9To12, kComputeTmpringSize},
    {0x2e28, "COMPUTE_PGM_RSRC3", kGfx9To12, kComputePgmRsrc3},
    {0x2e2f, "COMPUTE_DISPATCH_INTERLEAVE", kGfx9To12, kComputeDispatchInterleave},
};

}  // namespace

std::span<const Register> shader_registers() {
  return kRegisters;
}

}  // namespace spalt::metadata
