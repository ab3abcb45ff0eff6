// SPDX-License-Identifier: MIT
#include "shader_input.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "glsl.h"
#include "module.h"

namespace shader_input {
namespace {

bool to_words(const std::string& path, const std::vector<uint8_t>& bytes, std::vector<uint32_t>& words,
              std::string& messages) {
  if (bytes.size() % 4 != 0) {
    messages = path + ": not a whole number of SPIR-V words";
    return false;
  }
  words.resize(bytes.size() / 4);
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return true;
}

bool translate_file(const std::string& path, const std::vector<uint8_t>& bytes, const Options& options,
                    std::vector<uint32_t>& words, std::string& messages) {
  if (path.ends_with(".spv")) return to_words(path, bytes, words, messages);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const Language language = path.ends_with(".spvasm") ? Language::assembly : Language::glsl;
  return translate(path, text, language, options, words, messages);
}

}  // namespace

bool read_file(const std::string& path, std::vector<uint8_t>& bytes, std::string& error) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    error = path + ": no such file";
    return false;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, ignored)) {
    error = path + ": cannot be read";
    return false;
  }
  bytes.assign(std::istreambuf_iterator<char>(file), {});
  return true;
}

bool translate(const std::string& path, std::string_view text, Language language, const Options& options,
               std::vector<uint32_t>& words, std::string& messages) {
  messages.clear();
  if (language == Language::assembly) return assemble(path, std::string(text), options, words, messages);
  return compile_glsl(path, std::string(text), options, words, messages);
}

bool load(const std::string& path, const Options& options, std::vector<uint32_t>& words, std::string& messages) {
  std::vector<uint8_t> bytes;
  messages.clear();
  if (!read_file(path, bytes, messages) || !translate_file(path, bytes, options, words, messages)) return false;
  if (options.optimize && !optimize(path, options, words, messages)) return false;
  return !options.validate || validate(path, options, words, messages);
}

}  // namespace shader_input
