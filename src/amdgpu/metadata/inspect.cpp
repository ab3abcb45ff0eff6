// SPDX-License-Identifier: MIT
#include "amdgpu/metadata/inspect.h"

#include "amdgpu/metadata/checks.h"
#include "amdgpu/metadata/dump.h"
#include "amdgpu/metadata/structure.h"

namespace spalt::metadata {
namespace {

/// The texts are some fifty times as long as a document made to that end.
constexpr size_t kMaxDocument = 1u << 20;

Result<Inspection> inspect(std::span<const uint8_t> document, const isa::Target& target,
                           const object::ElfImage* image) {
  if (document.size() > kMaxDocument) {
    return Error{Status::limit_exceeded, "the metadata has more than " + std::to_string(kMaxDocument) + " bytes"};
  }
  Inspection inspection;
  const auto read = [&](const object::Object& root) -> Result<void> {
    Report& report = inspection.report;
    check_structure(root, target, report);
    const PipelineFacts facts = gather_facts(root, target);
    if (facts.pipeline != nullptr) {
      check_pipeline(facts, target, report);
      check_resources(facts, target, report);
      check_user_data(facts, target, report);
      check_graphics(facts, target, report);
      check_linkage(facts, target, report);
      if (image != nullptr) check_container(facts, *image, report);
    } else {
      report.error("no_pipeline", "amdpal.pipelines", "it does not hold exactly one pipeline");
    }
    inspection.text = dump_text(root, target);
    inspection.json = dump_json(root, target, report);
    return {};
  };
  if (Result<void> done = object::with_document(document, read); !done) return done.error();
  return inspection;
}

}  // namespace

Result<Inspection> inspect_elf(std::span<const uint8_t> elf) {
  const Result<object::ElfImage> image = object::read_elf_image(elf);
  if (!image) return image.error();
  if (image->os_abi != object::kOsAbiPal) {
    return Error{Status::invalid_input, "the ELF file is not a PAL code object (OS ABI is not 65)"};
  }
  const Result<const isa::Target*> target = object::target_of(*image);
  if (!target) return target.error();
  const Result<std::span<const uint8_t>> note = object::metadata_note_of(*image);
  if (!note) return note.error();
  return inspect(*note, **target, &*image);
}

Result<Inspection> inspect_document(std::span<const uint8_t> document, const isa::Target& target) {
  return inspect(document, target, nullptr);
}

}  // namespace spalt::metadata
