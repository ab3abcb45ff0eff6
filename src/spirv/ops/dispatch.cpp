// SPDX-License-Identifier: MIT
#include "spirv/ops/dispatch.h"

#include <spirv/unified1/spirv.hpp>

#include "spirv/image/image.h"
#include "spirv/io/io.h"
#include "spirv/memory/memory.h"
#include "spirv/module/names.h"
#include "spirv/ops/instructions.h"
#include "spirv/ops/small_float.h"
#include "spirv/recent.h"

namespace spalt::spirv {

bool translate_instruction(Reader& r, const Instruction& in) {
  if (is_elementwise(in.opcode)) {
    return is_small_float_conversion(r, in) ? translate_small_float_conversion(r, in) : translate_elementwise(r, in);
  }
  switch (in.opcode) {
    case spv::OpVariable:
      return translate_variable(r, in);
    case spv::OpLoad:
      return translate_load(r, in);
    case spv::OpStore:
      return translate_store(r, in);
    case spv::OpCopyMemory:
      return translate_copy_memory(r, in);
    case spv::OpCopyMemorySized:
      return translate_copy_bytes(r, in);
    case spv::OpAccessChain:
    case spv::OpInBoundsAccessChain:
    case spv::OpPtrAccessChain:
    case spv::OpInBoundsPtrAccessChain:
      return translate_access_chain(r, in);
    case kOpUntypedAccessChain:
    case kOpUntypedInBoundsAccessChain:
    case kOpUntypedPtrAccessChain:
    case kOpUntypedInBoundsPtrAccessChain:
      return translate_untyped_access_chain(r, in);
    case spv::OpConvertPtrToU:
    case spv::OpConvertUToPtr:
      return translate_convert_pointer(r, in);
    case spv::OpPtrEqual:
    case spv::OpPtrNotEqual:
      return translate_pointer_comparison(r, in);
    case spv::OpPtrDiff:
      return translate_pointer_difference(r, in);
    case spv::OpArrayLength:
    case kOpUntypedArrayLength:
      return translate_array_length(r, in);

    case spv::OpSNegate:
      return translate_negate(r, in);
    case spv::OpIAddCarry:
    case spv::OpISubBorrow:
    case spv::OpUMulExtended:
    case spv::OpSMulExtended:
      return translate_extended_arithmetic(r, in);
    case spv::OpDot:
      return translate_dot(r, in);
    case spv::OpSDot:
    case spv::OpUDot:
    case spv::OpSUDot:
    case spv::OpSDotAccSat:
    case spv::OpUDotAccSat:
    case spv::OpSUDotAccSat:
      return translate_integer_dot(r, in);
    case spv::OpAny:
    case spv::OpAll:
      return translate_any_all(r, in);
    case spv::OpIsNan:
    case spv::OpIsInf:
      return translate_float_class(r, in);
    case spv::OpLogicalEqual:
      return translate_logical_equal(r, in);
    case spv::OpSelect:
      return translate_select(r, in);
    case spv::OpBitFieldInsert:
    case spv::OpBitFieldSExtract:
    case spv::OpBitFieldUExtract:
      return translate_bit_field(r, in);
    case spv::OpBitcast:
      return translate_bitcast(r, in);

    case spv::OpVectorTimesScalar:
    case spv::OpMatrixTimesScalar:
      return translate_vector_times_scalar(r, in);
    case spv::OpVectorTimesMatrix:
    case spv::OpMatrixTimesVector:
      return translate_matrix_and_vector(r, in);
    case spv::OpMatrixTimesMatrix:
      return translate_matrix_product(r, in);
    case spv::OpOuterProduct:
      return translate_outer_product(r, in);
    case spv::OpTranspose:
      return translate_transpose(r, in);

    case spv::OpUndef:
      return translate_undef(r, in);
    case spv::OpCopyObject:
    case spv::OpCopyLogical:
      return translate_copy_object(r, in);
    case spv::OpCompositeConstruct:
      return translate_composite_construct(r, in);
    case spv::OpCompositeExtract:
      return translate_composite_extract(r, in);
    case spv::OpCompositeInsert:
      return translate_composite_insert(r, in);
    case spv::OpVectorExtractDynamic:
      return translate_vector_extract_dynamic(r, in);
    case spv::OpVectorInsertDynamic:
      return translate_vector_insert_dynamic(r, in);
    case spv::OpVectorShuffle:
      return translate_vector_shuffle(r, in);

    case spv::OpAtomicLoad:
    case spv::OpAtomicStore:
    case spv::OpAtomicExchange:
    case spv::OpAtomicCompareExchange:
    case spv::OpAtomicIIncrement:
    case spv::OpAtomicIDecrement:
    case spv::OpAtomicIAdd:
    case spv::OpAtomicISub:
    case spv::OpAtomicSMin:
    case spv::OpAtomicUMin:
    case spv::OpAtomicSMax:
    case spv::OpAtomicUMax:
    case spv::OpAtomicAnd:
    case spv::OpAtomicOr:
    case spv::OpAtomicXor:
    case spv::OpAtomicFAddEXT:
    case spv::OpAtomicFMinEXT:
    case spv::OpAtomicFMaxEXT:
      return translate_atomic(r, in);
    case spv::OpDPdx:
    case spv::OpDPdy:
    case spv::OpFwidth:
    case spv::OpDPdxFine:
    case spv::OpDPdyFine:
    case spv::OpFwidthFine:
    case spv::OpDPdxCoarse:
    case spv::OpDPdyCoarse:
    case spv::OpFwidthCoarse:
      return translate_derivative(r, in);
    case spv::OpImageRead:
    case spv::OpImageSparseRead:
    case spv::OpImageFetch:
    case spv::OpImageSparseFetch:
      return translate_image_read(r, in);
    case spv::OpImageWrite:
      return translate_image_write(r, in);
    case spv::OpImageTexelPointer:
      return translate_texel_pointer(r, in);
    case spv::OpImageQuerySize:
    case spv::OpImageQuerySizeLod:
    case spv::OpImageQueryLevels:
    case spv::OpImageQuerySamples:
      return translate_image_query(r, in);
    case spv::OpImageSampleImplicitLod:
    case spv::OpImageSampleExplicitLod:
    case spv::OpImageSampleDrefImplicitLod:
    case spv::OpImageSampleDrefExplicitLod:
    case spv::OpImageSampleProjImplicitLod:
    case spv::OpImageSampleProjExplicitLod:
    case spv::OpImageSampleProjDrefImplicitLod:
    case spv::OpImageSampleProjDrefExplicitLod:
    case spv::OpImageSparseSampleImplicitLod:
    case spv::OpImageSparseSampleExplicitLod:
    case spv::OpImageSparseSampleDrefImplicitLod:
    case spv::OpImageSparseSampleDrefExplicitLod:
      return translate_image_sample(r, in);
    case spv::OpImageGather:
    case spv::OpImageDrefGather:
    case spv::OpImageSparseGather:
    case spv::OpImageSparseDrefGather:
      return translate_image_gather(r, in);
    case spv::OpImageQueryLod:
      return translate_image_query_lod(r, in);
    case spv::OpImage:
      return translate_image_of(r, in);
    case spv::OpSampledImage:
      return translate_sampled_image(r, in);
    case spv::OpImageSparseTexelsResident:
      return translate_texels_resident(r, in);
    case spv::OpControlBarrier:
    case spv::OpMemoryBarrier:
      return translate_barrier(r, in);

    case spv::OpGroupNonUniformElect:
    case spv::OpGroupNonUniformAll:
    case spv::OpGroupNonUniformAny:
    case spv::OpGroupNonUniformAllEqual:
    case spv::OpGroupNonUniformBroadcast:
    case spv::OpGroupNonUniformBroadcastFirst:
    case spv::OpGroupNonUniformBallot:
    case spv::OpGroupNonUniformInverseBallot:
    case spv::OpGroupNonUniformBallotBitExtract:
    case spv::OpGroupNonUniformBallotBitCount:
    case spv::OpGroupNonUniformBallotFindLSB:
    case spv::OpGroupNonUniformBallotFindMSB:
    case spv::OpGroupNonUniformShuffle:
    case spv::OpGroupNonUniformShuffleXor:
    case spv::OpGroupNonUniformShuffleUp:
    case spv::OpGroupNonUniformShuffleDown:
    case spv::OpGroupNonUniformIAdd:
    case spv::OpGroupNonUniformFAdd:
    case spv::OpGroupNonUniformIMul:
    case spv::OpGroupNonUniformFMul:
    case spv::OpGroupNonUniformSMin:
    case spv::OpGroupNonUniformUMin:
    case spv::OpGroupNonUniformFMin:
    case spv::OpGroupNonUniformSMax:
    case spv::OpGroupNonUniformUMax:
    case spv::OpGroupNonUniformFMax:
    case spv::OpGroupNonUniformBitwiseAnd:
    case spv::OpGroupNonUniformBitwiseOr:
    case spv::OpGroupNonUniformBitwiseXor:
    case spv::OpGroupNonUniformLogicalAnd:
    case spv::OpGroupNonUniformLogicalOr:
    case spv::OpGroupNonUniformLogicalXor:
    case spv::OpGroupNonUniformQuadBroadcast:
    case spv::OpGroupNonUniformQuadSwap:
    case spv::OpGroupNonUniformRotateKHR:
    case spv::OpGroupNonUniformPartitionNV:
    case kOpQuadAll:
    case kOpQuadAny:
    case spv::OpGroupAll:
    case spv::OpGroupAny:
    case spv::OpGroupBroadcast:
    case spv::OpGroupIAdd:
    case spv::OpGroupIAddNonUniformAMD:
    case spv::OpGroupFAdd:
    case spv::OpGroupFAddNonUniformAMD:
    case spv::OpGroupFMin:
    case spv::OpGroupFMinNonUniformAMD:
    case spv::OpGroupUMin:
    case spv::OpGroupUMinNonUniformAMD:
    case spv::OpGroupSMin:
    case spv::OpGroupSMinNonUniformAMD:
    case spv::OpGroupFMax:
    case spv::OpGroupFMaxNonUniformAMD:
    case spv::OpGroupUMax:
    case spv::OpGroupUMaxNonUniformAMD:
    case spv::OpGroupSMax:
    case spv::OpGroupSMaxNonUniformAMD:
    case spv::OpSubgroupAllKHR:
    case spv::OpSubgroupAnyKHR:
    case spv::OpSubgroupAllEqualKHR:
    case spv::OpSubgroupBallotKHR:
    case spv::OpSubgroupFirstInvocationKHR:
    case spv::OpSubgroupReadInvocationKHR:
      return translate_subgroup(r, in);
    case spv::OpDemoteToHelperInvocation:
      return translate_demote(r, in);
    case spv::OpIsHelperInvocationEXT:
      return translate_is_helper(r, in);
    case spv::OpReadClockKHR:
      return translate_read_clock(r, in);
    case kOpFDot2MixAcc32:
    case kOpFDot2MixAcc16:
      return translate_mixed_dot(r, in);
    case spv::OpExpectKHR:
      return translate_expect(r, in);
    case spv::OpAssumeTrueKHR:
      return translate_assume(r, in);

    case spv::OpExtInst:
    case kOpExtInstWithForwardRefs:
      return translate_ext_inst(r, in);
    default:
      return r.fail(Status::unsupported, "the instruction is not supported");
  }
}

}  // namespace spalt::spirv
