// SPDX-License-Identifier: MIT
#include "assemble.h"

#include <spirv-tools/libspirv.h>

#include <stdexcept>

namespace spalt::spirv {

std::vector<uint32_t> assemble(const std::string& text) {
  spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_3);
  spv_binary binary = nullptr;
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t result = spvTextToBinaryWithOptions(
      context, text.data(), text.size(), SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &binary, &diagnostic);
  std::vector<uint32_t> words;
  std::string message = diagnostic == nullptr ? "" : diagnostic->error;
  if (result == SPV_SUCCESS) words.assign(binary->code, binary->code + binary->wordCount);
  spvBinaryDestroy(binary);
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(context);
  if (result != SPV_SUCCESS) throw std::runtime_error("does not assemble: " + message);
  return words;
}

std::string shader(const std::string& declarations, const std::string& body) {
  return R"(
OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %buffer
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "shader.comp"
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%v2uint = OpTypeVector %uint 2
%v3uint = OpTypeVector %uint 3
%v2float = OpTypeVector %float 2
%v4float = OpTypeVector %float 4
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u4 = OpConstant %uint 4
%f0 = OpConstant %float 0
%f1 = OpConstant %float 1
%true = OpConstantTrue %bool
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%block_pointer = OpTypePointer StorageBuffer %block
%element = OpTypePointer StorageBuffer %uint
%buffer = OpVariable %block_pointer StorageBuffer
)" + declarations +
         R"(
%main = OpFunction %void None %main_type
%entry = OpLabel
)" + body +
         "OpFunctionEnd\n";
}

}  // namespace spalt::spirv
