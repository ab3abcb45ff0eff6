// SPDX-License-Identifier: MIT
//
// A random draw on Vulkan drivers: Mesa's software driver is the reference, the driver under test draws it on several
// processors, and every texel and every word of the buffers must be the same.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "draw_shape.h"
#include "scenes/scene.h"
#include "scenes/scene_shaders.h"

namespace spalt::random_programs {

struct DrawOptions {
  std::string driver;  ///< manifest of the driver under test
  std::vector<std::string> targets = {"gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"};
  std::vector<uint32_t> waves = {32, 64};  ///< those that a target has are used
  bool rotate = false;                     ///< one of these configurations for each seed
  bool validate = false;                   ///< spirv-val on the words
};

constexpr const char* kReferenceDiffers = "the reference agrees with one at a time of its ";

class DrawOracles {
 public:
  explicit DrawOracles(const DrawOptions& options);
  ~DrawOracles();

  /// Nothing when all agree, else what differs; begins with kReferenceDiffers when the reference agrees as soon as it
  /// draws without lanes of different paths (DrawJudge). Changes the environment of the process.
  std::optional<std::string> check(const DrawProgram& program);

 private:
  struct Libraries;
  struct Result {
    std::string who;
    std::string complaint;
    scenes::Pictures pictures;
  };

  static std::string text_of(const std::vector<Result>& results);
  scenes::Pictures draw_reference(scenes::Scene scene, const scenes::ShaderWords& shaders) const;

  DrawOptions options_;
  std::string reference_;  ///< manifest
  std::unique_ptr<Libraries> libraries_;
};

/// FOLDER/SEED/draw.json with the shaders, as words and as assembly, and state.json for the compiler.
void write_draw(const DrawProgram& program, const std::string& folder);

}  // namespace spalt::random_programs
