// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_image_halves.h"

#include <bit>
#include <optional>

#include "amdgpu/lower/inserter.h"
#include "base/half.h"

namespace spalt::lower {

using ir::ImageAccess;
using ir::ImageDim;
using ir::ImageOperands;
using ir::Op;
using ir::Value;

namespace {

constexpr ir::OpSet kImageOps = {Op::image_load, Op::image_store, Op::image_atomic, Op::image_sample,
                                 Op::image_query_lod};
constexpr ir::OpSet kWidenings = {Op::zext, Op::f_to_f};

using Operands = SmallVector<Value, 16>;

class HalfLowering {
 public:
  HalfLowering(ir::Function& function, CompileContext& context, const isa::Target& target)
      : function_(function),
        target_(target),
        insert_(function, context.scratch),
        uses_(context.scratch),
        halves_(context.scratch) {}

  bool run();

 private:
  /// What uses a value: something else than extract, something else than a conversion to f16, something that must round
  /// to nearest. The last two again for the components that are taken from it, shifted by kOfComponents.
  enum Use : uint8_t { kNotConverted = 1, kNotRelaxed = 2, kNotExtracted = 4, kUsed = 8 };
  static constexpr unsigned kOfComponents = 4;
  /// A half in words that an image operation gives.
  struct HalfPlace {
    Value words;
    uint8_t component = 0;
  };

  bool look_through_vectors();
  void find_uses();
  template <class Visit>
  void for_each_operand(Visit visit) const {
    for (ir::BlockId block : function_.layout()) {
      for (Value value : ir::insts(function_, block)) {
        for (Value operand : function_.operands(value)) visit(value, operand);
      }
    }
  }
  bool lower_address(Value value);
  bool lower_stored_texel(Value value);
  bool lower_loaded_texel(Value value);
  std::optional<Operands> halves(std::span<const Value> values);
  Value half_of(Value value);
  Value pair(Value low, Value high);
  bool is_narrowed(Value texel) const;
  void note(Value value, const HalfPlace& place);
  void follow(Value value);
  bool is_float(Value value) const { return function_.type(value).scalar == ir::Scalar::f32; }

  ir::Function& function_;
  const isa::Target& target_;
  Inserter insert_;
  Vector<uint8_t> uses_;      ///< by value: Use bits
  Vector<HalfPlace> halves_;  ///< by value that was a float; no words: it still is
};

/// lower_images leaves vectors that nothing but extract takes.
bool HalfLowering::look_through_vectors() {
  return insert_.replace_each([&](Value value) -> Value {
    const ir::Inst& inst = function_.inst(value);
    if (inst.op != Op::extract) return {};
    const Value vector = function_.operand(value, 0);
    return function_.inst(vector).op == Op::vec ? insert_.current(function_.operand(vector, inst.imm)) : Value();
  });
}

bool HalfLowering::run() {
  bool changed = look_through_vectors();
  find_uses();
  for (ir::BlockId block : function_.layout()) {
    for (Value value : ir::insts(function_, block)) {
      follow(value);
      if (!kImageOps.has(function_.inst(value).op)) continue;
      if (function_.image_access(value).dim == ImageDim::buffer) continue;
      insert_.before(value);
      changed |= lower_address(value);
      changed |= function_.inst(value).op == Op::image_store ? lower_stored_texel(value) : lower_loaded_texel(value);
    }
  }
  insert_.finish();
  return changed;
}

void HalfLowering::find_uses() {
  uses_.resize(function_.value_capacity(), 0);
  for_each_operand([&](Value, Value operand) { uses_[operand.index] |= kUsed; });
  for_each_operand([&](Value value, Value operand) {
    const ir::Inst& inst = function_.inst(value);
    if (inst.op == Op::vec && (uses_[value.index] & kUsed) == 0) return;
    uint8_t use = 0;
    if (inst.op != Op::extract) use |= kNotExtracted;
    if (inst.op != Op::f_to_f || inst.type != ir::kF16) use |= kNotConverted;
    if ((inst.flags & ir::kRelaxedPrecision) == 0) use |= kNotRelaxed;
    uses_[operand.index] |= use;
  });
  for_each_operand([&](Value value, Value operand) {
    if (function_.inst(value).op != Op::extract) return;
    uses_[operand.index] |= static_cast<uint8_t>((uses_[value.index] & (kNotConverted | kNotRelaxed)) << kOfComponents);
  });
}

/// The same number in 16 bits, of the type that it was extended from; none where there is no such.
Value HalfLowering::half_of(Value value) {
  const ir::Inst& inst = function_.inst(value);
  const bool floats = is_float(value);
  if (inst.op == Op::constant) {
    if (!floats) return inst.imm < 0x10000 ? function_.constant(ir::kI16, inst.imm) : Value();
    const float number = std::bit_cast<float>(static_cast<uint32_t>(inst.imm));
    const uint16_t half = double_to_half(number);
    const bool exact = std::bit_cast<uint32_t>(half_to_float(half)) == static_cast<uint32_t>(inst.imm);
    return exact ? function_.constant(ir::kF16, half) : Value();
  }
  if (inst.op == Op::fround_even && floats) {
    const Value narrow = half_of(function_.operand(value, 0));
    return narrow.valid() ? insert_.op(Op::fround_even, ir::kF16, {narrow}) : Value();
  }
  if (inst.op != (floats ? Op::f_to_f : Op::zext)) return {};
  const Value narrow = function_.operand(value, 0);
  return function_.type(narrow) == (floats ? ir::kF16 : ir::kI16) ? narrow : Value();
}

/// All of them in 16 bits; none where one has more, or all are constants.
std::optional<Operands> HalfLowering::halves(std::span<const Value> values) {
  Operands result;
  bool varies = false;
  for (const Value value : values) {
    const Value narrow = half_of(value);
    if (!narrow.valid()) return std::nullopt;
    varies |= !function_.is_constant(narrow);
    result.push_back(narrow);
  }
  if (!varies) return std::nullopt;
  return result;
}

Value HalfLowering::pair(Value low, Value high) {
  const ir::Type half = function_.type(low);
  if (!high.valid()) high = function_.undef(half);
  const Value both = insert_.op(Op::vec, half.vector(2), {low, high});
  return insert_.op(Op::bitcast, ir::kI32, {both});
}

bool HalfLowering::lower_address(Value value) {
  const Op op = function_.inst(value).op;
  ImageAccess access = function_.image_access(value);
  const ImageOperands at = ir::image_operands(op, access);
  const Operands old(std::span<const Value>(function_.operands(value)));
  const std::span<const Value> all = old.span();
  if (access.has(ir::kImageBias)) return false;

  const unsigned axes = ir::image_axes(access.dim);
  std::optional<Operands> gradients;
  if (access.has(ir::kImageGradients)) {
    if (target_.has_image_g16) gradients = halves(all.subspan(at.gradients, 2 * axes));
    if (!gradients) return false;
  }
  const bool has_level = at.lod != ImageOperands::kAbsent;
  const bool base_level = op == Op::image_sample && access.has(ir::kImageLod) &&
                          (function_.is_constant(all[at.lod], 0) || function_.is_constant(all[at.lod], 0x80000000u));
  const unsigned packed = at.coordinate_count + (has_level && !base_level ? 1u : 0u);
  const std::optional<Operands> coordinates = halves(all.subspan(at.coordinates, packed));
  if (!gradients && !coordinates) return false;

  Operands operands;
  const unsigned start = gradients ? at.gradients : at.coordinates;
  for (unsigned i = 0; i < start; ++i) operands.push_back(all[i]);
  if (gradients) {
    for (unsigned direction = 0; direction < 2; ++direction) {
      for (unsigned axis = 0; axis < axes; axis += 2) {
        const Value* of = &(*gradients)[direction * axes];
        operands.push_back(pair(of[axis], axis + 1 < axes ? of[axis + 1] : Value()));
      }
    }
    access.traits |= ir::kHalfGradients;
  }
  if (coordinates) {
    for (unsigned i = 0; i < packed; i += 2) {
      operands.push_back(pair((*coordinates)[i], i + 1 < packed ? (*coordinates)[i + 1] : Value()));
    }
    access.traits |= ir::kHalfAddress;
    if (base_level) access.parts = static_cast<uint8_t>((access.parts & ~ir::kImageLod) | ir::kImageBaseLevel);
  } else {
    for (unsigned i = 0; i < at.coordinate_count + (has_level ? 1u : 0u); ++i) {
      operands.push_back(all[at.coordinates + i]);
    }
  }
  for (unsigned i = at.count - at.data_count; i < at.count; ++i) operands.push_back(all[i]);
  function_.set_operands(value, operands);
  function_.inst(value).imm = access.pack();
  return true;
}

/// The floats of a store are what its halves are, so that the texture unit gives the same texel.
bool HalfLowering::lower_stored_texel(Value value) {
  ImageAccess access = function_.image_access(value);
  const ImageOperands at = ir::image_operands(Op::image_store, access);
  const Value data = function_.operand(value, at.data);
  if (!is_float(data)) return false;
  Operands texel;
  if (function_.type(data).components == 1) {
    texel.push_back(data);
  } else if (function_.inst(data).op == Op::vec) {
    texel = Operands(std::span<const Value>(function_.operands(data)));
  } else {
    return false;
  }
  const std::optional<Operands> narrow = halves(texel.span());
  if (!narrow) return false;
  Operands words;
  for (unsigned i = 0; i < narrow->size(); i += 2) {
    words.push_back(pair((*narrow)[i], i + 1 < narrow->size() ? (*narrow)[i + 1] : Value()));
  }
  access.traits |= ir::kHalfTexel;
  Operands operands(std::span<const Value>(function_.operands(value)));
  operands[at.data] = words.size() == 1 ? words[0] : insert_.op(Op::vec, ir::kI32.vector(words.size()), words);
  function_.set_operands(value, operands);
  function_.inst(value).imm = access.pack();
  return true;
}

/// Whether all that is done with the texel, or with each component that is taken from it, is a conversion to f16, and
/// nobody says how it rounds.
bool HalfLowering::is_narrowed(Value texel) const {
  const bool is_vector = function_.type(texel).components > 1;
  const uint8_t use = uses_[texel.index];
  if (is_vector && (use & kNotExtracted) != 0) return false;
  const uint8_t of_numbers = is_vector ? use >> kOfComponents : use;
  const bool relaxed = (function_.inst(texel).flags & ir::kRelaxedPrecision) != 0;
  return (of_numbers & kNotConverted) == 0 && (relaxed || (of_numbers & kNotRelaxed) == 0);
}

/// Another operation with words of two halves takes its place. What is converted from it is replaced when the walk
/// comes to it.
bool HalfLowering::lower_loaded_texel(Value value) {
  const ir::Inst inst = function_.inst(value);
  ImageAccess access = function_.image_access(value);
  if ((inst.op != Op::image_load && inst.op != Op::image_sample) || access.sparse()) return false;
  if (!is_float(value) || !is_narrowed(value)) return false;
  access.traits |= ir::kHalfTexel;
  const unsigned words = (function_.type(value).components + 1u) / 2;
  const Operands operands(std::span<const Value>(function_.operands(value)));
  const Value narrow = function_.create(inst.op, ir::kI32.vector(words), operands, access.pack(), inst.flags);
  function_.insert_before(value, narrow);
  note(value, {narrow, 0});
  insert_.replace(value, function_.undef(inst.type));
  return true;
}

void HalfLowering::note(Value value, const HalfPlace& place) {
  if (halves_.size() <= value.index) halves_.resize(function_.value_capacity());
  halves_[value.index] = place;
}

/// A component of a texel of halves, or the conversion of one.
void HalfLowering::follow(Value value) {
  const ir::Inst inst = function_.inst(value);
  if (inst.op != Op::extract && inst.op != Op::f_to_f) return;
  const Value from = function_.operand(value, 0);
  if (from.index >= halves_.size() || !halves_[from.index].words.valid()) return;
  const HalfPlace place = halves_[from.index];
  if (inst.op == Op::extract) {
    note(value, {place.words, static_cast<uint8_t>(inst.imm)});
    return insert_.replace(value, function_.undef(inst.type));
  }
  insert_.before(value);
  Value word = place.words;
  if (function_.type(word).components > 1) word = insert_.op(Op::extract, ir::kI32, {word}, place.component / 2u);
  const Value both = insert_.op(Op::bitcast, ir::kF16.vector(2), {word});
  insert_.replace(value, insert_.op(Op::extract, ir::kF16, {both}, place.component % 2u));
}

}  // namespace

bool lower_image_halves(ir::Function& function, CompileContext& context, const isa::Target& target) {
  if (!function.operations().meets(kImageOps) || !function.operations().meets(kWidenings)) return false;
  const ArenaScope scope(context.scratch);
  return HalfLowering(function, context, target).run();
}

}  // namespace spalt::lower
