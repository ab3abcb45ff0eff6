// SPDX-License-Identifier: MIT
#include <algorithm>

#include "amdgpu/metadata/checks.h"

namespace spalt::metadata {
namespace {

using object::ElfImage;

void check_sections(const ElfImage& image, Report& report) {
  for (std::string_view name : {std::string_view(".text"), std::string_view(".symtab"), std::string_view(".note")}) {
    const ElfImage::Section* section = image.find_section(name);
    if (section == nullptr) {
      report.error("section", "", "the file has no section " + std::string(name));
    } else if (name == ".note" && section->header.type != object::kSectionNote) {
      report.error("section", "", "the section .note is not of type SHT_NOTE");
    } else if (name == ".text" && (section->header.flags & object::kFlagAlloc) == 0) {
      report.error("section", "", "the section .text is not allocated, so loaders do not upload it");
    }
  }
}

void check_entry(const StageFacts& stage, const ElfImage& image, Report& report) {
  if (stage.entry_symbol.empty()) {
    return report.error("entry_symbol", stage.path, "the stage names no entry point");
  }
  const std::string path = stage.path + "/.entry_point";
  const ElfImage::Symbol* symbol = image.find_symbol(stage.entry_symbol);
  if (symbol == nullptr) return report.error("entry_symbol", path, "the symbol table has no such symbol");
  const ElfImage::Section* text = image.find_section(".text");
  const bool in_text = text != nullptr && symbol->entry.section < image.sections.size() &&
                       &image.sections[symbol->entry.section] == text;
  if (!in_text) return report.error("entry_symbol", path, "the symbol is not in .text");
  const uint64_t offset = symbol->entry.value - text->header.address;
  if (offset > text->data.size() || symbol->entry.size > text->data.size() - offset) {
    report.error("entry_symbol", path, "the symbol leaves .text");
  } else if (offset % object::kEntryAlignment != 0) {
    report.error("entry_alignment", path, "the entry point is not 256-byte aligned");
  }
  if (symbol->entry.size == 0) {
    report.error("entry_size", path, "the size of the symbol is 0, and loaders take the length of the code from it");
  }
  if (symbol->entry.info != (object::kBindGlobal << 4 | object::kSymbolFunc)) {
    report.error("entry_symbol", path, "the symbol is not a global function");
  }
}

}  // namespace

void check_container(const PipelineFacts& facts, const ElfImage& image, Report& report) {
  check_sections(image, report);
  for (const StageFacts& stage : facts.stages) check_entry(stage, image, report);
}

}  // namespace spalt::metadata
