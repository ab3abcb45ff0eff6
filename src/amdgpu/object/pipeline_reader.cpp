// SPDX-License-Identifier: MIT
#include "amdgpu/isa/target.h"
#include "amdgpu/object/elf_image.h"
#include "amdgpu/object/metadata.h"
#include "amdgpu/object/pipeline_object.h"

namespace spalt::object {
namespace {

Error bad(std::string message) {
  return {Status::invalid_input, std::move(message)};
}

/// vcc, flat_scratch and xnack_mask, which some writers count.
constexpr uint32_t kSpecialSgprs = 6;

/// What a wave may have.
Result<void> check_resources(const StageObject& stage, const isa::Target& target) {
  if (stage.wave_size == 32 && !target.has_wave32) return bad(std::string(target.name) + " has no waves of 32 lanes");
  if (stage.vgpr_count > target.vgpr_limit) return bad("too many vector registers");
  if (stage.sgpr_count > target.sgpr_count + kSpecialSgprs) return bad("too many scalar registers");
  if (stage.lds_bytes > target.lds_bytes_per_workgroup) return bad("too much LDS");
  const StageRegisters* registers = find_stage_registers(stage.hardware_stage, target);
  if (stage.user_sgprs > registers->user_sgprs) return bad("too many user SGPRs");
  return {};
}

}  // namespace

Result<PipelineObject> read_pipeline(std::span<const uint8_t> bytes) {
  const Result<ElfImage> image = read_elf_image(bytes);
  if (!image) return image.error();
  if (image->os_abi != kOsAbiPal) return bad("the ELF file is not a PAL code object (OS ABI is not 65)");
  const Result<const isa::Target*> target = target_of(*image);
  if (!target) return target.error();
  const Result<std::span<const uint8_t>> note = metadata_note_of(*image);
  if (!note) return note.error();
  PipelineObject pipeline;
  if (Result<void> done = read_metadata(*note, **target, pipeline); !done) return done.error();
  const ElfImage::Section* text = nullptr;
  for (StageObject& stage : pipeline.stages) {
    const Result<EntryPlace> found = find_entry(*image, stage.entry_symbol);
    if (!found) return found.error();
    if (text != nullptr && found->section != text) return bad("the entry points are in different sections");
    text = found->section;
    stage.entry_offset = found->offset;
    if (Result<void> fine = check_resources(stage, **target); !fine) return fine.error();
  }
  pipeline.code.assign(text->data.first(text->data.size() & ~size_t{3}));
  return pipeline;
}

}  // namespace spalt::object
