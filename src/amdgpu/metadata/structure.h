// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/target.h"
#include "amdgpu/metadata/report.h"
#include "amdgpu/object/msgpack_view.h"

namespace spalt::metadata {

/// Holds the document against the key tables: types, ranges, lengths, names, what is missing and what stands twice.
/// Keys that loaders do not know, or not on this target, are notes.
void check_structure(const object::Object& root, const isa::Target& target, Report& report);

/// A whole number that is not negative, in any of the encodings that loaders take: integer, boolean or floating point.
bool whole_number(const object::Object* object, uint64_t& value);
/// Of the document's root; 0 when it has none.
uint64_t major_version(const object::Object& root);

}  // namespace spalt::metadata
