// SPDX-License-Identifier: MIT
// The public C API's linking of stage objects.
#include "amdgpu/object/stage_bytes.h"
#include "driver/api_options.h"

using namespace spalt;
using namespace spalt::api;
using namespace spalt::driver;

struct spalt_pipeline {
  explicit spalt_pipeline(const Allocation& a)
      : allocation(a), elf(HandleAllocator<char>(allocation)), message(HandleAllocator<char>(allocation)) {}

  const Allocation allocation;
  HandleBytes elf;
  HandleText message;
};

namespace {

Result<void> link(const spalt_compiler& compiler, const spalt_link_info& info, spalt_pipeline& pipeline) {
  const CallerArray<spalt_stage_object> given(info.stages, info.stage_count, info.stage_size);
  if (!given.valid()) return bad_argument("stages without their array or its element size");
  const auto version = metadata_version(*compiler.target, info.pal_abi_major, info.pal_abi_minor);
  if (!version) return version.error();
  const ContextPool::Lease context(compiler.contexts);
  Arena& arena = context->arena;
  Vector<object::StageObject> stages(arena);
  stages.reserve(given.size());
  for (size_t i = 0; i < given.size(); ++i) {
    const spalt_stage_object bytes = given[i];
    if (bytes.data == nullptr) return bad_argument("a stage object without bytes");
    Result<object::StageObject> stage =
        object::read_stage({static_cast<const uint8_t*>(bytes.data), bytes.size}, &arena);
    if (!stage) return stage.error();
    if (stage->target_name != compiler.target->name) {
      return bad_argument("the stage object is for " + stage->target_name + ", not for " + compiler.target->name);
    }
    stages.push_back(std::move(*stage));
  }
  const Result<object::Bytes> elf = object::link_stages(stages, *version, &arena);
  if (!elf) return elf.error();
  keep_bytes(pipeline.elf, *elf);
  return {};
}

}  // namespace

spalt_result spalt_link(spalt_compiler* compiler, const spalt_link_info* info, spalt_pipeline** pipeline) {
  if (pipeline == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  *pipeline = nullptr;
  if (compiler == nullptr || info == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_result result = guarded([&] {
    *pipeline = create_handle<spalt_pipeline>(compiler->allocation);
    const Result<void> done = contain([&] { return link(*compiler, read_struct(info), **pipeline); });
    if (done) return SPALT_SUCCESS;
    (*pipeline)->message.assign(done.error().message.data(), done.error().message.size());
    return to_result(done.error().status);
  });
  if (result == SPALT_ERROR_OUT_OF_MEMORY) {
    destroy_handle(*pipeline);
    *pipeline = nullptr;
  }
  return result;
}

void spalt_pipeline_destroy(spalt_pipeline* pipeline) {
  destroy_handle(pipeline);
}

const void* spalt_pipeline_elf(const spalt_pipeline* pipeline, size_t* size) {
  if (size != nullptr) *size = pipeline != nullptr ? pipeline->elf.size() : 0;
  return pipeline != nullptr && !pipeline->elf.empty() ? pipeline->elf.data() : nullptr;
}

const char* spalt_pipeline_message(const spalt_pipeline* pipeline) {
  return pipeline != nullptr && !pipeline->message.empty() ? pipeline->message.c_str() : nullptr;
}
