// SPDX-License-Identifier: MIT
//
// Code that a compiler with a bug might make, in the place of that of a pipeline: each kind of fault that the emulator
// finds in code loses the device and is told by its kind.
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <ostream>

#include "compute.h"
#include "icd/shader/pipeline.h"
#include "spalt/device.h"

namespace spalt::icd::test {
namespace {

struct IllegalCode {
  const char* name;
  const char* target;
  const char* text;
  spalt_fault_kind kind;
  const char* message;  // a part of it
  friend std::ostream& operator<<(std::ostream& out, const IllegalCode& code) { return out << code.name; }
};

constexpr IllegalCode kCodes[] = {
    {"UnawaitedRegister", "gfx1030",
     "s_getpc_b64 s[20:21]\ns_load_dword s22, s[20:21], 0x0\ns_add_u32 s23, s22, s22\ns_endpgm\n",
     SPALT_FAULT_MISSING_WAIT, "s_add_u32"},
    {"MissingWaitStates", "gfx900", "v_readfirstlane_b32 s20, v0\nbuffer_load_dword v1, off, s[20:23], 0\ns_endpgm\n",
     SPALT_FAULT_HAZARD, "buffer_load_dword"},
    {"NoInstruction", "gfx1030", ".long 0xffffffff\ns_endpgm\n", SPALT_FAULT_INVALID_INSTRUCTION, "pc 0x0"},
    {"JumpOutOfTheCode", "gfx1030", ".long 0xbf827fff\ns_endpgm\n", SPALT_FAULT_INVALID_JUMP, "s_branch"},
    {"SharedMemoryThatIsNotThere", "gfx1030",
     "v_mov_b32 v0, 0x10000\nds_read_b32 v1, v0\ns_waitcnt lgkmcnt(0)\ns_endpgm\n", SPALT_FAULT_LDS_BOUNDS,
     "ds_read_b32"},
    {"StoreToCode", "gfx1030",
     "s_getpc_b64 s[20:21]\nv_mov_b32 v0, s20\nv_mov_b32 v1, s21\nglobal_store_dword v[0:1], v0, off\ns_endpgm\n",
     SPALT_FAULT_READ_ONLY, "global_store_dword"},
};

std::vector<std::byte> assemble(const IllegalCode& code) {
  spalt_assemble_info info{};
  info.struct_size = sizeof info;
  info.target = code.target;
  info.text = code.text;
  info.text_size = std::strlen(code.text);
  spalt_assembly* assembly = nullptr;
  EXPECT_EQ(spalt_assemble(&info, &assembly), SPALT_SUCCESS);
  size_t size = 0;
  const auto* bytes = static_cast<const std::byte*>(spalt_assembly_code(assembly, &size));
  std::vector<std::byte> result(bytes, bytes + size);
  spalt_assembly_destroy(assembly);
  return result;
}

/// The bytes of the .text section of a valid ELF.
std::span<std::byte> code_of(std::vector<std::byte>& elf) {
  Elf64_Ehdr header{};
  std::memcpy(&header, elf.data(), sizeof header);
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), elf.data() + header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr));
  const auto* names = reinterpret_cast<const char*>(elf.data() + sections[header.e_shstrndx].sh_offset);
  for (const Elf64_Shdr& section : sections) {
    if (std::strcmp(names + section.sh_name, ".text") == 0) return {elf.data() + section.sh_offset, section.sh_size};
  }
  return {};
}

/// A pipeline like that of `program`, whose code begins with other bytes.
VkPipeline with_code(const TestDevice& device, const TestProgram& program, const std::vector<std::byte>& bytes) {
  auto& owner = from_handle<Device>(device.handle());
  const auto& original = from_handle<Pipeline>(program.pipeline());
  CompiledShader shader = original.program->shader();
  const std::span<std::byte> code = code_of(shader.elf);
  EXPECT_GE(code.size(), bytes.size());
  std::copy(bytes.begin(), bytes.end(), code.begin());
  auto changed = std::make_shared<const Program>(owner, std::make_shared<const CompiledShader>(std::move(shader)),
                                                 std::span<const uint32_t>(), "illegal");
  return to_handle(create_child<Pipeline>(owner, nullptr, std::move(changed), original.layout, original.stages));
}

class IllegalCodeTest : public testing::TestWithParam<IllegalCode> {};

TEST_P(IllegalCodeTest, LosesTheDevice) {
  const IllegalCode& illegal = GetParam();
  const Environment target("SPALT_ICD_TARGET", illegal.target);
  TestDevice device;
  const TestBuffer buffer(device, std::vector<uint32_t>(64));
  const TestProgram program(device, R"(
    layout(local_size_x = 64) in;
    layout(std430, set = 0, binding = 0) buffer Data { uint data[]; };
    void main() { data[gl_GlobalInvocationID.x] = data[63 - gl_GlobalInvocationID.x] * 7 + 3; })",
                            {&buffer});
  const VkPipeline pipeline = with_code(device, program, assemble(illegal));
  const TestCommands commands(device);
  const VkDescriptorSet set = program.set();
  entry::CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  entry::CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, program.layout(), 0, 1, &set, 0, nullptr);
  entry::CmdDispatch(commands, 1, 1, 1);
  commands.end();
  EXPECT_EQ(submit(device.queue(), commands), VK_SUCCESS);
  EXPECT_EQ(entry::QueueWaitIdle(device.queue()), VK_ERROR_DEVICE_LOST);
  ASSERT_EQ(device.messages().size(), 1u);
  EXPECT_NE(device.messages()[0].text.find(illegal.message), std::string::npos) << device.messages()[0].text;
  VkDeviceFaultCountsEXT counts{VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
  EXPECT_EQ(entry::GetDeviceFaultInfoEXT(device.handle(), &counts, nullptr), VK_SUCCESS);
  VkDeviceFaultAddressInfoEXT addresses[2]{};
  VkDeviceFaultVendorInfoEXT vendor{};
  VkDeviceFaultInfoEXT info{VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT, nullptr, {}, addresses, &vendor, nullptr};
  EXPECT_EQ(entry::GetDeviceFaultInfoEXT(device.handle(), &counts, &info), VK_SUCCESS);
  EXPECT_EQ(vendor.vendorFaultCode, uint64_t{illegal.kind}) << device.messages()[0].text;
  entry::DestroyPipeline(device.handle(), pipeline, nullptr);
}

INSTANTIATE_TEST_SUITE_P(Emulator, IllegalCodeTest, testing::ValuesIn(kCodes),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace spalt::icd::test
