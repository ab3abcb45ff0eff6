// SPDX-License-Identifier: MIT
#include "driver/read_stage.h"

#include <algorithm>

#include "spirv/reflect/reflect.h"

namespace spalt::driver {
namespace {

/// Vulkan ignores map entries for constants that the module does not have; mostly they are a mistake.
void warn_of_unknown_constants(std::span<const uint32_t> words, const Options& options, Diagnostics& diagnostics) {
  if (options.specialization.empty()) return;
  const Result<spirv::Reflection> module = spirv::reflect(words);
  if (!module) return;
  for (const spirv::Specialization& given : options.specialization) {
    const auto at = std::lower_bound(module->constants.begin(), module->constants.end(), given.id,
                                     [](const spirv::ReflectedConstant& c, uint32_t id) { return c.id < id; });
    if (at != module->constants.end() && at->id == given.id) continue;
    diagnostics.warnings.push_back(
        {Status::ok, "the module has no specialization constant " + std::to_string(given.id), Error::kNoOffset, {}, 0});
  }
}

}  // namespace

bool read_stage(std::span<const uint32_t> words, const Options& options, PassRunner& run, ir::Module& module) {
  spirv::ReadOptions read_options;
  read_options.entry_point = options.entry_point;
  read_options.specialization = options.specialization;
  read_options.float_mode = options.float_mode;
  return run.run(Pass::read, module, [&]() -> Result<void> {
    Result<ir::Module> read = spirv::read(words, read_options, run.context);
    if (!read) return read.error();
    module = std::move(*read);
    warn_of_unknown_constants(words, options, run.diagnostics);
    return {};
  });
}

}  // namespace spalt::driver
