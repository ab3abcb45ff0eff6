// SPDX-License-Identifier: MIT
#include "glsl.h"

#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

namespace shader_input {
namespace {

constexpr std::array<std::pair<std::string_view, EShLanguage>, 14> kStages{{{"vert", EShLangVertex},
                                                                            {"tesc", EShLangTessControl},
                                                                            {"tese", EShLangTessEvaluation},
                                                                            {"geom", EShLangGeometry},
                                                                            {"frag", EShLangFragment},
                                                                            {"comp", EShLangCompute},
                                                                            {"task", EShLangTask},
                                                                            {"mesh", EShLangMesh},
                                                                            {"rgen", EShLangRayGen},
                                                                            {"rint", EShLangIntersect},
                                                                            {"rahit", EShLangAnyHit},
                                                                            {"rchit", EShLangClosestHit},
                                                                            {"rmiss", EShLangMiss},
                                                                            {"rcall", EShLangCallable}}};

/// "blur.comp" and "blur.comp.glsl" are compute shaders.
std::optional<EShLanguage> stage_of(const std::string& path, const Options& options) {
  std::string name = options.stage;
  if (name.empty()) {
    std::filesystem::path file(path);
    if (file.extension() == ".glsl") file = file.stem();
    name = file.extension().string();
    if (!name.empty()) name.erase(0, 1);
  }
  for (const auto& [suffix, stage] : kStages) {
    if (suffix == name) return stage;
  }
  return std::nullopt;
}

/// Finds the files of #include. glslang asks for includeLocal first when the name stands in quotation marks.
class Includer : public glslang::TShader::Includer {
 public:
  explicit Includer(const std::vector<std::string>& folders) : folders_(folders) {}

  IncludeResult* includeLocal(const char* name, const char* includer, size_t depth) override {
    return open(std::filesystem::path(includer).parent_path(), name, depth);
  }
  IncludeResult* includeSystem(const char* name, const char*, size_t depth) override {
    if (depth > kMostDepth) return fail(new std::string("included too deeply"));
    for (const std::string& folder : folders_) {
      if (IncludeResult* result = open(folder, name, depth)) return result;
    }
    return fail(new std::string("no such file beside the including one or in a folder of -I"));
  }
  void releaseInclude(IncludeResult* result) override {
    if (result == nullptr) return;
    delete static_cast<std::string*>(result->userData);
    delete result;
  }

 private:
  /// Deep enough for every real program; a file that includes itself without a guard ends here.
  static constexpr size_t kMostDepth = 64;

  static IncludeResult* fail(std::string* why) { return new IncludeResult("", why->data(), why->size(), why); }

  static IncludeResult* open(const std::filesystem::path& folder, const char* name, size_t depth) {
    const std::string path = (folder / name).string();
    std::vector<uint8_t> bytes;
    std::string ignored;
    if (depth > kMostDepth || !read_file(path, bytes, ignored)) return nullptr;
    auto* text = new std::string(bytes.begin(), bytes.end());
    return new IncludeResult(path, text->data(), text->size(), text);
  }

  const std::vector<std::string>& folders_;
};

/// Text that glslang reads before the file, whose lines it does not count.
std::string preamble_of(const std::string& text, const Options& options) {
  std::string preamble;
  // Only where it is needed, for glslang records in the module which extensions were asked for.
  if (text.find("#include") != std::string::npos) preamble += "#extension GL_GOOGLE_include_directive : enable\n";
  for (std::string define : options.defines) {
    if (const size_t equals = define.find('='); equals != std::string::npos) define[equals] = ' ';
    preamble += "#define " + define + "\n";
  }
  return preamble;
}

/// "ERROR: blur.comp:7: text" becomes "blur.comp:7: error: text", and a message without a place gets the file.
std::string reword(std::string_view line, const std::string& path) {
  const bool warning = line.starts_with("WARNING: ");
  const std::string kind = warning ? " warning: " : " error: ";
  if (const size_t colon = line.find(": "); warning || line.starts_with("ERROR: ")) line.remove_prefix(colon + 2);
  for (size_t at = line.find(": "); at != std::string_view::npos; at = line.find(": ", at + 1)) {
    size_t digits = at;
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(line[digits - 1])) != 0) --digits;
    if (digits == at || digits == 0 || line[digits - 1] != ':') continue;
    return std::string(line.substr(0, at + 1)) + kind + std::string(line.substr(at + 2));
  }
  return path + ":" + kind + std::string(line);
}

void add_log(const char* log, const std::string& path, std::string& messages) {
  std::string_view rest = log;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    while (line.ends_with(' ')) line.remove_suffix(1);
    // The last lines only say that there were others.
    if (line.empty() || line.ends_with("No code generated.") || line.find("compilation terminated") != line.npos)
      continue;
    if (!messages.empty()) messages += '\n';
    messages += reword(line, path);
  }
}

/// glslang keeps its tables of built-in functions as long as it is initialized.
struct Process {
  Process() { glslang::InitializeProcess(); }
  ~Process() { glslang::FinalizeProcess(); }
};

}  // namespace

bool compile_glsl(const std::string& path, const std::string& text, const Options& options,
                  std::vector<uint32_t>& words, std::string& messages) {
  static const Process process;
  const std::optional<EShLanguage> stage = stage_of(path, options);
  if (!stage) {
    messages = path + ": no shader stage: expected a suffix such as .comp, or --stage comp";
    return false;
  }
  glslang::TShader shader(*stage);
  const char* source = text.data();
  const int length = static_cast<int>(text.size());
  const char* name = path.c_str();
  const std::string preamble = preamble_of(text, options);
  shader.setStringsWithLengthsAndNames(&source, &length, &name, 1);
  shader.setPreamble(preamble.c_str());
  shader.setEnvInput(glslang::EShSourceGlsl, *stage, glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan,
                      options.vulkan_1_2 ? glslang::EShTargetVulkan_1_2 : glslang::EShTargetVulkan_1_3);
  shader.setEnvTarget(glslang::EShTargetSpv,
                      options.vulkan_1_2 ? glslang::EShTargetSpv_1_5 : glslang::EShTargetSpv_1_6);
  auto rules = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);
  if (options.debug) rules = static_cast<EShMessages>(rules | EShMsgDebugInfo);
  Includer includer(options.include_folders);
  const bool parsed = shader.parse(GetDefaultResources(), 110, ENoProfile, false, false, rules, includer);
  add_log(shader.getInfoLog(), path, messages);
  if (!parsed) return false;
  glslang::TProgram program;
  program.addShader(&shader);
  const bool linked = program.link(rules);
  add_log(program.getInfoLog(), path, messages);
  if (!linked) return false;
  glslang::SpvOptions how;
  how.generateDebugInfo = options.debug;
  how.disableOptimizer = true;
  spv::SpvBuildLogger logger;
  words.clear();
  glslang::GlslangToSpv(*program.getIntermediate(*stage), words, &logger, &how);
  add_log(logger.getAllMessages().c_str(), path, messages);
  return true;
}

}  // namespace shader_input
