// SPDX-License-Identifier: MIT
#include "amdgpu/metadata/user_data_codes.h"

#include "amdgpu/abi/compute_interface.h"
#include "amdgpu/object/link.h"

namespace spalt::metadata {
namespace {

using namespace isa;

constexpr UserDataCode kCodes[] = {
    {abi::kGlobalTable, abi::kGlobalTable, "GlobalTable", 1, Once::per_stage, kGfx9To12},
    {kPerShaderTable, kPerShaderTable, "PerShaderTable", 1, Once::per_stage, kGfx9To12},
    {abi::kSpillTable, abi::kSpillTable, "SpillTable", 1, Once::no, kGfx9To12},
    {kBaseVertex, kBaseVertex, "BaseVertex", 1, Once::per_pipeline, kGfx9To12},
    {kBaseInstance, kBaseInstance, "BaseInstance", 1, Once::per_pipeline, kGfx9To12},
    {0x10000005, 0x10000005, "DrawIndex", 1, Once::per_pipeline, kGfx9To12},
    {abi::kWorkgroup, abi::kWorkgroup, "Workgroup", 2, Once::no, kGfx9To12},
    {0x10000007, 0x10000007, "GdsRange", 1, Once::no, kGfx9To11},
    {0x10000008, 0x10000008, "BaseIndex", 1, Once::no, kGfx9To11},
    {0x10000009, 0x10000009, "Log2IndexSize", 1, Once::no, kGfx9To11},
    {0x1000000a, 0x1000000a, "EsGsLdsSize", 1, Once::no, kGfx9To12},
    {0x1000000b, 0x1000000b, "ViewId", 1, Once::per_stage, kGfx9To12},
    {0x1000000c, 0x1000000c, "StreamOutTable", 1, Once::per_pipeline, kGfx9To12},
    {0x1000000d, 0x1000000d, "PerShaderPerfData", 1, Once::no, kGfx9To11},
    {0x1000000f, 0x1000000f, "VertexBufferTable", 1, Once::per_pipeline, kGfx9To12},
    {0x10000010, 0x10000010, "UavExportTable", 1, Once::no, kGfx9To11},
    {0x10000011, 0x10000011, "NggCullingData", 2, Once::no, kGfx9To12},
    {0x10000012, 0x10000012, "MeshTaskDispatchDims", 3, Once::no, kGfx9To12},
    {0x10000013, 0x10000013, "MeshTaskRingIndex", 1, Once::no, kGfx9To12},
    {0x10000014, 0x10000014, "MeshPipeStatsBuf", 1, Once::no, kGfx9To11},
    {0x10000015, 0x10000015, "FetchShaderPtr", 2, Once::no, kGfx9To11},
    {0x10000016, 0x10000016, "StreamOutControlBuf", 1, Once::no, kGfx9To12},
    {0x10000017, 0x10000017, "EnPrimsNeededCnt", 1, Once::no, kGfx9To12},
    {0x10000018, 0x10000018, "SampleInfo", 1, Once::no, kGfx9To12},
    {0x10000020, 0x10000020, "ColorExportAddr", 1, Once::no, kGfx9To12},
    {0x10000022, 0x10000022, "DynamicDualSrcBlendInfo", 1, Once::no, kGfx9To11},
    {0x10000023, 0x10000023, "CompositeData", 1, Once::per_stage, kGfx9To12},
    {0x10001000, 0x100010ff, "PipelineLink", 1, Once::no, kGfx9To11},
    {0x20000000, 0x2fffffff, "IndirectTable", 1, Once::no, kGfx9To11},
};

}  // namespace

const UserDataCode* find_user_data_code(uint32_t value) {
  for (const UserDataCode& code : kCodes) {
    if (value >= code.first && value <= code.last) return &code;
  }
  return nullptr;
}

std::string user_data_name(uint32_t value) {
  if (value < object::kUserDataEntryLimit) return "entry " + std::to_string(value);
  if (value == abi::kNotMapped) return "not mapped";
  const UserDataCode* code = find_user_data_code(value);
  if (code == nullptr) return "unknown";
  return std::string(code->name) + (code->first == code->last ? "" : std::to_string(value - code->first));
}

}  // namespace spalt::metadata
