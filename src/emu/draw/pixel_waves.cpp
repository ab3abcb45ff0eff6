// SPDX-License-Identifier: MIT
#include "emu/draw/pixel_waves.h"

#include <algorithm>
#include <bit>

#include "base/bits.h"
#include "emu/vector/float_math.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

constexpr unsigned kQuadLanes = 4;

/// Puts values into the VGPRs of one lane, one after the other.
class LaneRegisters {
 public:
  LaneRegisters(Wave& wave, unsigned lane) : wave_(wave), lane_(lane) {}
  void add(uint32_t value) {
    if (next_ < wave_.vgpr_count()) wave_.vgpr(next_)[lane_] = value;
    ++next_;
  }
  void add(float value) { add(std::bit_cast<uint32_t>(value)); }
  void add(const Barycentrics& value) {
    add(value.i);
    add(value.j);
  }
  void add(const std::array<float, 3>& values) {
    for (const float value : values) add(value);
  }

 private:
  Wave& wave_;
  unsigned lane_, next_ = 0;
};

/// Two dwords at most hold a colour of these.
bool is_packed(abi::ExportFormat format) {
  switch (format) {
    case abi::ExportFormat::fp16:
    case abi::ExportFormat::unorm16:
    case abi::ExportFormat::snorm16:
    case abi::ExportFormat::uint16:
    case abi::ExportFormat::sint16:
      return true;
    default:
      return false;
  }
}

uint32_t unpack(abi::ExportFormat format, uint32_t half) {
  const auto value = static_cast<int16_t>(half);
  switch (format) {
    case abi::ExportFormat::fp16:
      return as_bits(half_to_float(half));
    case abi::ExportFormat::unorm16:
      return as_bits(static_cast<float>(half) / 65535.0f);
    case abi::ExportFormat::snorm16:
      return as_bits(std::max(static_cast<float>(value) / 32767.0f, -1.0f));
    case abi::ExportFormat::sint16:
      return static_cast<uint32_t>(static_cast<int32_t>(value));
    default:
      return half;
  }
}

/// Exports of one target have the shape of its format: halves where there are halves, and no components beyond.
std::string check_shape(const WaveExport& data, abi::ExportFormat format, bool has_compressed) {
  if (!is_packed(format)) {
    return data.compressed ? "exports halves to a target whose format has dwords" : std::string();
  }
  if (data.compressed != has_compressed && data.enable != 0) {
    return "exports dwords to a target whose format has halves";
  }
  return !data.compressed && (data.enable & 0xc) != 0 ? "exports more dwords than two of halves" : std::string();
}

}  // namespace

// ---- What exports mean ----

PixelExports::PixelExports(const abi::PixelFacts& facts, const GraphicsFacts& graphics, bool dual_source) {
  dual_source_in_pairs = dual_source && !graphics.has_valid_mask;
  for (size_t i = 0; i < facts.color_formats.size(); ++i) {
    if (facts.color_formats[i] == abi::ExportFormat::none) continue;
    Color color;
    color.location = static_cast<uint8_t>(i);
    color.format = facts.color_formats[i];
    color.is_second_source = dual_source && i == 1;
    color.is_dropped = facts.color_masks[i] == 0 || (facts.dummy_export && colors.empty());
    colors.push_back(color);
  }
  if (facts.dummy_export && colors.empty()) colors.push_back({0, abi::ExportFormat::r32, false, true});
  depth_format = facts.depth_format;
  writes_depth = facts.writes_depth;
  writes_stencil = facts.writes_stencil;
  writes_sample_mask = facts.writes_sample_mask;
  has_memory = !colors.empty() || depth_format != abi::ExportFormat::none;
  owes_export = graphics.always_exports || has_memory;
}

// ---- What waves send ----

void PixelLink::begin(const PixelWaves& waves, uint64_t wave) {
  waves_ = &waves;
  wave_ = wave;
  covered_ = survivors_ = waves.covered_lanes(wave);
  primitive_mask_ = waves.primitive_mask(wave);
  exported_ = 0;
  done_ = false;
  dwords_.assign(waves.exports_.dwords(), LaneBuffer{});
}

std::string PixelLink::take(const Wave&, const WaveExport& data) {
  const GraphicsFacts& facts = waves_->state_.facts;
  if (done_) return "exports after the export that was done";
  std::string violation;
  if (data.target < kExportDepth) {
    violation = take_color(data, data.target);
  } else if (data.target == kExportDepth) {
    violation = take_depth(data);
  } else if (data.target == kExportDualSource || data.target == kExportDualSource + 1) {
    violation = waves_->exports_.dual_source_in_pairs ? take_color(data, data.target - kExportDualSource)
                                                      : "exports a second source where nothing blends with two";
  } else if (data.target != kExportNull || !facts.has_null_export) {
    violation = "exports to a target that the stage does not have";
  }
  if (!violation.empty() || !data.done) return violation;
  return finish(data);
}

std::string PixelLink::take_color(const WaveExport& data, unsigned target) {
  const PixelExports& exports = waves_->exports_;
  if (target >= exports.colors.size()) {
    // An empty one only tells which lanes are left.
    return data.enable == 0 ? std::string() : "exports a colour that the metadata does not have";
  }
  const bool has_compressed = waves_->state_.facts.has_valid_mask;
  std::string violation = check_shape(data, exports.colors[target].format, has_compressed);
  if (!violation.empty()) return violation;
  if (data.enable != 0) exported_ |= 1u << target;
  WaveExport kept = data;
  // A lane holds data of its neighbour then, also where it is no fragment itself.
  if (exports.dual_source_in_pairs) kept.lanes = ~uint64_t{0};
  keep(kept, 4 * target);
  return {};
}

std::string PixelLink::take_depth(const WaveExport& data) {
  const PixelExports& exports = waves_->exports_;
  if (exports.depth_format == abi::ExportFormat::none) {
    return data.enable == 0 ? std::string() : "exports depth that the metadata does not have";
  }
  const bool has_compressed = waves_->state_.facts.has_valid_mask;
  std::string violation = check_shape(data, exports.depth_format, has_compressed);
  if (!violation.empty()) return violation;
  if (data.enable != 0) exported_ |= 1u << exports.colors.size();
  keep(data, static_cast<unsigned>(4 * exports.colors.size()));
  return {};
}

/// Halves are kept in two dwords, whatever the enable mask counts.
void PixelLink::keep(const WaveExport& data, unsigned first) {
  for (unsigned i = 0; i < data.data.size(); ++i) {
    if (data.data[i] == nullptr) continue;
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((data.lanes >> lane & 1) != 0) dwords_[first + i].lane[lane] = data.data[i][lane];
    }
  }
}

std::string PixelLink::finish(const WaveExport& data) {
  done_ = true;
  const bool tells_survivors = data.valid_mask || !waves_->state_.facts.has_valid_mask;
  if (!tells_survivors) return {};
  if ((data.lanes & ~covered_) != 0 && waves_->facts_.kills) {
    return "is done with exports while helper lanes are active";
  }
  if (waves_->exports_.has_memory) survivors_ = data.lanes & covered_;
  return {};
}

std::string PixelLink::allocate(const Wave&) {
  return "sends GS_ALLOC_REQ from a stage that has none";
}

std::string PixelLink::check_attribute(const Wave& wave, unsigned attribute) const {
  constexpr uint32_t kIgnoredBit = 1u << 31;
  if (attribute >= waves_->batch_->attributes()) {
    return "reads attribute " + std::to_string(attribute) + ", which the metadata does not have";
  }
  if (((wave.m0() ^ primitive_mask_) & ~kIgnoredBit) != 0) {
    return "reads an attribute while m0 is not the primitive mask of the wave";
  }
  return {};
}

ParameterPoints PixelLink::parameter(unsigned quad, unsigned attribute, unsigned channel) const {
  const std::span<const PixelQuad> quads = waves_->quads_of(wave_);
  if (quad >= quads.size()) return {};
  const PixelPrimitive& primitive = waves_->batch_->primitives()[quads[quad].primitive];
  return waves_->batch_->points(primitive, attribute, channel);
}

std::string PixelLink::end(const Wave&) {
  return waves_->exports_.owes_export && !done_ ? "ends a wave that owes an export with done" : std::string();
}

texel::Texel PixelLink::color(unsigned target, unsigned lane) const {
  const PixelExports::Color& meaning = waves_->exports_.colors[target];
  const LaneBuffer* dwords = &dwords_[size_t{4} * target];
  const auto dword = [&](unsigned i) { return dwords[i].lane[lane]; };
  if (is_packed(meaning.format)) {
    texel::Texel result{};
    for (unsigned c = 0; c < 4; ++c) result[c] = unpack(meaning.format, dword(c / 2) >> (16 * (c % 2)) & 0xffff);
    return result;
  }
  if (meaning.format == abi::ExportFormat::ar32) {
    return {dword(0), 0, 0, dword(waves_->state_.facts.ar_alpha)};
  }
  return {dword(0), dword(1), dword(2), dword(3)};
}

/// Of lanes 2k and 2k + 1, target 0 has both sources of the former, target 1 those of the latter.
void PixelLink::add_dual_source(FragmentOutputs& outputs, unsigned lane) const {
  const unsigned even = lane & ~1u, target = lane & 1;
  outputs.colors[0] = color(target, even);
  outputs.source1 = color(target, even + 1);
  outputs.written = 1;
}

void PixelLink::add_depth(FragmentOutputs& outputs, unsigned lane) const {
  const PixelExports& exports = waves_->exports_;
  const LaneBuffer* dwords = &dwords_[4 * exports.colors.size()];
  const auto dword = [&](unsigned i) { return dwords[i].lane[lane]; };
  const bool packed = is_packed(exports.depth_format);
  constexpr unsigned kStencilShift = 16;
  if (exports.writes_depth) outputs.depth = as_float(dword(0));
  if (exports.writes_stencil) {
    outputs.stencil_reference = static_cast<uint8_t>(packed ? dword(0) >> kStencilShift : dword(1));
  }
  if (exports.writes_sample_mask) outputs.sample_mask = static_cast<uint16_t>(packed ? dword(1) : dword(2));
  const bool has_alpha =
      exports.depth_format == abi::ExportFormat::abgr32 || exports.depth_format == abi::ExportFormat::ar32;
  if (waves_->state_.facts.alpha_with_depth && has_alpha) outputs.coverage_alpha = as_float(dword(3));
}

FragmentOutputs PixelLink::outputs(unsigned lane) const {
  const PixelExports& exports = waves_->exports_;
  FragmentOutputs outputs;
  if (exports.dual_source_in_pairs && exports.colors.size() >= 2) {
    add_dual_source(outputs, lane);
  } else {
    for (unsigned i = 0; i < exports.colors.size(); ++i) {
      const PixelExports::Color& meaning = exports.colors[i];
      if ((exported_ >> i & 1) == 0) continue;
      if (meaning.is_second_source) {
        outputs.source1 = color(i, lane);
        continue;
      }
      outputs.colors[meaning.location] = color(i, lane);
      if (!meaning.is_dropped) outputs.written = static_cast<uint8_t>(outputs.written | 1u << meaning.location);
    }
  }
  if ((exported_ >> exports.colors.size() & 1) != 0) add_depth(outputs, lane);
  return outputs;
}

// ---- What waves start with ----

uint64_t PixelWaves::begin(const PixelBatch& batch, uint64_t first_wave) {
  batch_ = &batch;
  first_wave_ = first_wave;
  const uint64_t waves = (batch.quads().size() + quads_per_wave() - 1) / quads_per_wave();
  if (links_.size() < waves) links_.resize(waves);
  return waves;
}

std::array<uint32_t, 3> PixelWaves::group_id(uint64_t group) const {
  return {static_cast<uint32_t>(first_wave_ + group), 0, 0};
}

std::span<const PixelQuad> PixelWaves::quads_of(uint64_t wave) const {
  const size_t first = wave * quads_per_wave();
  return std::span(batch_->quads()).subspan(first, std::min<size_t>(quads_per_wave(), batch_->quads().size() - first));
}

uint64_t PixelWaves::covered_lanes(uint64_t wave) const {
  uint64_t lanes = 0;
  unsigned lane = 0;
  for (const PixelQuad& quad : quads_of(wave)) {
    for (const uint16_t coverage : quad.coverage) lanes |= uint64_t{coverage != 0 ? 1u : 0u} << lane++;
  }
  return lanes;
}

/// Where parameters are in LDS, and for each quad but the first whether it has another primitive than the one before.
uint32_t PixelWaves::primitive_mask(uint64_t wave) const {
  constexpr unsigned kOffsetUnit = 0x40, kOffsets = 0x100, kFirstBit = 15;
  auto mask = static_cast<uint32_t>((first_wave_ + wave) % kOffsets * kOffsetUnit);
  const std::span<const PixelQuad> quads = quads_of(wave);
  for (unsigned q = 1; q < quads.size(); ++q) {
    if (quads[q].primitive != quads[q - 1].primitive) mask |= 1u << (kFirstBit + q);
  }
  return mask;
}

bool PixelWaves::initialize(Wave& wave, uint64_t group, unsigned) const {
  unsigned next = state_.start(wave);
  wave.write_s32(next++, primitive_mask(group));
  state_.set_scratch_offset(wave, next);
  unsigned lane = 0;
  for (const PixelQuad& quad : quads_of(group)) {
    for (unsigned i = 0; i < kQuadLanes; ++i) set_lane(wave, quad, lane++);
  }
  wave.set_exec(covered_lanes(group));
  PixelLink& link = links_[group];
  link.begin(*this, group);
  wave.graphics = &link;
  return true;
}

void PixelWaves::set_lane(Wave& wave, const PixelQuad& quad, unsigned lane) const {
  const unsigned which = lane % kQuadLanes;
  const PixelPrimitive& primitive = batch_->primitives()[quad.primitive];
  const FragmentPlanes& planes = primitive.planes;
  const int32_t x = quad.x + static_cast<int32_t>(which & 1), y = quad.y + static_cast<int32_t>(which >> 1);
  const bool of_sample = quad.sample != PixelQuad::kAllSamples;
  const FragmentPlace center = pixel_center(x, y);
  const FragmentPlace sample = sample_place(x, y, samples_.positions[of_sample ? quad.sample : 0]);
  const FragmentPlace centroid = centroid_place(x, y, quad.coverage[which], samples_);
  const FragmentPlace position = of_sample && facts_.position_at_sample ? sample : center;
  // What is loaded where an invocation has no sample of its own is that of the first one.
  LaneRegisters registers(wave, lane);
  const auto has = [&](abi::PixelInput input) { return (facts_.inputs >> input & 1) != 0; };
  if (has(abi::kPerspSample)) registers.add(wave_perspective(planes, sample));
  if (has(abi::kPerspCenter)) registers.add(wave_perspective(planes, center));
  if (has(abi::kPerspCentroid)) registers.add(wave_perspective(planes, centroid));
  if (has(abi::kPerspPull)) registers.add(wave_pull_model(planes, center));
  if (has(abi::kLinearSample)) registers.add(wave_linear(planes, sample));
  if (has(abi::kLinearCenter)) registers.add(wave_linear(planes, center));
  if (has(abi::kLinearCentroid)) registers.add(wave_linear(planes, centroid));
  if (has(abi::kLineStipple)) registers.add(0u);
  if (has(abi::kPosX)) registers.add(static_cast<float>(position.x));
  if (has(abi::kPosY)) registers.add(static_cast<float>(position.y));
  if (has(abi::kPosZ)) registers.add(z_at(planes, of_sample ? sample : center));
  if (has(abi::kPosW)) registers.add(w_at(planes, of_sample ? sample : center));
  if (has(abi::kFrontFace)) registers.add(planes.front_facing ? UINT32_MAX : 0u);
  if (has(abi::kAncillary)) {
    constexpr unsigned kSampleShift = 8, kLayerShift = 16;
    registers.add((uint32_t{primitive.count} - 1) | (of_sample ? uint32_t{quad.sample} << kSampleShift : 0u) |
                  primitive.place.layer << kLayerShift);
  }
  if (has(abi::kSampleCoverage)) registers.add(uint32_t{quad.mask_in[which]});
  if (has(abi::kPosFixed)) registers.add(static_cast<uint32_t>(x & 0xffff) | static_cast<uint32_t>(y) << 16);
}

}  // namespace spalt::emu
