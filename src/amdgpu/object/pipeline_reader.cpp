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

/// Where the stage's program is. All stages must be in one section.
Result<const ElfImage::Section*> find_entry(const ElfImage& image, StageObject& stage) {
  const ElfImage::Symbol* symbol = image.find_symbol(stage.entry_symbol);
  if (symbol == nullptr) return bad("the entry symbol \"" + stage.entry_symbol + "\" is not in the symbol table");
  if (symbol->entry.section == 0 || symbol->entry.section >= image.sections.size()) {
    return bad("the entry symbol is in no section");
  }
  const ElfImage::Section& text = image.sections[symbol->entry.section];
  const uint64_t start = symbol->entry.value - text.header.address;
  if (start >= text.data.size() || symbol->entry.size > text.data.size() - start) {
    return bad("the entry symbol leaves its section");
  }
  if (start % 4 != 0 || symbol->entry.size % 4 != 0) return bad("the entry symbol is not dword aligned");
  stage.entry_offset = static_cast<uint32_t>(start);
  return &text;
}

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
    const Result<const ElfImage::Section*> found = find_entry(*image, stage);
    if (!found) return found.error();
    if (text != nullptr && *found != text) return bad("the entry points are in different sections");
    text = *found;
    if (Result<void> fine = check_resources(stage, **target); !fine) return fine.error();
  }
  pipeline.code.assign(text->data.first(text->data.size() & ~size_t{3}));
  return pipeline;
}

}  // namespace spalt::object
