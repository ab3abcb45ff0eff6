// SPDX-License-Identifier: MIT
// Which location and component, or which built-in, each scalar of an input or output is (Vulkan, "Location
// Assignment"). One walk over the type with a stack: locations count up from scalar to scalar, vector to vector, column
// to column; decorations of a member start anew.
#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "ir/names.h"
#include "spirv/io/io.h"
#include "spirv/module/names.h"

namespace spalt::spirv {

using ir::InterfaceAccess;
using ir::Interpolation;
using ir::SamplePlace;
using ir::Semantic;

namespace {

/// What decorations say about a variable or a member.
struct Marks {
  uint32_t location = kNone, component = kNone, index = kNone, built_in = kNone;
  bool flat = false, linear = false, centroid = false, sample = false, per_vertex = false;
  uint32_t unsupported = kNone;  ///< a decoration

  void note(const Decoration& decoration) {
    switch (decoration.kind) {
      case spv::DecorationLocation:
        location = decoration.argument;
        break;
      case spv::DecorationComponent:
        component = decoration.argument;
        break;
      case spv::DecorationIndex:
        index = decoration.argument;
        break;
      case spv::DecorationBuiltIn:
        built_in = decoration.argument;
        break;
      case spv::DecorationFlat:
        flat = true;
        break;
      case spv::DecorationNoPerspective:
        linear = true;
        break;
      case spv::DecorationCentroid:
        centroid = true;
        break;
      case spv::DecorationSample:
        sample = true;
        break;
      case spv::DecorationPerVertexKHR:
        per_vertex = true;
        break;
      case spv::DecorationPatch:
      case spv::DecorationPerPrimitiveEXT:
      case spv::DecorationXfbBuffer:
        unsupported = decoration.kind;
        break;
      default:
        break;
    }
  }
};

/// A built-in that is a value between stages.
struct BuiltInLeaf {
  uint32_t built_in;
  Semantic semantic;
  ir::Scalar scalar;
  uint32_t leaves;  ///< most of them
};
constexpr BuiltInLeaf kBuiltInLeaves[] = {
    {spv::BuiltInPosition, Semantic::position, ir::Scalar::f32, 4},
    {spv::BuiltInPointSize, Semantic::point_size, ir::Scalar::f32, 1},
    {spv::BuiltInClipDistance, Semantic::clip_distance, ir::Scalar::f32, ir::kMaxDistances},
    {spv::BuiltInCullDistance, Semantic::cull_distance, ir::Scalar::f32, ir::kMaxDistances},
    {spv::BuiltInLayer, Semantic::layer, ir::Scalar::i32, 1},
    {spv::BuiltInViewportIndex, Semantic::viewport_index, ir::Scalar::i32, 1},
    {spv::BuiltInFragDepth, Semantic::depth, ir::Scalar::f32, 1},
    {spv::BuiltInFragStencilRefEXT, Semantic::stencil_reference, ir::Scalar::i32, 1},
    {spv::BuiltInSampleMask, Semantic::sample_mask, ir::Scalar::i32, 1},
    {spv::BuiltInBaryCoordKHR, Semantic::barycentric, ir::Scalar::f32, 3},
    {spv::BuiltInBaryCoordNoPerspKHR, Semantic::barycentric, ir::Scalar::f32, 3},
};

const BuiltInLeaf* find_built_in_leaf(uint32_t built_in) {
  for (const BuiltInLeaf& row : kBuiltInLeaves) {
    if (row.built_in == built_in) return &row;
  }
  return nullptr;
}

class LeafWalk {
 public:
  LeafWalk(Reader& r, const Variable& variable)
      : r_(r),
        variable_(variable),
        is_input_(variable.storage_class == spv::StorageClassInput),
        is_fragment_(r.options.stage == ir::ShaderStage::fragment) {}

  bool run() {
    Marks marks;
    r_.decorations.for_each(variable_.id, [&marks](const Decoration& decoration, uint32_t member) {
      if (member == kNone) marks.note(decoration);
    });
    const TypeInfo& vertices = r_.types[variable_.type];
    if (!marks.per_vertex && !has_per_vertex_members(vertices)) return walk(variable_.type, marks);
    // An element for each vertex, all at the same locations.
    if (vertices.kind != TypeKind::array || vertices.count > kVertices) return fail("is no array of three vertices");
    for (vertex_ = 0; vertex_ < vertices.count; ++vertex_) {
      location_ = kNone;
      if (!walk(vertices.element, marks)) return false;
    }
    return true;
  }

 private:
  struct Part {
    uint32_t type;
    uint32_t next;         ///< element or member to go into
    uint32_t first_marks;  ///< structs: of the members, in members_
    Marks marks;
  };

  static constexpr uint32_t kVertices = 3;

  /// An array of blocks whose members are per vertex: one says it for all.
  bool has_per_vertex_members(const TypeInfo& vertices) const {
    if (vertices.kind != TypeKind::array || r_.types[vertices.element].kind != TypeKind::structure) return false;
    bool found = false;
    r_.decorations.for_each(r_.types[vertices.element].id, [&](const Decoration& decoration, uint32_t member) {
      found |= member != kNone && decoration.kind == spv::DecorationPerVertexKHR;
    });
    return found;
  }

  bool walk(uint32_t type, const Marks& marks) {
    if (!start(marks)) return false;
    stack_.push_back({type, 0, 0, marks});
    while (!stack_.empty()) {
      if (!step()) return false;
      ++r_.leaf_work;
    }
    return true;
  }

  /// What a new set of decorations means for the scalars that follow.
  bool start(const Marks& marks) {
    if (marks.unsupported != kNone) return r_.unsupported("decoration " + decoration_name(marks.unsupported));
    if (marks.per_vertex && vertex_ >= kVertices) return fail("is no array of three vertices");
    if (marks.sample && is_input_ && is_fragment_) r_.module.fragment().per_sample = true;
    if (marks.location != kNone) location_ = marks.location;
    component_ = marks.component != kNone ? marks.component : 0;
    if (marks.index != kNone) index_ = marks.index;
    return true;
  }

  bool step() {
    Part& part = stack_.back();
    const TypeInfo& type = r_.types[part.type];
    if (part.marks.built_in != kNone) return finish(built_in(type, part.marks));
    switch (type.kind) {
      case TypeKind::matrix:
        return finish(columns(type, part.marks));
      case TypeKind::array:
        return element(part, type);
      case TypeKind::structure:
        return member(part, type);
      default:
        return finish(vector(type, type.leaves, part.marks));
    }
  }
  bool finish(bool ok) {
    stack_.pop_back();
    return ok;
  }

  bool element(Part& part, const TypeInfo& type) {
    if (part.next++ == type.count) return finish(true);
    const Marks inherited = part.marks;
    stack_.push_back({type.element, 0, 0, inherited});
    return true;
  }

  bool member(Part& part, const TypeInfo& type) {
    if (part.next == 0) {
      part.first_marks = members_.size();
      members_.resize(size_t{members_.size()} + type.count);
      r_.decorations.for_each(type.id, [&](const Decoration& decoration, uint32_t at) {
        ++r_.leaf_work;
        if (at < type.count) members_[part.first_marks + at].note(decoration);
      });
    }
    if (part.next == type.count) {
      members_.resize(part.first_marks);
      return finish(true);
    }
    Marks marks = members_[part.first_marks + part.next];
    const uint32_t child = r_.types.member(type, part.next++).type;
    if (!start(marks)) return false;
    // Interpolation of the whole is that of its members.
    marks.flat |= part.marks.flat;
    marks.linear |= part.marks.linear;
    marks.centroid |= part.marks.centroid;
    marks.sample |= part.marks.sample;
    stack_.push_back({child, 0, 0, marks});
    return r_.check_limits();
  }

  bool columns(const TypeInfo& type, const Marks& marks) {
    for (uint32_t i = 0; i < type.count; ++i) {
      if (!vector(type, type.leaves / type.count, marks)) return false;
    }
    return true;
  }

  /// The scalars of one location, or of two: each of 64 bits has two components, and more than two of them go on in the
  /// next location.
  bool vector(const TypeInfo& type, uint32_t count, const Marks& marks) {
    if (type.scalar == ir::Scalar::none || type.scalar == ir::Scalar::i1) {
      return fail("has a type that cannot pass between stages");
    }
    const bool is_wide = leaf_bytes(type.scalar) == 8;
    if (is_wide && is_fragment_ && !is_input_) return fail("has components of 64 bits, which no colour has");
    if (leaf_bytes(type.scalar) == 1) return fail("has components of 8 bits");
    if (location_ == kNone) return fail("has no Location decoration");
    const uint32_t each = is_wide ? 2 : 1, locations = count * each > 4 ? 2 : 1;
    if (location_ > ir::kMaxLocations - locations) {
      return fail(concat("has a location beyond ", ir::kMaxLocations - 1));
    }
    if (component_ % each != 0 || component_ + count * each > 4 * locations || (locations == 2 && component_ != 0)) {
      return fail("has components beyond the fourth");
    }
    InterfaceAccess access;
    access.index = static_cast<uint8_t>(std::min(index_, 1u));
    if (is_input_ && is_fragment_) interpolate(type, marks, access);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t component = component_ + i * each;
      access.number = static_cast<uint8_t>(location_ + component / 4);
      access.component = static_cast<uint8_t>(component % 4);
      r_.interface_leaves.push_back({access});
    }
    location_ += locations;
    return true;
  }

  /// Integers and doubles are flat, as Vulkan demands.
  void interpolate(const TypeInfo& type, const Marks& marks, InterfaceAccess& access) const {
    if (vertex_ < kVertices) {
      access.interpolation = Interpolation::per_vertex;
      access.index = static_cast<uint8_t>(vertex_);
      return;
    }
    const bool is_float = ir::Type{type.scalar}.is_float() && leaf_bytes(type.scalar) < 8;
    access.interpolation = marks.flat || !is_float ? Interpolation::flat
                           : marks.linear          ? Interpolation::linear
                                                   : Interpolation::perspective;
    if (access.interpolation != Interpolation::flat) access.place = place_of(marks);
  }

  static SamplePlace place_of(const Marks& marks) {
    return marks.sample ? SamplePlace::each : marks.centroid ? SamplePlace::centroid : SamplePlace::center;
  }

  bool built_in(const TypeInfo& type, const Marks& marks) {
    const uint32_t built_in = marks.built_in;
    const BuiltInLeaf* row = find_built_in_leaf(built_in);
    if (row == nullptr) return r_.unsupported("built-in " + built_in_name(built_in));
    if (type.scalar != row->scalar || type.leaves == 0 || type.leaves > row->leaves) {
      return fail(concat("has another type than built-in ", built_in_name(built_in)));
    }
    InterfaceAccess access;
    access.semantic = row->semantic;
    if (is_input_ && is_fragment_) access.interpolation = Interpolation::perspective;
    if (row->semantic == Semantic::barycentric && !(is_input_ && is_fragment_)) {
      return fail("is no input of a fragment shader");
    }
    if (built_in == spv::BuiltInBaryCoordNoPerspKHR) access.interpolation = Interpolation::linear;
    if (row->semantic == Semantic::barycentric) access.place = place_of(marks);
    const bool vector = ir::semantic_components(row->semantic) > 1;
    for (uint32_t i = 0; i < type.leaves; ++i) {
      (vector ? access.component : access.number) = static_cast<uint8_t>(i);
      r_.interface_leaves.push_back({access});
    }
    return true;
  }

  bool fail(const std::string& what) { return r_.fail(concat("interface variable ", variable_.id, " ", what)); }

  Reader& r_;
  const Variable& variable_;
  const bool is_input_, is_fragment_;
  Vector<Part> stack_{r_.context.scratch};
  Vector<Marks> members_{r_.context.scratch};
  uint32_t location_ = kNone, component_ = 0, index_ = 0;
  uint32_t vertex_ = kVertices;  ///< of a per-vertex input
};

/// Inputs that are built-ins come from elsewhere, but for those that interpolation gives.
bool passes_between_stages(const Variable& variable) {
  if (variable.storage_class == spv::StorageClassOutput) return true;
  if (variable.storage_class != spv::StorageClassInput) return false;
  return variable.built_in == kNone || variable.built_in == spv::BuiltInClipDistance ||
         variable.built_in == spv::BuiltInCullDistance || variable.built_in == spv::BuiltInBaryCoordKHR ||
         variable.built_in == spv::BuiltInBaryCoordNoPerspKHR;
}

/// The interface asks for an invocation for each sample, Vulkan says, not what is read of it.
bool differs_by_sample(const Variable& variable) {
  return variable.storage_class == spv::StorageClassInput &&
         (variable.built_in == spv::BuiltInSampleId || variable.built_in == spv::BuiltInSamplePosition);
}

/// What goes to one place comes from one variable.
bool outputs_are_apart(Reader& r) {
  Vector<uint64_t> places(r.context.scratch);
  for (const uint32_t index : r.outputs) {
    const Variable& variable = r.variables[index];
    for (uint32_t i = 0; i < r.types[variable.type].leaves; ++i) {
      InterfaceAccess access = r.interface_leaves[variable.first_interface_leaf + i].access;
      places.push_back(access.pack());
      if (leaf_bytes(r.types.leaf_type(variable.type, i).scalar) != 8) continue;
      ++access.component;
      places.push_back(access.pack());
    }
  }
  std::sort(places.begin(), places.end());
  const auto* twice = std::adjacent_find(places.begin(), places.end());
  return twice == places.end() ||
         r.fail(concat("two outputs are ", ir::interface_name(InterfaceAccess::unpack(*twice))));
}

}  // namespace

bool assign_interface(Reader& r) {
  if (r.options.stage == ir::ShaderStage::compute) return true;
  const Instruction entry = r.instruction_at(r.entry_word);
  for (uint32_t i = r.entry_interface; i < entry.count; ++i) {
    if (!r.in_bound(entry[i])) return false;
    const IdInfo& id = r.ids[entry[i]];
    if (id.kind != IdKind::global) continue;
    Variable& variable = r.variables[id.index];
    if (differs_by_sample(variable) && r.options.stage == ir::ShaderStage::fragment) {
      r.module.fragment().per_sample = true;
    }
    if (!passes_between_stages(variable) || is_stage_variable(variable)) continue;
    r.current = r.instruction_at(variable.word);
    if (!r.types[variable.type].is_value() || r.types[variable.type].is_handle()) {
      return r.fail("an input or output without a value");
    }
    variable.first_interface_leaf = r.interface_leaves.size();
    if (!LeafWalk(r, variable).run()) return false;
    if (variable.storage_class == spv::StorageClassOutput) r.outputs.push_back(id.index);
    if (variable.storage_class == spv::StorageClassInput) r.inputs.push_back(id.index);
  }
  r.current = entry;
  if (!outputs_are_apart(r)) return false;
  r.current = {};
  return true;
}

}  // namespace spalt::spirv
