// SPDX-License-Identifier: MIT
//
// What the programs that check many seeds have in common: their options, the run itself with its lines of progress, and
// files of SPIR-V.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "spirv_builder.h"
#include "worker_pool.h"

namespace spalt::random_programs {

struct SeedOptions {
  uint64_t count = 200;
  uint64_t first = 1;
  std::string keep, write_only;  ///< folders; empty: none
  std::vector<std::string> targets;
  std::vector<uint32_t> waves = {32, 64};  ///< those that a target has are used
  bool validate = false;                   ///< spirv-val on the words
  size_t jobs = std::max(1u, std::thread::hardware_concurrency());
  double timeout = 60.0;  ///< seconds for one seed
};

/// Text on these options for --help; each program writes its own before it.
extern const char* const kSeedUsage;

/// Options that only one program has.
struct OwnOptions {
  std::map<std::string, std::function<void()>> flags;
  std::map<std::string, std::function<void(const std::string&)>> values;
};

/// Throws std::runtime_error with a sentence on what is wrong.
void parse_options(int argc, char** argv, const OwnOptions& own, SeedOptions& options);

/// What a program does with seeds.
struct SeedRun {
  std::function<Check()> make_check;                        ///< once in each process
  std::function<void(uint64_t, const std::string&)> write;  ///< a seed into a folder
  std::string excuse;  ///< failures that begin so are the reference's, and count as passed
};

/// Checks the seeds, or writes them, and returns what main returns.
int run_seeds(const SeedOptions& options, const SeedRun& seeds);

/// Without a choice by the user, the reference is Mesa's software driver, whatever GPU the machine has, with one thread
/// in each process.
void choose_reference_driver();

/// Empty when there is no module of SPIR-V.
Words read_words(const std::string& path);
void write_words(const std::string& path, const Words& words);
/// Also as assembly, beside the file with another ending: .spvasm.
void write_with_assembly(const std::string& path, const Words& words);

}  // namespace spalt::random_programs
