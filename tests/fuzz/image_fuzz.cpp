// SPDX-License-Identifier: MIT
//
// Any image instruction with any image descriptor, sampler and address: the emulator gives a result or a fault with a
// message. An input is a Case; what is missing at its end is 0. Seeds: tests/fuzz/make_seeds.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/codec/fields.h"
#include "amdgpu/isa/codec/image_address.h"
#include "amdgpu/isa/codec/modifiers.h"
#include "amdgpu/isa/text/assembler.h"
#include "emu/device/device.h"

namespace {

namespace isa = spalt::isa;
namespace emu = spalt::emu;

constexpr uint64_t kTexels = 0x10000000000;
constexpr size_t kTexelBytes = size_t{1} << 16;
constexpr unsigned kAddress = 10, kAddressRegisters = 13, kData = 40, kResource = 4, kSampler = 12;

struct Case {
  uint8_t target = 0;
  uint8_t flags = 0;
  uint16_t opcode = 0;
  uint8_t dim = 0, dmask = 0;
  uint16_t modifiers = 0;
  uint32_t image[8] = {}, sampler[4] = {};
  uint32_t address[kAddressRegisters] = {};
  uint32_t lane_factor = 0;  ///< its product with the lane is put on top of the registers that `lane_mask` names
  uint32_t lane_mask = 0;
  uint32_t border_colors = 0;  ///< offset in the texels
  uint8_t texels[64] = {};     ///< repeated
};
/// Bits of Case::flags.
enum : uint8_t { kWave32 = 1, kInMemory = 2, kOfImage = 4, kListed = 8 };

/// Image instructions of the target and the format of each.
std::vector<std::pair<isa::Opcode, isa::Format>> image_instructions(const isa::Target& target) {
  std::vector<std::pair<isa::Opcode, isa::Format>> all;
  for (unsigned i = 0; i < static_cast<unsigned>(isa::Opcode::count); ++i) {
    const auto opcode = static_cast<isa::Opcode>(i);
    for (const isa::Format format : {isa::Format::mimg, isa::Format::vimage, isa::Format::vsample}) {
      if (isa::opcode_number(opcode, format, target.generation) >= 0) all.emplace_back(opcode, format);
    }
  }
  return all;
}

/// Modifiers that the instruction does not have keep their defaults.
isa::Modifiers modifiers_of(const Case& test, const isa::OpcodeInfo& info, isa::Format format,
                            const isa::Target& target) {
  isa::Modifiers all;
  all.dim = test.dim & 7;
  all.declare_array = (test.dim & 8) != 0;
  all.dmask = test.dmask & 15;
  const auto bit = [&](unsigned i) { return (test.modifiers >> i & 1) != 0; };
  all.d16 = bit(0);
  all.a16 = bit(1);
  all.tfe = bit(2);
  all.lwe = bit(3);
  all.unorm = bit(4);
  all.r128 = bit(5);
  all.glc = bit(6);
  all.slc = bit(7);
  all.dlc = bit(8);
  all.th = static_cast<uint8_t>(test.modifiers >> 9 & 7);
  all.scope = static_cast<uint8_t>(test.modifiers >> 12 & 3);
  isa::Modifiers mods;
  for (const isa::ModField& field : isa::modifier_fields(info, format, target.generation)) {
    isa::set_modifier(mods, field.mod, isa::get_modifier(all, field.mod));
  }
  return mods;
}

spalt::Result<isa::EncodedInst> encoded(const Case& test, const isa::Target& target) {
  const auto all = image_instructions(target);
  isa::Inst inst;
  std::tie(inst.opcode, inst.format) = all[test.opcode % all.size()];
  const isa::OpcodeInfo& info = isa::info(inst.opcode, target.generation);
  inst.mods = modifiers_of(test, info, inst.format, target);
  const unsigned status = inst.mods.tfe || inst.mods.lwe ? 1 : 0;
  const auto vgprs = [](unsigned first, unsigned count) { return isa::Operand::of(isa::vgpr(first), count); };
  unsigned slot = 0;
  const bool stores = info.has(isa::kMayStore);
  if (stores) inst.src[slot++] = vgprs(kData, isa::image_data_dwords(info, inst.mods, false));
  const isa::ImageAddressList list = isa::image_address_list(info, inst.mods, inst.format, target.generation);
  const bool listed = list.count > 1 && ((test.flags & kListed) != 0 || inst.format != isa::Format::mimg);
  if (listed) {
    inst.nsa.count = static_cast<uint8_t>(list.count - 1);
    for (unsigned i = 1; i < list.count; ++i) inst.nsa.vgprs[i - 1] = static_cast<uint8_t>(kAddress + i);
  }
  inst.src[slot++] =
      vgprs(kAddress, listed ? list.widths[0] : isa::image_address_dwords(info, inst.mods, target.generation));
  inst.src[slot++] = isa::Operand::of(isa::sgpr(kResource), inst.mods.r128 ? 4 : 8);
  if (slot < info.src_count) inst.src[slot] = isa::Operand::of(isa::sgpr(kSampler), 4);
  const bool returns = !stores || (info.has(isa::kAtomic) && (inst.mods.glc || (inst.mods.th & 1) != 0));
  if (returns) inst.dst[0] = vgprs(kData, isa::image_data_dwords(info, inst.mods, true) + status);
  return isa::encode(inst, target);
}

std::string setup_text(const Case& test) {
  std::string text = "v_mov_b32 v8, " + std::to_string(test.lane_factor) + "\nv_mul_u32_u24 v8, v8, v0\n";
  for (unsigned i = 0; i < kAddressRegisters; ++i) {
    const std::string reg = "v" + std::to_string(kAddress + i);
    text += "v_mov_b32 " + reg + ", " + std::to_string(test.address[i]) + "\n";
    if ((test.lane_mask >> i & 1) != 0) text += "v_xor_b32 " + reg + ", v8, " + reg + "\n";
  }
  for (unsigned i = 0; i < 4; ++i) text += "v_mov_b32 v" + std::to_string(kData + i) + ", v10\n";
  return text;
}

spalt::object::StageObject make_shader(const Case& test, const isa::Target& target, const isa::EncodedInst& inst) {
  spalt::object::StageObject shader;
  shader.target_name = target.name;
  shader.wave_size = (test.flags & kWave32) != 0 && target.has_wave32 ? 32 : 64;
  auto code = isa::assemble(setup_text(test), target, shader.wave_size);
  if (!code.ok()) std::abort();
  code->words.insert(code->words.end(), inst.words, inst.words + inst.count);
  const auto end = isa::assemble("s_endpgm\n", target, shader.wave_size);
  code->words.insert(code->words.end(), end->words.begin(), end->words.end());
  std::vector<uint8_t> bytes(code->words.size() * 4);
  std::memcpy(bytes.data(), code->words.data(), bytes.size());
  shader.code.assign(bytes);
  shader.vgpr_count = 64;
  shader.sgpr_count = 100;
  shader.threadgroup_dims = {50, 1, 1};
  shader.user_sgprs = 16;
  for (uint32_t i = 0; i < shader.user_sgprs; ++i) shader.user_data_reg_map[i] = i;
  shader.user_data_limit = 16;
  shader.float_mode = 0xf0;
  return shader;
}

std::vector<uint32_t> user_data_of(Case test) {
  constexpr uint32_t kTypes = 0xf0000000, kFirstType = 0x80000000, kSwizzleMode = 0x01f00000;
  if ((test.flags & kInMemory) != 0) {
    test.image[0] = static_cast<uint32_t>(kTexels >> 8);
    test.image[1] = (test.image[1] & ~0xffu) | static_cast<uint32_t>(kTexels >> 40);
  }
  if ((test.flags & kOfImage) != 0)
    test.image[3] = (test.image[3] & ~kSwizzleMode & ~(kTypes & kFirstType)) | kFirstType;
  std::vector<uint32_t> words(16);
  std::copy(std::begin(test.image), std::end(test.image), words.begin() + kResource);
  std::copy(std::begin(test.sampler), std::end(test.sampler), words.begin() + kSampler);
  return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Case test;
  std::memcpy(&test, data, std::min(size, sizeof test));
  const auto targets = isa::targets();
  const isa::Target& target = targets[test.target % targets.size()];
  const auto inst = encoded(test, target);
  if (!inst.ok()) return 0;

  std::vector<uint64_t> texels(kTexelBytes / 8);
  for (size_t i = 0; i < texels.size(); ++i) std::memcpy(&texels[i], test.texels + i * 8 % sizeof test.texels, 8);
  const auto space = std::make_shared<emu::AddressSpace>();
  if (!space->map({kTexels, kTexelBytes, reinterpret_cast<uint8_t*>(texels.data()), true, "texels"}).ok()) std::abort();
  const auto program = emu::PalProgram::load(space, make_shader(test, target, *inst), 0, "code");
  const auto device = emu::Device::create(space, 1, 0);
  if (!program.ok() || !device.ok()) std::abort();
  const std::vector<uint32_t> user_data = user_data_of(test);
  emu::PalDispatch dispatch;
  dispatch.program = *program;
  dispatch.user_data = user_data;
  dispatch.step_limit = 1000;
  dispatch.border_colors = test.border_colors == 0 ? 0 : kTexels + test.border_colors;
  const auto outcome = (*device)->dispatch(dispatch);
  if (!outcome.ok() || (outcome->fault.kind != emu::FaultKind::none && outcome->fault.message().empty())) {
    std::fprintf(stderr, "an error without a cause\n");
    std::abort();
  }
  return 0;
}
