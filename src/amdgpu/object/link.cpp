// SPDX-License-Identifier: MIT
#include "amdgpu/object/link.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "amdgpu/isa/target.h"
#include "amdgpu/object/elf_format.h"
#include "amdgpu/object/join_parts.h"
#include "amdgpu/object/metadata.h"
#include "amdgpu/object/section_writer.h"
#include "base/bits.h"

namespace spalt::object {
namespace {

// s_code_end after the last instruction: the instruction cache prefetches up to three lines past the end
// (LLVM AMDGPU usage guide, "Code Object", s_code_end padding).
constexpr uint32_t kCodeEnd = 0xbf9f0000;
// s_nop 0 on every generation.
constexpr uint32_t kNop = 0xbf800000;
constexpr size_t kCacheLine = 64, kPaddingLines = 3;

Error bad(std::string message) {
  return {Status::invalid_argument, std::move(message)};
}

void write_dword(uint8_t* at, uint32_t value) {
  for (unsigned byte = 0; byte < 4; ++byte) at[byte] = static_cast<uint8_t>(value >> (8 * byte));
}

void fill(Bytes& file, size_t end, uint32_t word) {
  static_assert(std::endian::native == std::endian::little);
  size_t at = file.size();
  file.resize_for_overwrite(end);
  for (uint8_t* bytes = file.data(); at < end; at += 4) std::memcpy(bytes + at, &word, 4);
}

/// Where the code, or the tables, of each stage begin in the section. A stage is there once, so there are few.
using Starts = SmallVector<uint32_t, 8>;

/// What the section consists of.
struct Text {
  Starts code, tables;
  uint32_t first_table = 0;  ///< where the tables of all stages begin
  uint32_t end = 0;
  bool has_tables() const { return first_table != end; }
};

/// The code of all stages side by side, each at an entry point's alignment. `text` is where the section begins.
Starts append_code(std::span<const StageObject> stages, const isa::Target& target, Bytes& file, size_t text) {
  Starts starts;
  for (const StageObject& stage : stages) {
    fill(file, text + align_up(file.size() - text, kEntryAlignment), kCodeEnd);
    starts.push_back(static_cast<uint32_t>(file.size() - text));
    append_bytes(file, stage.code.data(), stage.code.size());
  }
  if (target.inst_prefetch_padding) {
    fill(file, text + align_up(file.size() - text, kCacheLine) + kPaddingLines * kCacheLine, kCodeEnd);
  }
  return starts;
}

/// The tables of all stages, where neither code nor what is prefetched of it reaches.
Starts append_tables(std::span<const StageObject> stages, Bytes& file, size_t text) {
  Starts starts;
  for (const StageObject& stage : stages) {
    if (!stage.tables.empty()) fill(file, text + align_up(file.size() - text, kTableAlignment), kNop);
    starts.push_back(static_cast<uint32_t>(file.size() - text));
    append_bytes(file, stage.tables.data(), stage.tables.size());
  }
  return starts;
}

/// `text`: where append_code and append_tables have put what `places` says.
Result<void> relocate(std::span<const StageObject> stages, const Text& places, uint8_t* text) {
  for (size_t i = 0; i < stages.size(); ++i) {
    for (const Relocation& relocation : stages[i].relocations) {
      const auto to = std::find_if(stages.begin(), stages.end(),
                                   [&](const StageObject& stage) { return stage.hardware_stage == relocation.stage; });
      if (to == stages.end()) return bad("a stage refers to another that the pipeline does not have");
      const uint32_t place = places.code[i] + relocation.offset;
      const auto other = static_cast<size_t>(to - stages.begin());
      const uint32_t target =
          relocation.kind == RelocationKind::tables ? places.tables[other] : places.code[other] + to->entry_offset;
      write_dword(text + place, target - place + static_cast<uint32_t>(relocation.addend));
    }
  }
  return {};
}

/// The size of the document is known when it is written.
void append_note(std::span<const StageObject> stages, const PipelineFacts& facts, Bytes& file) {
  const size_t start = file.size();
  ElfNote header{sizeof(kNoteName), 0, kNoteAmdgpuMetadata};
  append_bytes(file, &header, sizeof header);
  append_bytes(file, kNoteName, sizeof kNoteName);
  pad_bytes(file, 4);
  const size_t document = file.size();
  write_metadata(stages, facts, file);
  header.desc_size = static_cast<uint32_t>(file.size() - document);
  std::memcpy(&file[start], &header, sizeof header);
  pad_bytes(file, 4);
}

/// The name of the constant tables, which tells disassemblers that they are no code.
constexpr char kTablesName[] = "constant_tables";

void append_symbols(std::span<const StageObject> stages, const Text& places, Bytes& file) {
  uint32_t next_name = 1;
  if (places.has_tables()) {
    ElfSymbol symbol{};
    symbol.name = next_name;
    symbol.info = static_cast<uint8_t>(kBindLocal << 4 | kSymbolObject);
    symbol.section = 1;
    symbol.value = places.first_table;
    symbol.size = places.end - places.first_table;
    append_bytes(file, &symbol, sizeof symbol);
    next_name += static_cast<uint32_t>(sizeof kTablesName);
  }
  for (size_t i = 0; i < stages.size(); ++i) {
    ElfSymbol symbol{};
    symbol.name = next_name;
    symbol.info = static_cast<uint8_t>(kBindGlobal << 4 | kSymbolFunc);
    symbol.section = 1;
    symbol.value = places.code[i] + stages[i].entry_offset;
    // Loaders derive the prefetch size from the symbol size: the code without its padding.
    symbol.size = stages[i].code.size() - stages[i].entry_offset;
    append_bytes(file, &symbol, sizeof symbol);
    next_name += static_cast<uint32_t>(stages[i].entry_symbol.size()) + 1;
  }
}

Result<void> check_user_data(std::span<const StageObject> stages) {
  for (uint32_t content : kOncePerPipeline) {
    ptrdiff_t registers = 0;
    for (const StageObject& stage : stages) {
      registers += std::count(stage.user_data_reg_map.begin(), stage.user_data_reg_map.end(), content);
    }
    if (registers > 1) return bad("there are two user SGPRs for what the driver writes to one");
  }
  return {};
}

/// A compute stage is a pipeline; so are a stage of vertices, a pixel stage, or both.
Result<void> check_kinds(std::span<const StageObject> stages) {
  unsigned vertex_stages = 0, graphics_stages = 0;
  for (const StageObject& stage : stages) {
    vertex_stages += std::holds_alternative<abi::VertexOutputs>(stage.facts) ? 1 : 0;
    graphics_stages += stage.hardware_stage != abi::HardwareStage::cs ? 1 : 0;
  }
  if (graphics_stages != 0 && graphics_stages != stages.size()) return bad("a compute stage is a pipeline of its own");
  if (vertex_stages > 1) return bad("a pipeline has one vertex stage");
  return {};
}

const StageObject* find(std::span<const StageObject> stages, bool (*wanted)(const StageObject&)) {
  const auto at = std::find_if(stages.begin(), stages.end(), wanted);
  return at != stages.end() ? &*at : nullptr;
}
const StageObject* find_vertex(std::span<const StageObject> stages) {
  return find(stages, [](const StageObject& stage) { return std::holds_alternative<abi::VertexOutputs>(stage.facts); });
}
const StageObject* find_pixel(std::span<const StageObject> stages) {
  return find(stages, [](const StageObject& stage) { return stage.hardware_stage == abi::HardwareStage::ps; });
}

/// A vertex stage makes hardware count primitives only where it was compiled for a pixel stage that asks.
Result<void> check_primitive_id(std::span<const StageObject> stages) {
  const StageObject *vertex = find_vertex(stages), *pixel = find_pixel(stages);
  if (vertex == nullptr || pixel == nullptr) return {};
  const auto& inputs = std::get<abi::PixelFacts>(pixel->facts).parameters;
  const bool is_read = std::any_of(inputs.begin(), inputs.end(), [](const abi::PixelParameter& input) {
    return input.parameter.kind == abi::ParameterKind::primitive_id;
  });
  if (!is_read || std::get<abi::VertexOutputs>(vertex->facts).primitive_id) return {};
  return bad("the pixel stage reads the primitive id, for which the vertex stage was not compiled");
}

/// What a pixel stage leaves to the vertices has to be done, and nothing else.
Result<void> check_vertex_work(std::span<const StageObject> stages) {
  const StageObject *vertex = find_vertex(stages), *pixel = find_pixel(stages);
  if (vertex == nullptr || pixel == nullptr) return {};
  const auto& left = std::get<abi::PixelFacts>(pixel->facts).vertex_work;
  const auto& done = std::get<abi::VertexOutputs>(vertex->facts).vertex_work;
  if (left == done) return {};
  return bad(left.empty() ? "the vertex stage does work that another pixel stage leaves to it"
                          : "the pixel stage leaves work to the vertex stage, which was not compiled for it");
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
  if (Result<void> fine = check_kinds(stages); !fine) return fine;
  if (Result<void> fine = check_primitive_id(stages); !fine) return fine;
  if (Result<void> fine = check_vertex_work(stages); !fine) return fine;
  return check_user_data(stages);
}

/// The program of a pixel stage that has nothing to do. Waves of GFX9 must export something all the same.
struct NullPixel {
  isa::GenerationSet generations;
  std::array<uint32_t, 3> words;
  uint8_t word_count;
  abi::PixelInput input;  ///< the least that a wave must load
};
constexpr NullPixel kNullPixels[] = {
    {isa::kGfx9, {0xc4001890, 0x00000000, 0xbf810000}, 3, abi::kLineStipple},  // exp null off, off, off, off done vm
    {isa::kGfx10, {0xbf810000}, 1, abi::kLineStipple},                         // s_endpgm
    {isa::kGfx11, {0xbfb00000}, 1, abi::kLineStipple},
    {isa::kGfx12, {0xbfb00000}, 1, abi::kPerspSample},
};

/// Loaders and hardware want a pixel stage in every graphics pipeline.
StageObject null_pixel_stage(const StageObject& vertex, const isa::Target& target, Arena* arena) {
  StageObject stage(arena);
  stage.hardware_stage = abi::HardwareStage::ps;
  stage.target_name = vertex.target_name;
  stage.entry_symbol = entry_symbol_of(stage.hardware_stage);
  stage.wave_size = vertex.wave_size;
  abi::PixelFacts facts;
  for (const NullPixel& row : kNullPixels) {
    if (!row.generations.has(target.generation)) continue;
    stage.code.resize(size_t{row.word_count} * 4);
    for (unsigned i = 0; i < row.word_count; ++i) write_dword(&stage.code[size_t{i} * 4], row.words[i]);
    facts.inputs = static_cast<uint16_t>(1u << row.input);
    stage.vgpr_count = abi::pixel_input_registers(row.input);
  }
  stage.facts = facts;
  stage.sgpr_count = 1;
  stage.sgpr_limit = target.sgpr_count;
  stage.vgpr_limit = target.vgpr_limit;
  stage.user_sgprs = stage.wave_size == 32 ? target.min_user_sgprs_wave32 : 0;
  stage.mem_ordered = target.has_mem_ordered;
  stage.dx10_clamp = target.has_clamp_mode;
  stage.pipeline_hash = vertex.pipeline_hash;
  return stage;
}

PipelineFacts facts_of(std::span<const StageObject> stages, MetadataVersion version) {
  PipelineFacts facts;
  facts.target = isa::find_target(stages[0].target_name);
  facts.version = version;
  facts.hash = stages[0].pipeline_hash;
  if (stages[0].hardware_stage != abi::HardwareStage::cs) {
    const StageObject* vertex = find_vertex(stages);
    const bool primitive = vertex_stage_of(vertex, *facts.target) == abi::HardwareStage::gs;
    facts.type = primitive ? PipelineType::primitive_pixel : PipelineType::vertex_pixel;
    facts.graphics = describe_graphics(vertex, find_pixel(stages), *facts.target);
  }
  for (const StageObject& stage : stages) {
    facts.spill_threshold = std::min(facts.spill_threshold, stage.spill_threshold);
    facts.user_data_limit = std::max(facts.user_data_limit, stage.user_data_limit);
  }
  for (const StageObject& stage : stages.subspan(1)) {
    for (unsigned i = 0; i < 2; ++i) facts.hash[i] = (facts.hash[i] * 0x9e3779b97f4a7c15u ^ stage.pipeline_hash[i]) | 1;
  }
  return facts;
}

/// More than most files have besides code and disassembly; a file that has more grows.
constexpr size_t kUsualBytes = 3072;

size_t expected_size(std::span<const StageObject> stages) {
  size_t bytes = kUsualBytes;
  for (const StageObject& stage : stages) {
    bytes += stage.code.size() + kEntryAlignment + stage.tables.size() + stage.disassembly.size();
  }
  return bytes;
}

/// The stages hold check() and lack none.
Result<Bytes> link_all(std::span<const StageObject> stages, MetadataVersion version, Arena* arena) {
  const PipelineFacts facts = facts_of(stages, version);
  Bytes file(arena);
  file.reserve(expected_size(stages));
  SectionWriter out(file);
  out.begin(".text", {.type = kSectionProgbits, .flags = kFlagAlloc | kFlagExec, .alignment = kEntryAlignment});
  const size_t text = file.size();
  Text places;
  places.code = append_code(stages, *facts.target, file, text);
  places.tables = append_tables(stages, file, text);
  places.end = static_cast<uint32_t>(file.size() - text);
  places.first_table = places.end;
  for (size_t i = stages.size(); i-- > 0;) {
    if (!stages[i].tables.empty()) places.first_table = places.tables[i];
  }
  if (Result<void> done = relocate(stages, places, &file[text]); !done) return done.error();
  out.end();
  out.begin(".note", {.type = kSectionNote, .alignment = 4});
  append_note(stages, facts, file);
  out.end();
  const auto has_disassembly = [](const StageObject& stage) { return !stage.disassembly.empty(); };
  if (std::any_of(stages.begin(), stages.end(), has_disassembly)) {
    out.begin(".AMDGPU.disasm", {.type = kSectionProgbits, .alignment = 1});
    for (const StageObject& stage : stages) append_text(file, stage.disassembly);
    out.end();
  }
  out.begin_symbols(places.has_tables() ? 2 : 1);
  append_symbols(stages, places, file);
  out.end();
  out.begin_strings();
  if (places.has_tables()) append_bytes(file, kTablesName, sizeof kTablesName);
  for (const StageObject& stage : stages) {
    append_bytes(file, stage.entry_symbol.c_str(), stage.entry_symbol.size() + 1);
  }
  out.end();
  out.finish(kOsAbiPal, facts.target->elf_flags());
  return file;
}

/// Stages that are whole and make a pipeline.
Result<Bytes> link_checked(std::span<const StageObject> stages, MetadataVersion version, Arena* arena) {
  const StageObject* vertex = find_vertex(stages);
  if (vertex == nullptr || find_pixel(stages) != nullptr) return link_all(stages, version, arena);
  const StageObject both[] = {*vertex, null_pixel_stage(*vertex, *isa::find_target(vertex->target_name), arena)};
  return link_all(both, version, arena);
}

Result<Bytes> link_whole(std::span<const StageObject> stages, MetadataVersion version, Arena* arena) {
  if (Result<void> fine = check(stages); !fine) return fine.error();
  return link_checked(stages, version, arena);
}

}  // namespace

Result<Bytes> link_compiled(const StageObject& stage, MetadataVersion version, Arena* arena) {
  const std::span<const StageObject> alone(&stage, 1);
  return stage.part == abi::Part::whole ? link_checked(alone, version, arena) : link_stages(alone, version, arena);
}

Result<Bytes> link_stages(std::span<const StageObject> stages, MetadataVersion version, Arena* arena) {
  const auto is_whole = [](const StageObject& stage) { return stage.part == abi::Part::whole; };
  if (std::all_of(stages.begin(), stages.end(), is_whole)) return link_whole(stages, version, arena);
  for (const StageObject& stage : stages) {
    if (Result<void> fine = check_stage(stage); !fine) return fine.error();
  }
  const Result<Vector<StageObject>> joined = join_parts(stages, arena);
  return joined ? link_whole(*joined, version, arena) : Result<Bytes>(joined.error());
}

}  // namespace spalt::object
