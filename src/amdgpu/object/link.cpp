// SPDX-License-Identifier: MIT
#include "amdgpu/object/link.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "amdgpu/isa/target.h"
#include "amdgpu/object/elf_format.h"
#include "amdgpu/object/metadata.h"
#include "amdgpu/object/section_writer.h"
#include "base/bits.h"

namespace spalt::object {
namespace {

// s_code_end after the last instruction: the instruction cache prefetches up to three lines past the end
// (LLVM AMDGPU usage guide, "Code Object", s_code_end padding).
constexpr uint32_t kCodeEnd = 0xbf9f0000;
constexpr size_t kCacheLine = 64, kPaddingLines = 3;

Error bad(std::string message) {
  return {Status::invalid_argument, std::move(message)};
}

void fill_with_code_end(std::vector<uint8_t>& text, size_t end) {
  const uint8_t bytes[] = {uint8_t(kCodeEnd), uint8_t(kCodeEnd >> 8), uint8_t(kCodeEnd >> 16), uint8_t(kCodeEnd >> 24)};
  while (text.size() < end) text.insert(text.end(), bytes, bytes + sizeof bytes);
}

/// The code of all stages, and where each one's begins.
struct Text {
  std::vector<uint8_t> bytes;
  std::vector<size_t> starts;
};

Text lay_out(std::span<const StageObject> stages, const isa::Target& target) {
  Text text;
  for (const StageObject& stage : stages) {
    fill_with_code_end(text.bytes, align_up(text.bytes.size(), kEntryAlignment));
    text.starts.push_back(text.bytes.size());
    text.bytes.insert(text.bytes.end(), stage.code.begin(), stage.code.end());
  }
  if (target.inst_prefetch_padding) {
    fill_with_code_end(text.bytes, align_up(text.bytes.size(), kCacheLine) + kPaddingLines * kCacheLine);
  }
  return text;
}

Result<void> relocate(std::span<const StageObject> stages, Text& text) {
  for (size_t i = 0; i < stages.size(); ++i) {
    for (const Relocation& relocation : stages[i].relocations) {
      const auto to = std::find_if(stages.begin(), stages.end(),
                                   [&](const StageObject& stage) { return stage.hardware_stage == relocation.stage; });
      if (to == stages.end()) return bad("a stage refers to another that the pipeline does not have");
      const size_t place = text.starts[i] + relocation.offset;
      const size_t entry = text.starts[static_cast<size_t>(to - stages.begin())] + to->entry_offset;
      const auto distance = static_cast<uint32_t>(entry - place) + static_cast<uint32_t>(relocation.addend);
      for (unsigned byte = 0; byte < 4; ++byte) text.bytes[place + byte] = static_cast<uint8_t>(distance >> (8 * byte));
    }
  }
  return {};
}

std::vector<uint8_t> note_section(const std::vector<uint8_t>& metadata) {
  const ElfNote header{sizeof(kNoteName), static_cast<uint32_t>(metadata.size()), kNoteAmdgpuMetadata};
  std::vector<uint8_t> note;
  append_bytes(note, &header, sizeof header);
  append_bytes(note, kNoteName, sizeof kNoteName);
  pad_bytes(note, 4);
  append_bytes(note, metadata.data(), metadata.size());
  pad_bytes(note, 4);
  return note;
}

/// The stages are those of one pipeline.
Result<void> check(std::span<const StageObject> stages) {
  if (stages.empty()) return bad("a pipeline has at least one stage");
  for (const StageObject& stage : stages) {
    if (Result<void> fine = check_stage(stage); !fine) return fine;
    if (stage.target_name != stages[0].target_name) return bad("the stages are for different processors");
    const auto same = [&](const StageObject& other) { return other.hardware_stage == stage.hardware_stage; };
    if (std::count_if(stages.begin(), stages.end(), same) != 1) return bad("a hardware stage is there twice");
  }
  return {};
}

PipelineFacts facts_of(std::span<const StageObject> stages, MetadataVersion version) {
  PipelineFacts facts;
  facts.target = isa::find_target(stages[0].target_name);
  facts.version = version;
  facts.hash = stages[0].pipeline_hash;
  for (const StageObject& stage : stages) {
    facts.spill_threshold = std::min(facts.spill_threshold, stage.spill_threshold);
    facts.user_data_limit = std::max(facts.user_data_limit, stage.user_data_limit);
  }
  for (const StageObject& stage : stages.subspan(1)) {
    for (unsigned i = 0; i < 2; ++i) facts.hash[i] = (facts.hash[i] * 0x9e3779b97f4a7c15u ^ stage.pipeline_hash[i]) | 1;
  }
  return facts;
}

}  // namespace

Result<std::vector<uint8_t>> link_stages(std::span<const StageObject> stages, MetadataVersion version) {
  if (Result<void> fine = check(stages); !fine) return fine.error();
  const PipelineFacts facts = facts_of(stages, version);
  Text text = lay_out(stages, *facts.target);
  if (Result<void> done = relocate(stages, text); !done) return done.error();
  const std::vector<uint8_t> note = note_section(write_metadata(stages, facts));

  std::string strings(1, '\0'), disassembly;
  std::vector<ElfSymbol> symbols(1);
  for (size_t i = 0; i < stages.size(); ++i) {
    ElfSymbol& symbol = symbols.emplace_back();
    symbol.name = static_cast<uint32_t>(strings.size());
    symbol.info = static_cast<uint8_t>(kBindGlobal << 4 | kSymbolFunc);
    symbol.section = 1;
    symbol.value = text.starts[i] + stages[i].entry_offset;
    // Loaders derive the prefetch size from the symbol size: the code without its padding.
    symbol.size = stages[i].code.size() - stages[i].entry_offset;
    strings += stages[i].entry_symbol + '\0';
    disassembly += stages[i].disassembly;
  }

  SectionWriter out;
  out.add(".text", {.type = kSectionProgbits, .flags = kFlagAlloc | kFlagExec, .alignment = kEntryAlignment},
          text.bytes.data(), text.bytes.size());
  out.add(".note", {.type = kSectionNote, .alignment = 4}, note.data(), note.size());
  if (!disassembly.empty()) {
    out.add(".AMDGPU.disasm", {.type = kSectionProgbits, .alignment = 1}, disassembly.data(), disassembly.size());
  }
  out.add_symbols(symbols, 1, strings);
  return out.finish(kOsAbiPal, facts.target->elf_flags());
}

}  // namespace spalt::object
