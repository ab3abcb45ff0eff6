// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_fragment_outputs.h"

#include <string>

#include "ir/export.h"
#include "ir/interface.h"

namespace spalt::lower {

using abi::ExportFormat;
using ir::ExportAccess;
using ir::InterfaceAccess;
using ir::Op;
using ir::Semantic;
using ir::Value;

namespace {

constexpr unsigned kAlpha = 3;

/// quad_permute immediate that exchanges neighbours.
constexpr uint64_t kExchangeNeighbours = 1u | 0u << 2 | 3u << 4 | 2u << 6;

}  // namespace

/// The last block has all outputs.
Result<void> FragmentOutputs::collect() {
  for (ir::BlockId block : f_.layout()) {
    for (Value value : ir::insts(f_, block)) {
      const ir::Inst inst = f_.inst(value);
      if (inst.op != Op::output) continue;
      const InterfaceAccess access = InterfaceAccess::unpack(inst.imm);
      const Value what = f_.operand(value, 0);
      if (access.semantic == Semantic::depth) depth_ = what;
      if (access.semantic == Semantic::stencil_reference) stencil_ = what;
      if (access.semantic == Semantic::sample_mask) sample_mask_ = what;
      if (access.semantic == Semantic::location) {
        if (access.number >= colors_.size()) {
          return Error{Status::unsupported,
                       "colour output " + std::to_string(access.number) + " is beyond the last target"};
        }
        Color& color = access.index == 0 ? colors_[access.number] : second_;
        color.component[access.component] = what;
      }
      f_.unlink(value);
    }
  }
  return {};
}

Value FragmentOutputs::as(Value value, ir::Type type, bool is_signed) {
  const ir::Type from = f_.type(value);
  if (from == type) return value;
  if (from == ir::kF16) value = insert_.f(Op::f_to_f, {value});
  if (from.is_integer() && from.bits() < 32) value = insert_.i(is_signed ? Op::sext : Op::zext, {value});
  return f_.type(value) == type ? value : insert_.op(Op::bitcast, type, {value});
}

Value FragmentOutputs::component(const Color& color, unsigned index, ir::Type type, bool is_signed) {
  const Value value = color.component[index];
  if (!value.valid()) return type == ir::kF32 ? f_.constant_f32(0) : insert_.constant(0);
  return as(value, type, is_signed);
}

/// One operand for each channel that is written.
FragmentOutputs::Export FragmentOutputs::dwords(const Color& color, abi::ColorExport how) {
  Export result;
  if (how.format == ExportFormat::ar32) {
    const Value red = component(color, 0, ir::kF32, how.is_signed);
    const Value alpha = component(color, kAlpha, ir::kF32, how.is_signed);
    result.mask = target_.ar_alpha_in_w ? 9 : 3;
    result.add(red);
    result.add(alpha);
    return result;
  }
  unsigned count = how.format == ExportFormat::r32 ? 1 : how.format == ExportFormat::gr32 ? 2 : 4;
  while (count > 1 && !color.component[count - 1].valid()) --count;
  for (unsigned i = 0; i < count; ++i) {
    if (!color.component[i].valid() && !state_.dual_source_blend) continue;
    result.add(component(color, i, ir::kF32, how.is_signed));
    result.mask = static_cast<uint8_t>(result.mask | 1u << i);
  }
  return result;
}

Value FragmentOutputs::one(ir::Type type) {
  constexpr uint64_t kOne = 0x3c00;
  return type == ir::kF16 ? f_.constant(type, kOne) : f_.constant_f32(1);
}

/// Two channels whose values have the 16 bits of the export already, as one dword. Invalid if not all do.
Value FragmentOutputs::ready_halves(const Color& color, unsigned first, abi::ColorExport how) {
  const bool is_float = how.format == ExportFormat::fp16;
  if (!is_float && how.format != ExportFormat::uint16 && how.format != ExportFormat::sint16) return {};
  const ir::Type type = is_float ? ir::kF16 : ir::kI16;
  std::array<Value, 2> parts{color.component[first], color.component[first + 1]};
  for (unsigned i = 0; i < parts.size(); ++i) {
    if (parts[i].valid() && f_.type(parts[i]) != type) return {};
    const bool dropped = (color.dropped >> (first + i) & 1) != 0;
    if (!parts[i].valid()) parts[i] = dropped ? f_.undef(type) : f_.constant(type, 0);
  }
  return insert_.op(Op::bitcast, ir::kI32, {insert_.op(Op::vec, type.vector(2), parts)});
}

/// Two channels of which some have more bits than the export, or other ones.
Value FragmentOutputs::packed_halves(const Color& color, unsigned first, abi::ColorExport how) {
  const bool integers = how.format == ExportFormat::uint16 || how.format == ExportFormat::sint16;
  const ir::Type type = integers ? ir::kI32 : ir::kF32;
  const Value low = component(color, first, type, how.is_signed);
  const Value high = component(color, first + 1, type, how.is_signed);
  return insert_.op(Op::pack_export, ir::kI32, {low, high}, static_cast<uint64_t>(how.format));
}

/// One operand for two channels of which one is written.
FragmentOutputs::Export FragmentOutputs::halves(const Color& color, abi::ColorExport how) {
  Export result;
  result.compressed = target_.compresses_exports;
  for (unsigned i = 0; i < 2; ++i) {
    const bool written = color.component[2 * i].valid() || color.component[2 * i + 1].valid();
    if (!written && !(state_.dual_source_blend && i == 0)) continue;
    const Value ready = ready_halves(color, 2 * i, how);
    result.add(ready.valid() ? ready : packed_halves(color, 2 * i, how));
    result.mask = static_cast<uint8_t>(result.mask | (result.compressed ? 3u << 2 * i : 1u << i));
  }
  return result;
}

FragmentOutputs::Export FragmentOutputs::pack(const Color& color, abi::ColorExport how) {
  switch (how.format) {
    case ExportFormat::fp16:
    case ExportFormat::unorm16:
    case ExportFormat::snorm16:
    case ExportFormat::uint16:
    case ExportFormat::sint16:
      return halves(color, how);
    default:
      return dwords(color, how);
  }
}

/// Forgets the channels that neither reach the target nor decide about others. False: there are no more.
bool FragmentOutputs::drop_masked(Color& color, unsigned location) const {
  const unsigned wanted = abi::wanted_channels(state_, location);
  for (unsigned i = 0; i <= kAlpha; ++i) {
    if ((wanted >> i & 1) == 0) color.component[i] = Value();
  }
  color.dropped = static_cast<uint8_t>(~wanted);
  return color.written();
}

Result<void> FragmentOutputs::color(unsigned location) {
  Color& color = colors_[location];
  if (!color.written()) return {};
  const abi::ColorTarget& target = state_.targets[location];
  if (!drop_masked(color, location)) return {};
  const abi::ColorExport how = abi::choose_color_export(target, abi::needs_alpha(state_, location));
  if (how.format == ExportFormat::none) {
    if (target.format == 0) return {};
    return Error{Status::unsupported,
                 "a colour target of format " + std::to_string(target.format) + " is not supported"};
  }
  const bool is_float = color.component[kAlpha].valid() && f_.type(color.component[kAlpha]).is_float();
  if (state_.alpha_to_one && is_float) color.component[kAlpha] = one(f_.type(color.component[kAlpha]));
  facts_.color_formats[location] = how.format;
  facts_.color_masks[location] = abi::export_mask(how.format);
  Export result = pack(color, how);
  if (location == 0 && state_.dual_source_blend) {
    facts_.color_formats[1] = how.format;
    facts_.color_masks[1] = facts_.color_masks[0];
    dual_source(result, pack(second_, how));
    return {};
  }
  exports_.push_back(result);
  return {};
}

/// Two targets that follow each other, or two of their own. There the first one takes both sources of the even lanes,
/// in the lanes of a pair, and the second one those of the odd lanes.
void FragmentOutputs::dual_source(Export first, Export second) {
  const auto complete = [&](Export& some, const Export& other) {
    while (some.count < other.count) some.add(f_.constant_f32(0));
    some.mask |= other.mask;
  };
  complete(first, second);
  complete(second, first);
  if (target_.swizzles_dual_source) {
    const Value lane = insert_.op(Op::builtin, ir::kI32, {}, ir::builtin_imm(ir::BuiltIn::subgroup_invocation_id));
    const Value parity = insert_.i(Op::iand, {lane, insert_.constant(1)});
    const Value is_even = insert_.compare(Op::ieq, parity, insert_.constant(0));
    for (uint32_t i = 0; i < first.count; ++i) {
      const Value a = as(first.operands[i], ir::kI32, false), b = as(second.operands[i], ir::kI32, false);
      const Value of_a = insert_.op(Op::quad_permute, ir::kI32, {a}, kExchangeNeighbours);
      const Value of_b = insert_.op(Op::quad_permute, ir::kI32, {b}, kExchangeNeighbours);
      first.operands[i] = insert_.i(Op::select, {is_even, a, of_b});
      second.operands[i] = insert_.i(Op::select, {is_even, of_a, b});
    }
    first.target = ir::kExportDual;
    second.target = ir::kExportDual + 1;
  }
  exports_.push_back(first);
  exports_.push_back(second);
}

/// x depth, y stencil reference, z sample mask, w alpha for alpha to coverage.
void FragmentOutputs::depth() {
  facts_.writes_depth = depth_.valid();
  facts_.writes_stencil = stencil_.valid();
  facts_.writes_sample_mask = sample_mask_.valid();
  if (!depth_.valid() && !stencil_.valid() && !sample_mask_.valid()) return;
  const bool with_alpha = state_.alpha_to_coverage && colors_[0].component[kAlpha].valid();
  Export result;
  result.target = ir::kExportDepth;
  facts_.depth_format = ExportFormat::r32;
  if (stencil_.valid()) facts_.depth_format = ExportFormat::gr32;
  if (sample_mask_.valid() || with_alpha) facts_.depth_format = ExportFormat::abgr32;
  const Value channels[] = {depth_, stencil_, sample_mask_, with_alpha ? colors_[0].component[kAlpha] : Value()};
  for (unsigned i = 0; i < 4; ++i) {
    if (!channels[i].valid()) continue;
    result.mask = static_cast<uint8_t>(result.mask | 1u << i);
    result.add(as(channels[i], f_.type(channels[i]).is_float() ? ir::kF32 : ir::kI32, false));
  }
  exports_.push_back(result);
}

void FragmentOutputs::nothing() {
  Export result;
  if (facts_.kills) {
    facts_.dummy_export = true;
    facts_.color_formats[0] = ExportFormat::r32;
    facts_.color_masks[0] = export_mask(ExportFormat::r32);
    result.mask = 1;
    result.add(f_.constant_f32(0));
  } else if (target_.must_export) {
    result.target = ir::kExportNull;
  } else {
    return;
  }
  exports_.push_back(result);
}

void FragmentOutputs::emit() {
  for (uint32_t i = 0; i < exports_.size(); ++i) {
    const Export& one = exports_[i];
    ExportAccess access;
    access.target = one.target;
    access.mask = one.mask;
    access.compressed = one.compressed;
    access.done = i + 1 == exports_.size();
    // The field went where halves ceased to be compressed.
    access.valid_mask = access.done && target_.compresses_exports;
    insert_.op(Op::export_to, ir::kVoid, std::span<const Value>(one.operands.data(), one.count), access.pack());
  }
}

/// Alpha to coverage wants the alpha that alpha to one replaces: it becomes a mask of samples here, as many of them as
/// the hardware would take, and the one that is left covers all.
void FragmentOutputs::cover_by_alpha() {
  Value& alpha = colors_[0].component[kAlpha];
  if (!alpha.valid() || !f_.type(alpha).is_float()) return;
  const Value number = as(alpha, ir::kF32, false);
  const Value at_most_one = insert_.f(Op::fmin, {number, f_.constant_f32(1)});
  const Value scaled = insert_.f(Op::fmul, {at_most_one, f_.constant_f32(static_cast<float>(state_.samples))});
  const Value whole = insert_.f(Op::fround_even, {scaled});
  const Value count = insert_.op(Op::f_to_u, ir::kI32, {whole});
  const Value above = insert_.i(Op::ishl, {insert_.constant(0xffffffff), count});
  const Value covered = insert_.i(Op::ixor, {above, insert_.constant(0xffffffff)});
  sample_mask_ = sample_mask_.valid() ? insert_.i(Op::iand, {sample_mask_, covered}) : covered;
  alpha = one(f_.type(alpha));
}

Result<void> FragmentOutputs::run() {
  if (Result<void> collected = collect(); !collected) return collected;
  const Value end = f_.terminator(f_.layout().back());
  if (f_.inst(end).op != Op::ret) return {};  // no fragment comes to its end
  return export_all(end);
}

/// `end`: the return of the last block.
Result<void> FragmentOutputs::export_all(Value end) {
  insert_.before(end);
  if (state_.alpha_to_one && state_.alpha_to_coverage) cover_by_alpha();
  depth();
  const uint32_t first_color = exports_.size();
  for (unsigned location = 0; location < colors_.size(); ++location) {
    if (location == 1 && state_.dual_source_blend) continue;
    if (Result<void> done = color(location); !done) return done;
  }
  // Targets follow each other without gaps.
  for (uint32_t i = first_color; i < exports_.size(); ++i) {
    if (exports_[i].target < ir::kExportDual) exports_[i].target = static_cast<uint8_t>(i - first_color);
  }
  if (exports_.empty()) nothing();
  emit();
  return {};
}

// ---- bodies and epilogs ----

namespace {

abi::ResultType type_of(ir::Type type) {
  if (type.is_float()) return type.bits() == 32 ? abi::ResultType::f32 : abi::ResultType::f16;
  return type.bits() == 32 ? abi::ResultType::i32 : abi::ResultType::i16;
}

ShortName name_of(const abi::PixelResult& result) {
  using abi::PixelResultKind;
  constexpr std::string_view kComponents[] = {"_x", "_y", "_z", "_w"};
  switch (result.kind) {
    case PixelResultKind::color: {
      ShortName name = "color_";
      const char digit = static_cast<char>('0' + result.location);
      name.append({&digit, 1});
      name.append(kComponents[result.component]);
      return name;
    }
    case PixelResultKind::second_source: {
      ShortName name = "second_source";
      name.append(kComponents[result.component]);
      return name;
    }
    case PixelResultKind::depth:
      return "depth";
    case PixelResultKind::stencil_reference:
      return "stencil_reference";
    case PixelResultKind::sample_mask:
      break;
  }
  return "sample_mask";
}

}  // namespace

Value& FragmentOutputs::place_of(const abi::PixelResult& result) {
  switch (result.kind) {
    case abi::PixelResultKind::color:
      return colors_[result.location].component[result.component];
    case abi::PixelResultKind::second_source:
      return second_.component[result.component];
    case abi::PixelResultKind::depth:
      return depth_;
    case abi::PixelResultKind::stencil_reference:
      return stencil_;
    case abi::PixelResultKind::sample_mask:
      break;
  }
  return sample_mask_;
}

void FragmentOutputs::hand(Value& value, abi::PixelResult result, abi::PixelSeam& seam) {
  if (!value.valid()) return;
  result.type = type_of(f_.type(value));
  if (result.type == abi::ResultType::f16) value = insert_.op(Op::bitcast, ir::kI16, {value});
  if (f_.type(value).bits() == 16) value = insert_.i(Op::zext, {value});
  module_.handed.push_back({name_of(result), ir::EntryArg::File::vgpr, static_cast<uint16_t>(seam.results.size())});
  seam.results.push_back(result);
  handed_.push_back(value);
}

Result<void> FragmentOutputs::hand_over(abi::PixelSeam& seam) {
  using abi::PixelResultKind;
  if (Result<void> collected = collect(); !collected) return collected;
  const Value end = f_.terminator(f_.layout().back());
  const bool ends = f_.inst(end).op == Op::ret;
  if (ends) insert_.before(end);
  handed_.push_back(f_.constant_bool(true));
  for (uint8_t location = 0; ends && location < colors_.size(); ++location) {
    for (uint8_t i = 0; i <= kAlpha; ++i) {
      hand(colors_[location].component[i], {PixelResultKind::color, location, i}, seam);
    }
  }
  for (uint8_t i = 0; ends && i <= kAlpha; ++i) {
    hand(second_.component[i], {PixelResultKind::second_source, 0, i}, seam);
  }
  if (!ends) return {};
  hand(depth_, {PixelResultKind::depth}, seam);
  hand(stencil_, {PixelResultKind::stencil_reference}, seam);
  hand(sample_mask_, {PixelResultKind::sample_mask}, seam);
  insert_.op(Op::hand_over, ir::kVoid, handed_.span());
  return {};
}

Result<void> FragmentOutputs::finish(const abi::PixelSeam& seam, EntryRegisters& entry) {
  const Value end = f_.terminator(f_.layout().back());
  insert_.before(end);
  unsigned vgpr = 0;
  for (const abi::PixelResult& result : seam.results) {
    const ir::Type type = result.type == abi::ResultType::f32 ? ir::kF32 : ir::kI32;
    Value value = entry.whole(name_of(result), isa::vgpr(vgpr++), type);
    const bool is_half = result.type == abi::ResultType::f16;
    if (is_half || result.type == abi::ResultType::i16) value = insert_.op(Op::trunc, ir::kI16, {value});
    if (is_half) value = insert_.op(Op::bitcast, ir::kF16, {value});
    place_of(result) = value;
  }
  return export_all(end);
}

}  // namespace spalt::lower
