// SPDX-License-Identifier: MIT
#include "driver/find_programs.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "amdgpu/object/elf_image.h"
#include "amdgpu/object/pipeline_object.h"
#include "driver/disassemble.h"

namespace spalt::driver {
namespace {

/// Each keeps a copy of the code from its start to the end of the section.
constexpr size_t kMaxFunctions = 256;

std::vector<uint32_t> words_from(std::span<const uint8_t> bytes, uint64_t offset) {
  std::vector<uint32_t> words((bytes.size() - offset) / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data() + offset, words.size() * 4);
  return words;
}

Result<std::vector<FoundProgram>> stages_of(std::span<const uint8_t> elf, uint32_t wave_size) {
  const auto pipeline = object::read_pipeline(elf);
  if (!pipeline) return pipeline.error();
  std::vector<FoundProgram> programs;
  for (const object::StageObject& stage : pipeline->stages) {
    FoundProgram program;
    program.name = stage.entry_symbol;
    program.target = isa::find_target(stage.target_name);
    if (program.target == nullptr)
      return Error{Status::unsupported, "the target " + stage.target_name + " is not supported"};
    program.words = words_from(pipeline->code, stage.entry_offset);
    const auto& dims = stage.threadgroup_dims;
    const bool has_groups = stage.hardware_stage == abi::HardwareStage::cs;
    program.resources.wave_size = wave_size != 0 ? wave_size : stage.wave_size;
    program.resources.wgp_mode = stage.wgp_mode;
    program.resources.vgprs = stage.vgpr_count;
    program.resources.sgprs = stage.sgpr_count;
    program.resources.lds_bytes = stage.lds_bytes;
    program.resources.invocations = has_groups ? dims[0] * dims[1] * dims[2] : program.resources.wave_size;
    programs.push_back(std::move(program));
  }
  return programs;
}

Result<std::vector<FoundProgram>> functions_of(const object::ElfImage& image, uint32_t wave_size) {
  const Result<const isa::Target*> target = object::target_of(image);
  if (!target) return target.error();
  std::vector<std::pair<uint64_t, FoundProgram>> found;
  for (const object::ElfImage::Symbol& symbol : image.symbols) {
    if ((symbol.entry.info & 0xf) != object::kSymbolFunc) continue;
    const auto place = object::find_entry(image, symbol.name);
    if (!place) continue;  // declared only, or data
    if (found.size() == kMaxFunctions) return Error{Status::limit_exceeded, "the ELF file has more than 256 functions"};
    FoundProgram program;
    program.name = symbol.name;
    program.target = *target;
    program.words = words_from(place->section->data, place->offset);
    found.emplace_back(symbol.entry.value, std::move(program));
  }
  if (found.empty()) {
    const object::ElfImage::Section* text = image.find_section(".text");
    if (text == nullptr) return Error{Status::invalid_input, "the ELF file has no functions and no .text section"};
    FoundProgram program;
    program.target = *target;
    program.words = words_from(text->data, 0);
    found.emplace_back(0, std::move(program));
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<FoundProgram> programs;
  for (auto& [address, program] : found) {
    program.resources.wave_size = wave_size != 0 ? wave_size : default_wave_size(*program.target);
    program.resources.invocations = program.resources.wave_size;
    programs.push_back(std::move(program));
  }
  return programs;
}

}  // namespace

Result<std::vector<FoundProgram>> find_programs(std::span<const uint8_t> elf, uint32_t wave_size) {
  const auto image = object::read_elf_image(elf);
  if (!image) return image.error();
  if (image->os_abi == object::kOsAbiPal) {
    auto stages = stages_of(elf, wave_size);
    if (stages) return stages;  // else it may be a pipeline of other stages, whose code can be looked at as well
  }
  return functions_of(*image, wave_size);
}

}  // namespace spalt::driver
