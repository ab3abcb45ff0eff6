// SPDX-License-Identifier: MIT
#include <spalt/descriptor.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "commands.h"
#include "compiler.h"
#include "files.h"

namespace spalt_tool {
namespace {

struct Options {
  std::string target, kind = "image", file;
  std::vector<std::string> words;
  uint64_t offset = 0;
  bool json = false;
};

struct Kind {
  const char* name;
  spalt_binding_kind kind;
  size_t words;
};
constexpr Kind kKinds[] = {{"buffer", SPALT_BINDING_RAW_BUFFER, 4},
                           {"image", SPALT_BINDING_IMAGE, 8},
                           {"sampler", SPALT_BINDING_SAMPLER, 4},
                           {"combined", SPALT_BINDING_COMBINED_IMAGE_SAMPLER, 12}};

int refuse(const std::string& message) {
  std::fprintf(stderr, "spalt: %s\n", message.c_str());
  return kInput;
}

/// Decimal, or hexadecimal with 0x.
std::optional<uint32_t> parse_word(const std::string& text) {
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text.c_str(), &end, 0);
  if (text.empty() || text[0] == '-' || *end != 0 || value > UINT32_MAX) return std::nullopt;
  return static_cast<uint32_t>(value);
}

int read_words(const Options& options, size_t count, std::vector<uint32_t>& words) {
  if (options.file.empty()) {
    for (const std::string& text : options.words) {
      const auto word = parse_word(text);
      if (!word) return refuse("'" + text + "' is no word of 32 bits");
      words.push_back(*word);
    }
    if (words.size() == count) return kOk;
    return refuse("a descriptor of this kind has " + std::to_string(count) + " words, not " +
                  std::to_string(words.size()));
  }
  std::vector<uint8_t> bytes;
  std::string error;
  if (!read_file(options.file, bytes, error)) return refuse(error);
  if (options.offset > bytes.size() || bytes.size() - options.offset < count * sizeof(uint32_t)) {
    return refuse(options.file + " has " + std::to_string(bytes.size()) + " bytes: the descriptor is beyond its end");
  }
  words.resize(count);
  std::memcpy(words.data(), bytes.data() + options.offset, count * sizeof(uint32_t));
  return kOk;
}

std::string describe(const spalt_compiler* compiler, const Kind& kind, const std::vector<uint32_t>& words) {
  std::string text(spalt_describe_descriptor(compiler, kind.kind, words.data(), nullptr, 0) + 1, '\0');
  spalt_describe_descriptor(compiler, kind.kind, words.data(), text.data(), text.size());
  text.pop_back();
  return text;
}

nlohmann::ordered_json as_json(const std::string& text) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  std::istringstream lines(text);
  for (std::string name, value; lines >> name && std::getline(lines >> std::ws, value);) object[name] = value;
  return object;
}

int show(const Options& options) {
  const Kind* kind =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](const Kind& k) { return options.kind == k.name; });
  std::vector<uint32_t> words;
  if (const int code = read_words(options, kind->words, words); code != kOk) return code;

  std::string error;
  const Compiler compiler = create_compiler(options.target, error);
  if (!compiler) {
    std::fprintf(stderr, "spalt: %s\n", error.c_str());
    return kUnsupported;
  }
  const std::string text = describe(compiler.get(), *kind, words);
  std::printf("%s", options.json ? (as_json(text).dump(2) + "\n").c_str() : text.c_str());
  return kOk;
}

}  // namespace

void add_descriptor_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command =
      line.add_command("descriptor",
                       "Show what the words of a descriptor say: V# of a buffer, T# of an image, S# of a sampler\n"
                       "Examples: spalt descriptor --target gfx1030 --kind sampler 0x92 0xfff000 0 0\n"
                       "          spalt descriptor --target gfx1030 --file fault-0/memory_2.bin --offset 0x40",
                       [options] { return show(*options); });
  command.add_option("words", options->words, "The words, decimal or with 0x");
  command.add_option("--target", options->target, "Processor, for example gfx1100").required();
  command.add_option("--kind", options->kind, "What it is")
      .show_default()
      .one_of({"buffer", "image", "sampler", "combined"});
  command.add_option("--file", options->file, "Read the words from this file instead");
  command.add_option("--offset", options->offset, "Bytes from the start of the file").show_default();
  command.add_flag("--json", options->json, "Print JSON: an object with a member for each line");
}

}  // namespace spalt_tool
