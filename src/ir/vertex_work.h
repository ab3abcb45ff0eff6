// SPDX-License-Identifier: MIT
//
// Vertex work: straight code that a vertex shader runs on what it puts out. A fragment shader that is compiled first
// makes it (passes/move_to_vertices.h), the vertex shader takes it over (passes/add_vertex_work.h), and in between it
// lies in the stage object of the fragment shader as words.
//
// It is a function of one block: `input` of a location is what the vertex shader gave that component, `output` is what
// the fragment shader reads instead. In between are operations that depend on their operands alone, on 32 bits and
// truth values.
#pragma once
#include <cstdint>
#include <span>

#include "base/arena.h"
#include "base/result.h"
#include "base/small_vector.h"
#include "ir/module.h"

namespace spalt::ir {

/// As stage objects hold it; none: there is no work.
using VertexWorkWords = SmallVector<uint32_t, 1>;

/// Instructions and constants that vertex work may have.
constexpr unsigned kMaxVertexWork = 1024;

/// Whether vertex work may have the operation: a result of 32 bits or a truth value that depends on such operands and
/// on nothing else.
bool may_be_vertex_work(const Function& function, Value value);

/// Whether the function is vertex work, apart from what ir::verify looks at in every function. The error says why not.
Result<void> check_vertex_work(const Function& work);

/// The words of Module::vertex_work, linear in its length.
VertexWorkWords pack_vertex_work(const Function& work);

/// What pack_vertex_work made words of, in `arena` or without one on the heap. Other words are an error
/// (Status::invalid_input): what comes out can be run.
Result<Function> unpack_vertex_work(std::span<const uint32_t> words, Arena* arena = nullptr);

}  // namespace spalt::ir
