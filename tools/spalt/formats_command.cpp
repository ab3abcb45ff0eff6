// SPDX-License-Identifier: MIT
#include <spalt/descriptor.h>
#include <spalt/texel.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "compiler.h"

namespace spalt_tool {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string target;
  bool json = false;
};

constexpr const char* kAspectNames[] = {"color", "depth", "stencil"};
/// By spalt_number_kind.
constexpr const char* kNumberNames[] = {"unorm", "snorm", "uscaled", "sscaled", "uint",
                                        "sint",  "float", "ufloat",  "srgb"};
/// By the bits of spalt_format_use.
constexpr const char* kUseNames[] = {"sampled",
                                     "linear_filter",
                                     "storage",
                                     "storage_atomic",
                                     "texel_buffer",
                                     "storage_texel_buffer",
                                     "texel_buffer_atomic",
                                     "depth_compare"};
constexpr const char* kComponentNames[] = {"r", "g", "b", "a"};

/// Names of the bits that are set.
template <size_t N>
Json bits(uint32_t set, const char* const (&names)[N]) {
  Json list = Json::array();
  for (size_t i = 0; i < N; ++i) {
    if ((set >> i & 1) != 0) list.push_back(names[i]);
  }
  return list;
}

Json describe(uint32_t number, const spalt_compiler* compiler) {
  spalt_format_info info{};
  info.struct_size = sizeof info;
  spalt_query_format(number, &info);
  Json components = Json::object();
  for (size_t c = 0; c < std::size(kComponentNames); ++c) {
    if (info.component_bits[c] != 0) components[kComponentNames[c]] = info.component_bits[c];
  }
  Json format = {{"format", number},
                 {"name", info.name},
                 {"block", {info.block_width, info.block_height}},
                 {"bytes", info.block_bytes},
                 {"aspects", bits(info.aspects, kAspectNames)},
                 {"number", kNumberNames[info.number]},
                 {"bits", components}};
  if (info.depth_format != 0 && info.stencil_format != 0) {
    format["depth_plane"] = info.depth_format;
    format["stencil_plane"] = info.stencil_format;
  }
  if (compiler != nullptr) format["uses"] = bits(spalt_query_format_uses(compiler, number), kUseNames);
  return format;
}

std::string joined(const Json& list) {
  std::string text;
  for (const Json& item : list)
    text += (text.empty() ? "" : " ") + (item.is_string() ? item.get<std::string>() : item.dump());
  return text;
}

/// "r5 g6 b5"
std::string joined_bits(const Json& components) {
  std::string text;
  for (const auto& [name, width] : components.items()) text += (text.empty() ? "" : " ") + name + width.dump();
  return text;
}

void print(const Json& formats, bool has_uses) {
  std::printf("%-10s  %-26s  %-5s  %5s  %-13s  %-7s  %-15s%s\n", "format", "name", "block", "bytes", "aspects",
              "number", "bits", has_uses ? "  uses" : "");
  for (const Json& format : formats) {
    const std::string block = format["block"][0].dump() + "x" + format["block"][1].dump();
    const std::string uses = has_uses ? "  " + joined(format["uses"]) : "";
    std::printf("%-10u  %-26s  %-5s  %5u  %-13s  %-7s  %-15s%s\n", format["format"].get<uint32_t>(),
                format["name"].get<std::string>().c_str(), block.c_str(), format["bytes"].get<uint32_t>(),
                joined(format["aspects"]).c_str(), format["number"].get<std::string>().c_str(),
                joined_bits(format["bits"]).c_str(), uses.c_str());
  }
}

int show(const Options& options) {
  Compiler compiler;
  if (!options.target.empty()) {
    std::string error;
    compiler = create_compiler(options.target, error);
    if (!compiler) {
      std::fprintf(stderr, "spalt: %s\n", error.c_str());
      return kUnsupported;
    }
  }
  Json formats = Json::array();
  for (size_t i = 0; spalt_known_format(i) != 0; ++i)
    formats.push_back(describe(spalt_known_format(i), compiler.get()));
  if (!options.json) {
    print(formats, compiler != nullptr);
    return kOk;
  }
  Json document = Json::object();
  if (compiler) document["target"] = options.target;
  document["formats"] = formats;
  std::printf("%s\n", document.dump(2).c_str());
  return kOk;
}

}  // namespace

void add_formats_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command = line.add_command("formats",
                                     "Show the formats of images: blocks, bytes, aspects, bits of the components, and "
                                     "what a processor can do with them\nExample: spalt formats --target gfx1100",
                                     [options] { return show(*options); });
  command.add_option("--target", options->target, "Processor; without one, no uses are shown");
  command.add_flag("--json", options->json, "Print JSON: target, formats");
}

}  // namespace spalt_tool
