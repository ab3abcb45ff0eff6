// SPDX-License-Identifier: MIT
#include "amdgpu/object/join_parts.h"

#include <algorithm>

namespace spalt::object {
namespace {

Error bad(const char* message) {
  return {Status::invalid_argument, message};
}

bool is_piece(const StageObject& stage) {
  return stage.part == abi::Part::prolog || stage.part == abi::Part::epilog;
}

/// The pieces of a stage are those of one program.
Result<void> check_fit(const StageObject& body, const StageObject& piece) {
  if (piece.target_name != body.target_name) return bad("the stages are for different processors");
  if (piece.wave_size != body.wave_size) return bad("a body and its piece have waves of different sizes");
  if (piece.float_mode != body.float_mode) return bad("a body and its piece have different float modes");
  if (piece.scratch_en || piece.lds_bytes != 0 || !piece.tables.empty()) return bad("a piece has memory of its own");
  return piece.seam == body.seam ? Result<void>() : bad("a piece is for another body: their seams differ");
}

void append_code(const StageObject& part, StageObject& whole) {
  const auto before = static_cast<uint32_t>(whole.code.size());
  whole.code.append({part.code.data(), part.code.size()});
  for (Relocation relocation : part.relocations) {
    relocation.offset += before;
    whole.relocations.push_back(relocation);
  }
  whole.disassembly += part.disassembly;
}

void add_prolog(const StageObject& prolog, StageObject& whole) {
  whole.vertex_vgpr_comp_cnt = std::max(whole.vertex_vgpr_comp_cnt, prolog.vertex_vgpr_comp_cnt);
  whole.primitive_vgpr_comp_cnt = std::max(whole.primitive_vgpr_comp_cnt, prolog.primitive_vgpr_comp_cnt);
  whole.primitive_shape = prolog.primitive_shape;
}

void add_epilog(const StageObject& epilog, StageObject& whole) {
  const auto& outputs = std::get<abi::PixelFacts>(epilog.facts);
  auto& facts = std::get<abi::PixelFacts>(whole.facts);
  facts.color_formats = outputs.color_formats;
  facts.color_masks = outputs.color_masks;
  facts.depth_format = outputs.depth_format;
  facts.writes_depth = outputs.writes_depth;
  facts.writes_stencil = outputs.writes_stencil;
  facts.writes_sample_mask = outputs.writes_sample_mask;
  facts.dummy_export = outputs.dummy_export;
  whole.alpha_to_coverage = epilog.alpha_to_coverage;
}

void combine_hashes(const StageObject& piece, StageObject& whole) {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15u;
  for (unsigned i = 0; i < 2; ++i) {
    whole.pipeline_hash[i] = (whole.pipeline_hash[i] * kFactor ^ piece.pipeline_hash[i]) | 1;
  }
}

Result<StageObject> join(const StageObject& body, const StageObject& piece, Arena* arena) {
  if (Result<void> fine = check_fit(body, piece); !fine) return fine.error();
  if (body.entry_offset != 0 || piece.entry_offset != 0) return bad("a part of a stage starts after its first byte");
  StageObject whole(arena);
  whole = body;
  whole.part = abi::Part::whole;
  whole.seam = {};
  whole.code.clear();
  whole.code.reserve(body.code.size() + piece.code.size());
  whole.relocations.clear();
  whole.disassembly.clear();
  const bool in_front = piece.part == abi::Part::prolog;
  append_code(in_front ? piece : body, whole);
  append_code(in_front ? body : piece, whole);
  whole.vgpr_count = std::max(body.vgpr_count, piece.vgpr_count);
  whole.sgpr_count = std::max(body.sgpr_count, piece.sgpr_count);
  whole.instruction_count = body.instruction_count + piece.instruction_count;
  combine_hashes(piece, whole);
  if (in_front) {
    add_prolog(piece, whole);
  } else {
    add_epilog(piece, whole);
  }
  return whole;
}

}  // namespace

Result<Vector<StageObject>> join_parts(std::span<const StageObject> parts, Arena* arena) {
  Vector<StageObject> stages(arena);
  stages.reserve(parts.size());
  size_t pieces = 0, joined = 0;
  for (const StageObject& part : parts) {
    if (is_piece(part)) {
      ++pieces;
      continue;
    }
    if (part.part == abi::Part::whole) {
      stages.push_back(part);
      continue;
    }
    const StageObject* piece = nullptr;
    for (const StageObject& other : parts) {
      if (!is_piece(other) || other.hardware_stage != part.hardware_stage) continue;
      if (piece != nullptr) return bad("a body has two pieces");
      piece = &other;
    }
    if (piece == nullptr) return bad("the body of a stage comes without the piece that completes it");
    Result<StageObject> whole = join(part, *piece, arena);
    if (!whole) return whole.error();
    stages.push_back(std::move(*whole));
    ++joined;
  }
  if (pieces != joined) return bad("a piece comes without the body that it completes");
  return stages;
}

}  // namespace spalt::object
