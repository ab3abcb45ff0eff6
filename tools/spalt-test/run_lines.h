// SPDX-License-Identifier: MIT
#pragma once
#include "ir/module.h"
#include "test_file.h"

namespace spalt::golden {

/// The execution part of a golden test, written as comments in the input:
///
///     ; run: @pick(true, 2) == 1          calls a function; arguments and result have the types of the function
///     ; buffer 0, 0: i32 1, 2, f32 0.5    initial content of set 0, binding 0; `0, 1[2]` is element 2 of an array
///     ; buffer 0, 1: zeros 64             bytes
///     ; push: i32 7                       push constants
///     ; run: dispatch 2, 1, 1             runs the entry point; several run after each other on the same buffers
///     ; result 0, 0: i32 1, 2, f32 0.5    the buffer must begin with this after all runs
///
/// Values are compared bit for bit.
bool has_runs(const TestFile& file);

/// Executes and checks all of it; the Error says what differs.
Result<void> check_runs(const TestFile& file, const ir::Module& module);

}  // namespace spalt::golden
