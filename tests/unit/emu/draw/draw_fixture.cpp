// SPDX-License-Identifier: MIT
#include "draw_fixture.h"

#include <sstream>

#include "amdgpu/object/link.h"
#include "emu/memory/descriptor.h"

namespace spalt::emu::test {
namespace {

using abi::HardwareStage;

constexpr uint32_t kFloat4 = 109, kDepthFloat = 126, kTriangles = 3;
constexpr unsigned kPixelUserSgprs = 16;

std::string number(unsigned value) {
  return std::to_string(value);
}

/// What exports want on processors with that hazard, by what LLVM 19 inserts.
std::string with_export_priority(const std::string& text) {
  const auto is_export = [](const std::string& line) { return line.starts_with("exp "); };
  std::istringstream lines(text);
  std::string result = "s_setprio 2\n", line, before;
  while (std::getline(lines, line)) {
    if (is_export(before) && !is_export(line)) {
      const bool ends = line.starts_with("s_endpgm");
      result += std::string("s_setprio 0\n") + (ends ? "" : "s_waitcnt_expcnt null, 0x0\n") + "s_nop 0\ns_nop 0\n";
      if (!ends) result += "s_setprio 2\n";
    }
    result += line + "\n";
    before = line;
  }
  return result;
}

}  // namespace

const std::vector<Dialect> kDialects = {{"gfx900", 64, false}, {"gfx1010", 32, false}, {"gfx1030", 64, false},
                                        {"gfx1030", 32, true}, {"gfx1100", 32, true},  {"gfx1100", 64, true},
                                        {"gfx1150", 32, true}, {"gfx1200", 32, true},  {"gfx1200", 64, true}};

void PrintTo(const Dialect& dialect, std::ostream* out) {
  *out << dialect.target << ", wave" << dialect.wave_size << (dialect.is_primitive_shader ? ", primitive shader" : "");
}

bool Programs::is_new() const {
  return std::string(dialect_.target) >= "gfx11" && std::string(dialect_.target) != "gfx900";
}
bool Programs::is_12() const {
  return std::string(dialect_.target).starts_with("gfx12");
}

object::StageObject Programs::stage(HardwareStage kind, const std::string& text) const {
  object::StageObject stage;
  stage.hardware_stage = kind;
  stage.entry_symbol = object::entry_symbol_of(kind);
  stage.target_name = dialect_.target;
  stage.wave_size = dialect_.wave_size;
  const bool raises = isa::find_target(dialect_.target)->has(isa::Hazard::export_priority);
  stage.code.assign(assemble(raises ? with_export_priority(text) : text, dialect_.wave_size, dialect_.target));
  stage.vgpr_count = 32;
  stage.sgpr_count = 64;
  stage.float_mode = 0xf0;
  return stage;
}

std::string Programs::load_vertex(unsigned table_sgpr, unsigned base_sgpr, unsigned id, unsigned instance,
                                  const std::string& between) const {
  const std::string add = std::string(dialect_.target) == "gfx900" ? "v_add_u32 " : "v_add_nc_u32 ";
  const std::string load4 = is_new() ? "buffer_load_b128 " : "buffer_load_dwordx4 ";
  const std::string zero = is_12() ? "null" : "0";
  std::string text = "s_getpc_b64 s[40:41]\ns_mov_b32 s40, s" + number(table_sgpr) + "\n";
  text += std::string(is_new() ? "s_load_b128" : "s_load_dwordx4") + " s[44:47], s[40:41], 0x0\n";
  text += add + "v20, s" + number(base_sgpr) + ", v" + number(id) + "\n";
  text += add + "v21, s" + number(base_sgpr + 1) + ", v" + number(instance) + "\n";
  text += is_12() ? "s_wait_kmcnt 0x0\n" : "s_waitcnt lgkmcnt(0)\n";
  text += load4 + "v[8:11], v20, s[44:47], " + zero + " idxen\n";
  text += load4 + "v[12:15], v20, s[44:47], " + zero + " idxen offset:16\n";
  text += is_12() ? "s_wait_loadcnt 0x0\n" : "s_waitcnt vmcnt(0)\n";
  return text + between + "\n";
}

std::string Programs::hardware_vertex(const std::string& between) const {
  const unsigned instance = std::string(dialect_.target) == "gfx900" ? 1 : 3;
  return load_vertex(1, 2, 0, instance, between) +
         "exp pos0 v8, v9, v10, v11 done\nexp param0 v12, v13, v14, v15\ns_endpgm\n";
}

std::string Programs::primitive_shader(const std::string& between) const {
  const bool wide = dialect_.wave_size == 64, ring = is_new();
  const std::string exec = wide ? "exec" : "exec_lo", mask = wide ? "s[52:53]" : "s52", size = wide ? "64" : "32";
  const std::string mov = wide ? "s_mov_b64 " : "s_mov_b32 ", exp = is_12() ? "export " : "exp ";
  std::string text = mov + exec + ", -1\nv_mbcnt_lo_u32_b32 v22, -1, 0\n";
  if (wide) text += "v_mbcnt_hi_u32_b32 v22, -1, v22\n";
  text += "s_bfe_u32 s48, s3, 0x40018\n";
  if (std::string(dialect_.target) == "gfx1030") {
    text +=
        "s_cmp_lg_u32 s48, 0\ns_cbranch_scc1 8\ns_bfe_u32 s49, s2, 0x9000c\ns_bfe_u32 s50, s2, 0x90016\n"
        "s_lshl_b32 s50, s50, 12\n";
    text += "s_or_b32 m0, s49, s50\n";
    // s_bfe has a literal: the branch above counts dwords.
    text += "s_nop 0\ns_sendmsg sendmsg(MSG_GS_ALLOC_REQ)\n";
  }
  text += "s_lshl_b32 s48, s48, " + std::string(wide ? "6" : "5") + "\nv_add_nc_u32 v23, s48, v22\n";
  text += "s_and_b32 s49, s3, 0xff\nv_cmp_gt_u32 " + mask + ", s49, v22\n";
  text += mov + exec + ", " + mask + "\n";
  text += load_vertex(9, 10, is_12() ? 3 : 5, is_12() ? 4 : 8, between);
  if (ring) {
    text += "s_getpc_b64 s[40:41]\ns_mov_b32 s40, s8\ns_load_b128 s[56:59], s[40:41], 0xb0\n";
    text += "s_and_b32 s50, s5, 0x7fff\ns_lshl_b32 s50, s50, 9\n";
    text += is_12() ? "s_wait_kmcnt 0x0\n" : "s_waitcnt lgkmcnt(0)\n";
    text += std::string("buffer_store_b128 v[12:15], v23, s[56:59], s50 idxen") +
            (is_12() ? " scope:SCOPE_DEV\n" : " glc\n");
    if (!is_12()) text += "s_waitcnt_vscnt null, 0x0\n";
  }
  const std::string wait = is_12() ? "s_wait_expcnt 0x0\n" : "s_waitcnt expcnt(0)\n";
  text += wait + mov + exec + ", -1\ns_bfe_u32 s49, s3, 0x80008\nv_cmp_gt_u32 " + std::string(wide ? "vcc" : "vcc_lo") +
          ", s49, v22\n" + mov + exec + ", " + (wide ? "vcc" : "vcc_lo") + "\n";
  text += exp + "prim v0, off, off, off done\n" + wait + mov + exec + ", " + mask + "\n";
  text += exp + "pos0 v8, v9, v10, v11 done\n";
  if (!ring) text += "exp param0 v12, v13, v14, v15\n";
  return text + "s_endpgm\n";
}

object::StageObject Programs::vertex(const std::string& between) const {
  const bool merged = dialect_.is_primitive_shader;
  object::StageObject made = stage(merged ? HardwareStage::gs : HardwareStage::vs,
                                   merged ? primitive_shader(between) : hardware_vertex(between));
  made.user_sgprs = 4;
  made.user_data_reg_map[0] = abi::kGlobalTable;
  made.user_data_reg_map[1] = abi::kVertexBufferTable;
  made.user_data_reg_map[2] = abi::kBaseVertex;
  made.user_data_reg_map[3] = abi::kBaseInstance;
  made.vertex_vgpr_comp_cnt = 3;
  made.primitive_vgpr_comp_cnt = is_12() ? 0 : 1;
  if (is_12()) made.vertex_vgpr_comp_cnt = 1;
  made.subgroup_vertices = 96;
  made.subgroup_primitives = 50;
  abi::VertexOutputs outputs;
  outputs.parameters.push_back({abi::ParameterKind::location, 0});
  made.facts = outputs;
  return made;
}

std::string Programs::interpolate() const {
  std::string text;
  const char* channels[] = {"x", "y", "z", "w"};
  for (unsigned c = 0; c < 4; ++c) {
    const std::string to = "v" + number(8 + c), from = "v" + number(12 + c),
                      attribute = std::string("attr0.") + channels[c];
    if (is_12()) {
      text += "ds_param_load " + from + ", " + attribute + " wait_va_vdst:15 wait_vm_vsrc:1\n";
    } else if (is_new()) {
      text += "lds_param_load " + from + ", " + attribute + " wait_vdst:15\n";
    } else {
      text += "v_interp_p1_f32 " + to + ", v0, " + attribute + "\nv_interp_p2_f32 " + to + ", v1, " + attribute + "\n";
    }
  }
  for (unsigned c = 0; c < 4 && is_new(); ++c) {
    const std::string to = "v" + number(8 + c), from = "v" + number(12 + c);
    text += "v_interp_p10_f32 " + to + ", " + from + ", v0, " + from + " wait_exp:" + number(3 - c) + "\n";
    text += "v_interp_p2_f32 " + to + ", " + from + ", v1, " + to + " wait_exp:7\n";
  }
  return text;
}

std::string Programs::export_color() const {
  if (is_12()) return "export mrt0 v8, v9, v10, v11 done\n";
  return std::string("exp mrt0 v8, v9, v10, v11 done") + (is_new() ? "\n" : " vm\n");
}

object::StageObject Programs::pixel(const std::string& body) const {
  const bool wide = dialect_.wave_size == 64;
  const std::string exec = wide ? "exec" : "exec_lo", exact = wide ? "s[52:53]" : "s52";
  const std::string mov = wide ? "s_mov_b64 " : "s_mov_b32 ", wqm = wide ? "s_wqm_b64 " : "s_wqm_b32 ";
  std::string text = "s_mov_b32 m0, s" + number(kPixelUserSgprs) + "\n" + mov + exact + ", " + exec + "\n";
  text += wqm + exec + ", " + exec + "\n" + body + "\n" + mov + exec + ", " + exact + "\n";
  object::StageObject made = stage(HardwareStage::ps, text + export_color() + "s_endpgm\n");
  made.user_sgprs = kPixelUserSgprs;
  abi::PixelFacts facts;
  facts.inputs = 1 << abi::kPerspCenter;
  facts.parameters.push_back({{abi::ParameterKind::location, 0}, false, false});
  facts.color_formats[0] = abi::ExportFormat::abgr32;
  facts.color_masks[0] = 0xf;
  made.facts = facts;
  return made;
}

DrawFixture::DrawFixture(const Dialect& dialect, std::vector<TestVertex> vertices, uint32_t threads)
    : state(spalt_api::sized<spalt_raster_state>()),
      device_(threads),
      target_(*isa::find_target(dialect.target)),
      vertices_(std::move(vertices)),
      color_(size_t{kSize} * kSize * 4 * kSlices, -1.0f),
      depth_(size_t{kSize} * kSize, 1.0f) {
  const auto map = [&](uint64_t address, void* host, size_t bytes, const char* name) {
    EXPECT_TRUE(device_.space.map(address, host, bytes, name).ok()) << name;
  };
  map(kVertices, vertices_.data(), vertices_.size() * sizeof(TestVertex), "vertices");
  map(kColor, color_.data(), color_.size() * 4, "colour");
  map(kDepth, depth_.data(), depth_.size() * 4, "depth");
  BufferDescriptor buffer;
  buffer.base = kVertices;
  buffer.stride = sizeof(TestVertex);
  buffer.num_records = static_cast<uint32_t>(vertices_.size());
  table_ = encode_descriptor(buffer, target_);
  map(kVertexTable, table_.data(), sizeof table_, "table of vertex buffers");

  state.topology = kTriangles;
  viewport_ = {0, 0, kSize, kSize, 0, 1};
  scissor_ = {0, 0, kSize, kSize};
  state.viewports = &viewport_;
  state.scissors = &scissor_;
  state.viewport_count = 1;
  state.render_area = scissor_;
  state.depth_clip = 1;
  state.line_width = 1;
  state.samples = 1;
  state.sample_mask = UINT32_MAX;
  blend_.write_mask = 0xf;
  target_info_ = {kColor, kFloat4, kSize, kSize, 1, 1, kSize * 16, kSize * kSize * 16};
  state.blends = &blend_;
  state.color_targets = &target_info_;
  state.color_target_count = 1;
  state.depth = {kDepth, kDepthFloat, kSize, kSize, 1, 1, kSize * 4, kSize * kSize * 4};
}

spalt_api::Program DrawFixture::load(const object::StageObject& vertex, const object::StageObject& pixel) const {
  const object::StageObject stages[] = {vertex, pixel};
  const auto version = target_.max_metadata_major >= 3 ? object::MetadataVersion::v3_0 : object::MetadataVersion::v2_6;
  const Result<object::Bytes> elf = object::link_stages(stages, version);
  EXPECT_TRUE(elf.ok()) << (elf.ok() ? "" : elf.error().message);
  return elf.ok() ? load_elf(elf->data(), elf->size()) : spalt_api::Program();
}

spalt_api::Program DrawFixture::load_elf(const uint8_t* elf, size_t size) const {
  spalt_api::Program program(device_.space, elf, size, kCode, "test code");
  EXPECT_TRUE(program.ok()) << program.outcome().message;
  return program;
}

spalt_draw_info DrawFixture::info(const spalt_api::Program& program, uint32_t count) const {
  spalt_draw_info info = spalt_api::Device::draw_info(program, state, no_data_, count);
  info.vertex_buffer_table = static_cast<uint32_t>(kVertexTable);
  return info;
}

void DrawFixture::map_indices(std::vector<uint16_t> indices) {
  indices_ = std::move(indices);
  EXPECT_TRUE(device_.space.map(kIndices, indices_.data(), indices_.size() * 2, "indices").ok());
}

void DrawFixture::set_slices(unsigned layers, unsigned samples) {
  target_info_.layers = layers;
  target_info_.samples = samples;
  state.samples = samples;
  state.depth.address = 0;
}

std::array<float, 4> DrawFixture::color(unsigned x, unsigned y, unsigned slice) const {
  const float* at = &color_[((size_t{slice} * kSize + y) * kSize + x) * 4];
  return {at[0], at[1], at[2], at[3]};
}

}  // namespace spalt::emu::test
