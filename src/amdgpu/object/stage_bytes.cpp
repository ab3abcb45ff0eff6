// SPDX-License-Identifier: MIT
// One list of members serves writing and reading, so that the two cannot disagree: `visit_members` calls an archive
// with each in turn. The writer appends; the reader takes bytes and remembers the first thing that is wrong, after
// which it hands out zeros.
#include "amdgpu/object/stage_bytes.h"

#include <cstring>
#include <string_view>
#include <type_traits>

#include "amdgpu/isa/target.h"
#include "amdgpu/object/byte_stream.h"

namespace spalt::object {
namespace {

constexpr std::string_view kMagic = "SPALTSTG";
constexpr size_t kHeaderBytes = kMagic.size() + 8;
/// More than most stages have besides code and disassembly.
constexpr size_t kUsualBytes = 768;
/// Code, disassembly and names of a stage may not be larger; no program of the ABI is.
constexpr uint32_t kMaxBytes = 1u << 30;

// The members of the facts of a stage. `T` is const when they are written.
template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, std::monostate>
void visit_members(Archive&, T&) {}

template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, abi::Parameter>
void visit_members(Archive& visit, T& p) {
  visit(p.kind), visit(p.number);
}

template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, abi::PixelParameter>
void visit_members(Archive& visit, T& p) {
  visit_members(visit, p.parameter);
  visit(p.flat), visit(p.half), visit(p.per_vertex);
}

template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, abi::VertexOutputs>
void visit_members(Archive& visit, T& o) {
  visit.list(o.parameters);
  visit(o.point_size), visit(o.layer), visit(o.viewport_index);
  visit(o.clip_distances), visit(o.cull_distances), visit(o.primitive_id), visit(o.writes_memory);
  visit.words(o.vertex_work);
}

template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, abi::PixelFacts>
void visit_members(Archive& visit, T& f) {
  visit(f.inputs);
  visit.list(f.parameters);
  visit(f.color_formats), visit(f.color_masks), visit(f.depth_format);
  visit(f.writes_depth), visit(f.writes_stencil), visit(f.writes_sample_mask), visit(f.dummy_export), visit(f.kills);
  visit(f.early_tests), visit(f.post_depth_coverage), visit(f.conservative_depth), visit(f.writes_memory);
  visit(f.per_sample), visit(f.position_at_sample);
  visit.words(f.vertex_work);
}

template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, abi::AttributeRead>
void visit_members(Archive& visit, T& r) {
  visit(r.location), visit(r.components), visit(r.integer);
}

template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, abi::PixelResult>
void visit_members(Archive& visit, T& r) {
  visit(r.kind), visit(r.location), visit(r.component), visit(r.type);
}

template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, abi::VertexSeam>
void visit_members(Archive& visit, T& s) {
  visit.list(s.reads);
  visit(s.kept_sgprs);
}

template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, abi::PixelSeam>
void visit_members(Archive& visit, T& s) {
  visit.list(s.results);
  visit(s.kills);
}

class Writer {
 public:
  explicit Writer(ByteStream& out) : out_(out) {}

  /// Not inlined: the hundred members of a stage would be kilobytes of code for one walk.
  template <class T>
  [[gnu::noinline]] void number(T value) {
    char bytes[sizeof(T)];
    for (unsigned i = 0; i < sizeof(T); ++i) bytes[i] = static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
    out_.write(bytes, sizeof bytes);
  }
  void operator()(const bool& value) { number<uint8_t>(value ? 1 : 0); }
  template <class T>
  requires std::is_integral_v<T>
  void operator()(const T& value) { number(value); }
  template <class T>
  requires std::is_enum_v<T>
  void operator()(const T& value) { number(static_cast<uint8_t>(value)); }
  template <class T, size_t N>
  void operator()(const std::array<T, N>& values) {
    for (const T& value : values) (*this)(value);
  }
  void operator()(const std::string& text) { block(text.data(), text.size()); }
  void operator()(const Bytes& bytes) { block(bytes.data(), bytes.size()); }
  void operator()(const Vector<Relocation>& list) {
    number(static_cast<uint32_t>(list.size()));
    for (const Relocation& relocation : list) {
      (*this)(relocation.offset);
      (*this)(relocation.stage);
      number(static_cast<uint32_t>(relocation.addend));
      (*this)(relocation.kind);
    }
  }
  template <class T, uint32_t N>
  void list(const SmallVector<T, N>& values) {
    number(static_cast<uint8_t>(values.size()));
    for (const T& value : values) visit_members(*this, value);
  }
  void words(const abi::VertexWorkWords& values) {
    number(static_cast<uint32_t>(values.size()));
    for (uint32_t value : values) number(value);
  }
  template <class... Types>
  void choice(const std::variant<Types...>& value) {
    number(static_cast<uint8_t>(value.index()));
    std::visit([this](const auto& alternative) { visit_members(*this, alternative); }, value);
  }

 private:
  void block(const void* data, size_t size) {
    number(static_cast<uint32_t>(size));
    if (size != 0) out_.write(static_cast<const char*>(data), size);
  }

  ByteStream& out_;
};

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : rest_(bytes) {}

  /// Null while all is well.
  const char* error() const { return error_; }
  size_t left() const { return rest_.size(); }

  /// Not inlined, see Writer.
  template <class T>
  [[gnu::noinline]] T number() {
    if (rest_.size() < sizeof(T)) {
      fail("ends before its last member");
      return 0;
    }
    uint64_t value = 0;
    for (unsigned i = 0; i < sizeof(T); ++i) value |= uint64_t{rest_[i]} << (8 * i);
    rest_ = rest_.subspan(sizeof(T));
    return static_cast<T>(value);
  }
  void operator()(bool& value) {
    const auto byte = number<uint8_t>();
    if (byte > 1) fail("has a truth value that is neither 0 nor 1");
    value = byte == 1;
  }
  template <class T>
  requires std::is_integral_v<T>
  void operator()(T& value) { value = number<T>(); }
  void operator()(abi::HardwareStage& stage) {
    enumerator(stage, abi::HardwareStage::ps, "is for an unknown hardware stage");
  }
  void operator()(RelocationKind& kind) {
    enumerator(kind, RelocationKind::tables, "has a relocation of an unknown kind");
  }
  void operator()(PrimitiveShape& shape) {
    enumerator(shape, PrimitiveShape::triangles, "has primitives of an unknown shape");
  }
  void operator()(abi::ParameterKind& kind) {
    enumerator(kind, abi::ParameterKind::cull_distances, "has a parameter of an unknown kind");
  }
  void operator()(abi::Part& part) { enumerator(part, abi::Part::epilog, "has an unknown part of a stage"); }
  void operator()(abi::PixelResultKind& kind) {
    enumerator(kind, abi::PixelResultKind::sample_mask, "has a result of an unknown kind");
  }
  void operator()(abi::ResultType& type) { enumerator(type, abi::ResultType::i16, "has a result of an unknown type"); }
  void operator()(abi::ExportFormat& format) {
    enumerator(format, abi::ExportFormat::abgr32, "has an export of an unknown format");
  }
  template <class T, size_t N>
  void operator()(std::array<T, N>& values) {
    for (T& value : values) (*this)(value);
  }
  void operator()(std::string& text) {
    const std::span<const uint8_t> bytes = block();
    text.assign(bytes.begin(), bytes.end());
  }
  void operator()(Bytes& out) { out.assign(block()); }
  void operator()(Vector<Relocation>& list) {
    constexpr size_t kBytes = 10;
    const auto count = number<uint32_t>();
    if (count > rest_.size() / kBytes) return fail("has more relocations than bytes for them");
    list.resize(count);
    for (Relocation& relocation : list) {
      (*this)(relocation.offset);
      (*this)(relocation.stage);
      relocation.addend = static_cast<int32_t>(number<uint32_t>());
      (*this)(relocation.kind);
    }
  }
  template <class T, uint32_t N>
  void list(SmallVector<T, N>& values) {
    const auto count = number<uint8_t>();
    if (count > rest_.size()) return fail("has a list that is longer than the bytes");
    for (unsigned i = 0; i < count; ++i) {
      T value{};
      visit_members(*this, value);
      values.push_back(value);
    }
  }
  void words(abi::VertexWorkWords& values) {
    const auto count = number<uint32_t>();
    if (count > rest_.size() / sizeof(uint32_t)) return fail("has a list that is longer than the bytes");
    for (uint32_t i = 0; i < count; ++i) values.push_back(number<uint32_t>());
  }
  template <class First, class Second>
  void choice(std::variant<std::monostate, First, Second>& value) {
    switch (number<uint8_t>()) {
      case 0:
        break;
      case 1:
        return visit_members(*this, value.template emplace<First>());
      case 2:
        return visit_members(*this, value.template emplace<Second>());
      default:
        fail("has facts of an unknown kind");
    }
  }

 private:
  template <class T>
  void enumerator(T& value, T last, const char* error) {
    const auto number_read = number<uint8_t>();
    if (number_read > static_cast<uint8_t>(last)) return fail(error);
    value = static_cast<T>(number_read);
  }
  void fail(const char* what) {
    if (error_ == nullptr) error_ = what;
    rest_ = {};
  }
  std::span<const uint8_t> block() {
    const auto size = number<uint32_t>();
    if (size > rest_.size() || size > kMaxBytes) {
      fail("has a member that is longer than the bytes");
      return {};
    }
    const std::span<const uint8_t> bytes = rest_.first(size);
    rest_ = rest_.subspan(size);
    return bytes;
  }

  std::span<const uint8_t> rest_;
  const char* error_ = nullptr;
};

/// Every member of StageObject, once.
template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, StageObject>
void visit_members(Archive& visit, T& s) {
  visit(s.hardware_stage), visit(s.target_name), visit(s.code), visit(s.tables), visit(s.relocations);
  visit(s.entry_offset), visit(s.entry_symbol);
  visit(s.wave_size), visit(s.vgpr_count), visit(s.sgpr_count), visit(s.vgpr_limit), visit(s.sgpr_limit);
  visit(s.lds_bytes), visit(s.scratch_bytes_per_lane), visit(s.shared_vgpr_count), visit(s.threadgroup_dims);
  visit(s.user_sgprs), visit(s.user_data_reg_map), visit(s.spill_threshold), visit(s.user_data_limit);
  visit(s.float_mode), visit(s.dx10_clamp), visit(s.ieee_mode), visit(s.fp16_overflow), visit(s.wgp_mode);
  visit(s.mem_ordered), visit(s.forward_progress), visit(s.wg_round_robin), visit(s.debug_mode);
  visit(s.trap_present), visit(s.scratch_en), visit(s.excp_en);
  visit.choice(s.facts);
  visit(s.vertex_vgpr_comp_cnt), visit(s.primitive_vgpr_comp_cnt);
  visit(s.subgroup_vertices), visit(s.subgroup_primitives), visit(s.primitive_shape);
  visit(s.rasterizer_discard), visit(s.alpha_to_coverage);
  visit(s.part);
  visit.choice(s.seam);
  visit(s.tgid_x_en), visit(s.tgid_y_en), visit(s.tgid_z_en), visit(s.tg_size_en), visit(s.tidig_comp_cnt);
  visit(s.uses_uavs), visit(s.writes_uavs), visit(s.uses_rovs), visit(s.uses_append_consume);
  visit(s.api), visit(s.pipeline_hash), visit(s.api_shader_hash), visit(s.disassembly);
  visit(s.instruction_count), visit(s.spilled_sgprs), visit(s.spilled_vgprs);
}

Error bad(std::string_view what) {
  return {Status::invalid_input, "the stage object " + std::string(what)};
}

/// What registers and metadata have bits for.
Result<void> check_ranges(const StageObject& s) {
  const isa::Target& target = *isa::find_target(s.target_name);
  if (s.wave_size == 32 && !target.has_wave32) return bad("has waves of 32 lanes on a processor without them");
  if (s.vgpr_count > target.vgpr_limit || s.vgpr_limit > target.vgpr_limit) return bad("uses VGPRs that do not exist");
  if (s.sgpr_count > target.sgpr_count || s.sgpr_limit > target.sgpr_count) return bad("uses SGPRs that do not exist");
  if (s.lds_bytes > target.lds_bytes_per_workgroup) return bad("uses more LDS than a workgroup has");
  if (s.user_sgprs > abi::kUserDataRegisters) return bad("has too many user SGPRs");
  if (s.user_data_limit == 0 || s.user_data_limit > abi::kUserDataEntries) return bad("reads user data beyond its end");
  uint64_t threads = 1;
  for (uint32_t size : s.threadgroup_dims) {
    if (size == 0 || size > 1024) return bad("has an impossible workgroup size");
    threads *= size;
  }
  return threads > 1024 ? bad("has an impossible workgroup size") : Result<void>();
}

}  // namespace

Bytes write_stage(const StageObject& stage, Arena* arena) {
  Bytes out(arena);
  ByteStream stream(out,
                    kHeaderBytes + stage.code.size() + stage.tables.size() + stage.disassembly.size() + kUsualBytes);
  stream.write(kMagic.data(), kMagic.size());
  Writer writer(stream);
  writer.number(kStageBytesVersion);
  writer.number(uint32_t{0});
  visit_members(writer, stage);
  stream.finish();
  const auto size = static_cast<uint32_t>(out.size() - kHeaderBytes);
  for (unsigned i = 0; i < 4; ++i) out[kHeaderBytes - 4 + i] = static_cast<uint8_t>(size >> (8 * i));
  return out;
}

Result<StageObject> read_stage(std::span<const uint8_t> bytes, Arena* arena) {
  if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    return bad("does not begin with " + std::string(kMagic));
  }
  Reader reader(bytes.subspan(kMagic.size()));
  if (const auto version = reader.number<uint32_t>(); version != kStageBytesVersion) {
    return Error{Status::unsupported, "the stage object has version " + std::to_string(version) +
                                          ", this library reads " + std::to_string(kStageBytesVersion)};
  }
  if (reader.number<uint32_t>() != reader.left()) return bad("is not as long as it says");
  StageObject stage(arena);
  visit_members(reader, stage);
  if (reader.error() != nullptr) return bad(reader.error());
  if (reader.left() != 0) return bad("goes on after its last member");
  if (Result<void> fine = check_stage(stage); !fine) return bad("is not valid: " + fine.error().message);
  if (Result<void> fine = check_ranges(stage); !fine) return fine.error();
  return stage;
}

}  // namespace spalt::object
