// SPDX-License-Identifier: MIT
// OpDecorate, OpMemberDecorate, decoration groups.
#include <spirv/unified1/spirv.hpp>

#include "spirv/module/preamble.h"

namespace spalt::spirv {
namespace {

/// Applying a group costs its size each time its target is looked at.
constexpr uint32_t kMaxGroupSize = 64;

Decoration make_decoration(const Instruction& in, uint32_t kind_index, uint32_t member) {
  Decoration decoration;
  decoration.kind = in[kind_index];
  decoration.member = member;
  decoration.has_argument = in.count > kind_index + 1;
  if (decoration.has_argument) decoration.argument = in[kind_index + 1];
  return decoration;
}

void add_decoration(Reader& r, uint32_t id, const Decoration& decoration) {
  r.has_invariant |= decoration.kind == spv::DecorationInvariant;
  r.decorations.add(id, decoration);
}

bool decorate(Reader& r, const Instruction& in) {
  if (!r.has_words(in, 3) || !r.in_bound(in[1])) return false;
  add_decoration(r, in[1], make_decoration(in, 2, kNone));
  return true;
}

bool decorate_member(Reader& r, const Instruction& in) {
  if (!r.has_words(in, 4) || !r.in_bound(in[1])) return false;
  add_decoration(r, in[1], make_decoration(in, 3, in[2]));
  return true;
}

bool apply_group(Reader& r, const Instruction& in, uint32_t step) {
  if (!r.has_words(in, 2) || !r.in_bound(in[1])) return false;
  if (r.ids[in[1]].kind != IdKind::decoration_group) return r.fail("expected a decoration group");
  uint32_t size = 0;
  r.decorations.for_each(in[1], [&size](const Decoration&, uint32_t) { ++size; });
  if (size > kMaxGroupSize) {
    return r.fail(Status::limit_exceeded, concat("a decoration group of more than ", kMaxGroupSize, " decorations"));
  }
  for (uint32_t i = 2; i + step <= in.count; i += step) {
    if (!r.in_bound(in[i])) return false;
    if (r.ids[in[i]].kind == IdKind::decoration_group) return r.fail("a decoration group cannot be a target");
    Decoration link;
    link.is_group = true;
    link.argument = in[1];
    if (step == 2) link.member = in[i + 1];
    r.decorations.add(in[i], link);
  }
  return true;
}

}  // namespace

bool read_annotation(Reader& r, const Instruction& in) {
  switch (in.opcode) {
    case spv::OpDecorate:
    case spv::OpDecorateId:
      return decorate(r, in);
    case spv::OpMemberDecorate:
      return decorate_member(r, in);
    case spv::OpDecorationGroup:
      return r.has_words(in, 2) && r.define(in[1], IdKind::decoration_group);
    case spv::OpGroupDecorate:
      return apply_group(r, in, 1);
    case spv::OpGroupMemberDecorate:
      return apply_group(r, in, 2);
    default:
      return true;  // strings are for reflection only
  }
}

}  // namespace spalt::spirv
