// SPDX-License-Identifier: MIT
// Compiles every entry point of a SPIR-V module whose names stand in a file, one per line, and prints ";; NAME" and the
// assembly of each. One process for hundreds of small shaders.
// Usage: compile_entry_points MODULE.spv NAMES TARGET cu|wgp
#include <spalt/spalt.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace {

struct CompilerDeleter {
  void operator()(spalt_compiler* compiler) const { spalt_compiler_destroy(compiler); }
};
struct CompilationDeleter {
  void operator()(spalt_compilation* compilation) const { spalt_compilation_destroy(compilation); }
};

std::vector<uint32_t> read_words(const char* path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
  std::vector<uint32_t> words(bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

bool compile(spalt_compiler* compiler, const std::vector<uint32_t>& words, const std::string& name, bool wgp) {
  spalt_compile_info info{};
  info.struct_size = sizeof info;
  info.words = words.data();
  info.word_count = words.size();
  info.entry_point = name.c_str();
  info.wgp_mode = wgp ? 1 : 0;
  info.want_assembly = 1;
  spalt_compilation* raw = nullptr;
  const spalt_result result = spalt_compile(compiler, &info, &raw);
  const std::unique_ptr<spalt_compilation, CompilationDeleter> compilation(raw);
  if (result == SPALT_SUCCESS) {
    std::printf(";; %s\n%s\n", name.c_str(), spalt_compilation_assembly(raw));
    return true;
  }
  spalt_diagnostic diagnostic{};
  diagnostic.struct_size = sizeof diagnostic;
  const bool explained = raw != nullptr && spalt_compilation_diagnostic(raw, 0, &diagnostic) == SPALT_SUCCESS;
  std::fprintf(stderr, "%s: %s\n", name.c_str(), explained ? diagnostic.message : spalt_result_string(result));
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: compile_entry_points MODULE.spv NAMES TARGET cu|wgp\n");
    return 1;
  }
  const std::vector<uint32_t> words = read_words(argv[1]);
  spalt_compiler_create_info create{};
  create.struct_size = sizeof create;
  create.target = argv[3];
  spalt_compiler* raw = nullptr;
  if (const spalt_result result = spalt_compiler_create(&create, &raw); result != SPALT_SUCCESS) {
    std::fprintf(stderr, "%s: %s\n", argv[3], spalt_result_string(result));
    return 1;
  }
  const std::unique_ptr<spalt_compiler, CompilerDeleter> compiler(raw);
  std::ifstream names(argv[2]);
  bool all = true;
  for (std::string name; std::getline(names, name);) {
    if (!name.empty()) all = compile(compiler.get(), words, name, std::strcmp(argv[4], "wgp") == 0) && all;
  }
  return all ? 0 : 1;
}
