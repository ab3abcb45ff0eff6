// SPDX-License-Identifier: MIT
#include "amdgpu/lower/lower_vertex_outputs.h"

#include <algorithm>

#include "base/ice.h"
#include "ir/export.h"

namespace spalt::lower {

using abi::Parameter;
using abi::ParameterKind;
using ir::Op;
using ir::Semantic;
using ir::Value;

// ---- what is written ----

void VertexOutputWriter::note(const ir::InterfaceAccess& access, Value value) {
  switch (access.semantic) {
    case Semantic::location:
      locations_[access.number][access.component] = value;
      locations_end_ = std::max(locations_end_, access.number + 1u);
      break;
    case Semantic::position:
      position_[access.component] = value;
      break;
    case Semantic::point_size:
      point_size_ = value;
      break;
    case Semantic::clip_distance:
      clip_[access.number] = value;
      outputs_.clip_distances = std::max<uint8_t>(outputs_.clip_distances, access.number + 1);
      break;
    case Semantic::cull_distance:
      cull_[access.number] = value;
      outputs_.cull_distances = std::max<uint8_t>(outputs_.cull_distances, access.number + 1);
      break;
    case Semantic::layer:
      layer_ = value;
      break;
    case Semantic::viewport_index:
      viewport_index_ = value;
      break;
    default:
      break;  // of other stages
  }
}

Result<void> VertexOutputWriter::collect() {
  for (ir::BlockId block : function_.layout()) {
    for (Value value : ir::insts(function_, block)) {
      const Op op = function_.inst(value).op;
      const bool memory = ir::is_memory(op) || ir::is_image(op);
      outputs_.writes_memory |= memory && ir::info(op).has(ir::kWrites);
      if (op != Op::output) continue;
      note(ir::InterfaceAccess::unpack(function_.inst(value).imm), value);
    }
  }
  outputs_.point_size = point_size_.valid();
  outputs_.layer = layer_.valid();
  outputs_.viewport_index = viewport_index_.valid();
  if (outputs_.clip_distances + outputs_.cull_distances > static_cast<int>(ir::kMaxDistances)) {
    return Error{Status::unsupported, "more than 8 clip and cull distances are not supported"};
  }
  return choose_parameters();
}

bool VertexOutputWriter::is_written(const Parameter& parameter) const {
  switch (parameter.kind) {
    case ParameterKind::location:
      return parameter.number < locations_end_ &&
             std::any_of(locations_[parameter.number].begin(), locations_[parameter.number].end(),
                         [](Value value) { return value.valid(); });
    case ParameterKind::clip_distances:
      return parameter.number * 4 < outputs_.clip_distances;
    case ParameterKind::cull_distances:
      return parameter.number * 4 < outputs_.cull_distances;
    case ParameterKind::layer:
      return layer_.valid();
    case ParameterKind::viewport_index:
      return viewport_index_.valid();
    case ParameterKind::primitive_id:
      return true;
    case ParameterKind::point_coord:
      break;
  }
  return false;
}

void VertexOutputWriter::add_parameter(const Parameter& parameter) {
  const auto same = [&](const Parameter& known) { return known == parameter; };
  const bool known = std::any_of(outputs_.parameters.begin(), outputs_.parameters.end(), same);
  if (known || !is_written(parameter)) return;
  outputs_.parameters.push_back(parameter);
  outputs_.primitive_id |= parameter.kind == ParameterKind::primitive_id;
}

/// In the order of the next stage; where it is not known, all that is written.
Result<void> VertexOutputWriter::choose_parameters() {
  if (next_stage_ != nullptr) {
    for (const abi::PixelParameter& read : next_stage_->parameters) add_parameter(read.parameter);
    outputs_.vertex_work = next_stage_->vertex_work;
    return {};
  }
  for (unsigned i = 0; i < locations_end_; ++i) {
    add_parameter({ParameterKind::location, static_cast<uint8_t>(i)});
  }
  for (const uint8_t i : {0, 1}) add_parameter({ParameterKind::clip_distances, i});
  for (const uint8_t i : {0, 1}) add_parameter({ParameterKind::cull_distances, i});
  add_parameter({ParameterKind::layer, 0});
  add_parameter({ParameterKind::viewport_index, 0});
  if (outputs_.parameters.size() <= abi::kMaxParameters) return {};
  return Error{Status::unsupported,
               "more than 32 vectors between the vertex and the fragment shader are not supported"};
}

// ---- vectors of four ----

/// What the outputs put out; they themselves end here.
void VertexOutputWriter::take(std::span<Value> outputs) {
  for (Value& output : outputs) {
    if (!output.valid()) continue;
    const Value value = function_.operand(output, 0);
    function_.unlink(output);
    output = value;
  }
}

/// A dword: halves become the same number, which can be interpolated, and integers stand in the low half.
Value VertexOutputWriter::bits(Value value) {
  const ir::Type type = function_.type(value);
  if (type.bits() == 32) return value;
  if (type.is_float()) return builder_.convert(Op::f_to_f, ir::kF32, value);
  return builder_.convert(Op::zext, ir::kI32, value);
}

VertexOutputWriter::Channels VertexOutputWriter::position() const {
  Channels channels = position_;
  for (unsigned i = 0; i < 4; ++i) {
    if (!channels[i].valid()) channels[i] = function_.constant_f32(i == 3 ? 1.0f : 0.0f);
  }
  return channels;
}

/// Point size; layer and viewport in one dword.
VertexOutputWriter::Channels VertexOutputWriter::misc() {
  constexpr uint32_t kViewportShift = 16, kLayerMask = 0x7ff, kViewportMask = 0xf;
  Channels channels;
  channels[0] = point_size_;
  if (layer_.valid()) channels[2] = builder_.iand(layer_, builder_.i32(kLayerMask));
  if (!viewport_index_.valid()) return channels;
  const Value viewport = builder_.iand(viewport_index_, builder_.i32(kViewportMask));
  const Value shifted = builder_.ishl(viewport, builder_.i32(kViewportShift));
  channels[2] = channels[2].valid() ? builder_.ior(shifted, channels[2]) : shifted;
  return channels;
}

/// Clip distances, then cull distances, without a gap.
VertexOutputWriter::Channels VertexOutputWriter::distances(unsigned vector) const {
  Channels channels;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned at = vector * 4 + i;
    if (at < outputs_.clip_distances) {
      channels[i] = clip_[at];
    } else if (at < outputs_.clip_distances + outputs_.cull_distances) {
      channels[i] = cull_[at - outputs_.clip_distances];
    }
  }
  return channels;
}

VertexOutputWriter::Channels VertexOutputWriter::four_of(const std::array<Value, ir::kMaxDistances>& distances,
                                                         unsigned vector) {
  Channels channels;
  std::copy_n(distances.begin() + 4 * vector, channels.size(), channels.begin());
  return channels;
}

VertexOutputWriter::Channels VertexOutputWriter::parameter(const Parameter& parameter, Value primitive_id) {
  switch (parameter.kind) {
    case ParameterKind::location: {
      Channels channels = locations_[parameter.number];
      for (Value& channel : channels) {
        if (channel.valid()) channel = bits(channel);
      }
      return channels;
    }
    case ParameterKind::clip_distances:
      return four_of(clip_, parameter.number);
    case ParameterKind::cull_distances:
      return four_of(cull_, parameter.number);
    case ParameterKind::layer:
      return {layer_};
    case ParameterKind::viewport_index:
      return {viewport_index_};
    case ParameterKind::primitive_id:
      return {primitive_id};
    case ParameterKind::point_coord:
      break;
  }
  SPALT_ICE("a parameter that no vertex has");
}

// ---- exports ----

void VertexOutputWriter::write_export(uint8_t target, const Channels& channels, bool done, bool valid_mask) {
  ir::ExportAccess access;
  access.target = target;
  access.mask = 0;
  access.done = done;
  access.valid_mask = valid_mask;
  SmallVector<Value, 4> operands;
  for (unsigned i = 0; i < channels.size(); ++i) {
    if (!channels[i].valid()) continue;
    access.mask |= static_cast<uint8_t>(1u << i);
    operands.push_back(channels[i]);
  }
  builder_.insert(Op::export_to, ir::kVoid, operands.span(), access.pack(), 0);
}

/// What was stored before is there for whoever sees what comes after.
void VertexOutputWriter::release_memory() {
  ir::MemoryAccess access;
  access.offset = ir::kBufferBit | ir::kImageBit;
  access.scope = ir::Scope::device;
  access.order = ir::MemoryOrder::release;
  builder_.insert(Op::memory_barrier, ir::kVoid, {}, access.pack(), 0);
}

void VertexOutputWriter::write_positions() {
  SmallVector<Channels, ir::kExportPositions> vectors;
  vectors.push_back(position());
  if (outputs_.has_misc_vector()) vectors.push_back(misc());
  for (unsigned i = 0; i < outputs_.distance_vectors(); ++i) vectors.push_back(distances(i));
  // Without parameters the pixels need not wait for the wave to end, which they would see the stores by.
  const bool stored = outputs_.writes_memory && outputs_.parameters.empty();
  for (unsigned i = 0; i < vectors.size(); ++i) {
    const bool done = i + 1 == vectors.size();
    if (done && stored) release_memory();
    write_export(static_cast<uint8_t>(ir::kExportPosition + i), vectors[i], done,
                 i == 0 && !done && hardware_.marks_position);
  }
}

void VertexOutputWriter::write_parameters(Value primitive_id, const Ring& ring) {
  for (unsigned slot = 0; slot < outputs_.parameters.size(); ++slot) {
    const Channels channels = parameter(outputs_.parameters[slot], primitive_id);
    if (ring.descriptor.valid()) {
      store_parameter(channels, slot, ring);
    } else {
      write_export(static_cast<uint8_t>(ir::kExportParameter + slot), channels, false, false);
    }
  }
}

/// The next stage finds anything in channels that have no value.
void VertexOutputWriter::store_parameter(const Channels& channels, uint32_t slot, const Ring& ring) {
  std::array<Value, 4> words;
  for (unsigned i = 0; i < words.size(); ++i) {
    const Value value = channels[i].valid() ? channels[i] : function_.undef(ir::kI32);
    words[i] = function_.type(value) == ir::kI32 ? value : builder_.bitcast(ir::kI32, value);
  }
  const Value operands[] = {ring.descriptor, ring.vertex, ring.start, builder_.vec(words)};
  builder_.insert(Op::store_parameter, ir::kVoid, operands, slot, 0);
}

void VertexOutputWriter::write(ir::BlockId block, Value primitive_id, const Ring& ring) {
  for (unsigned i = 0; i < locations_end_; ++i) take(locations_[i]);
  take(position_);
  take(clip_);
  take(cull_);
  for (Value* single : {&point_size_, &layer_, &viewport_index_}) take({single, 1});
  builder_.set_end(block);
  // A ring entry may be used anew once the last position is exported (GFX11), or when the wave ends.
  if (hardware_.stores_before_position && !outputs_.parameters.empty()) {
    write_parameters(primitive_id, ring);
    release_memory();
    return write_positions();
  }
  write_positions();
  write_parameters(primitive_id, ring);
}

}  // namespace spalt::lower
