// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

#include "base/result.h"
#include "test_file.h"

namespace spalt::golden {

/// For a file with `; prove: none, REASON`: fails if a function is proved through these passes after all, in a short
/// time. So reasons do not outlive what they are about.
Result<void> check_unproved(const TestFile& file, std::span<const std::string> passes);
/// The same for code that is selected with these words.
Result<void> check_unproved_selection(const TestFile& file, std::span<const std::string> words);

}  // namespace spalt::golden
