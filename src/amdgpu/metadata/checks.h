// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/target.h"
#include "amdgpu/metadata/facts.h"
#include "amdgpu/metadata/report.h"
#include "amdgpu/object/elf_image.h"

namespace spalt::metadata {

// What loaders assert or rely on beyond types and ranges (docs/abi/pal.md). A rule
// looks only at what the document says: whether something required is missing is check_structure's business.

/// Version, stages that the processor has, hashes, what the pipeline's type needs (0, 2, 2.7).
void check_pipeline(const PipelineFacts& facts, const isa::Target& target, Report& report);
/// Registers, memory and threads of each stage, within what the processor has (2.3, 4.1).
void check_resources(const PipelineFacts& facts, const isa::Target& target, Report& report);
/// Which user-data register holds what (3.1 to 3.3).
void check_user_data(const PipelineFacts& facts, const isa::Target& target, Report& report);
/// Graphics registers that contradict each other (2.8, 4.6).
void check_graphics(const PipelineFacts& facts, const isa::Target& target, Report& report);
/// What the stages of a graphics pipeline say of each other: exports, formats, parameters (2.6, 4.4 to 4.6).
void check_linkage(const PipelineFacts& facts, const isa::Target& target, Report& report);
/// Sections and entry symbols of the file (1.2, 1.4).
void check_container(const PipelineFacts& facts, const object::ElfImage& image, Report& report);

}  // namespace spalt::metadata
