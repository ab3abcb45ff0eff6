// SPDX-License-Identifier: MIT
//
// SPIR-V words of a shader file: GLSL through glslang, SPIR-V assembly and modules through SPIRV-Tools, both linked. No
// program is started and no file is written.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shader_input {

struct Options {
  std::vector<std::string> include_folders;  ///< where #include looks after the folder of the including file
  std::vector<std::string> defines;          ///< NAME or NAME=VALUE, for GLSL
  std::string stage;                         ///< comp, vert, frag, ...; empty: what the file name says
  bool debug = false;                        ///< GLSL: the module names files, lines and variables
  bool keep_ids = false;                     ///< assembly: %7 becomes id 7
  bool optimize = false;                     ///< run spirv-opt's passes for speed
  bool validate = false;                     ///< refuse a module that the validator finds invalid
  bool vulkan_1_2 = false;                   ///< for Vulkan 1.2 and SPIR-V 1.5; else for 1.3 and 1.6
  /// Assembly: the version of the module is what a disassembler's comment "; Version: 1.3" says, where there is one.
  bool version_comment = false;
};

enum class Language : uint8_t { glsl, assembly };

/// Reads `path` as its suffix says: .spv words, .spvasm assembly, everything else GLSL. Returns false when it
/// cannot, and `messages` says why in lines such as "blur.comp:7: error: 'x' : undeclared identifier". On
/// success `messages` holds warnings, or nothing.
bool load(const std::string& path, const Options& options, std::vector<uint32_t>& words, std::string& messages);

/// The same from text in memory. GLSL needs Options::stage; `path` is what messages say, and where #include looks.
bool translate(const std::string& path, std::string_view text, Language language, const Options& options,
               std::vector<uint32_t>& words, std::string& messages);

bool read_file(const std::string& path, std::vector<uint8_t>& bytes, std::string& error);

}  // namespace shader_input
