// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "amdgpu/isa/target.h"
#include "amdgpu/metadata/report.h"
#include "amdgpu/object/msgpack_view.h"

namespace spalt::metadata {

/// The document as indented text in the manner of `llvm-readelf --notes`. Comments after values say what registers and
/// user-data codes mean; text after a # belongs to no value.
std::string dump_text(const object::Object& root, const isa::Target& target);
/// The same as a JSON value, and `registers`: what the raw registers mean.
std::string dump_json(const object::Object& root, const isa::Target& target, const Report& report);

/// Findings, one in a line: "error: PATH: MESSAGE [RULE]".
std::string findings_text(const Report& report);

}  // namespace spalt::metadata
