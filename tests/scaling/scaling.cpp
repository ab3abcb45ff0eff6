// SPDX-License-Identifier: MIT
// Compiles each shape at several sizes and prints, per emitted instruction, the time and the peak of memory. Where one
// grows with the size, something is not linear. Each row runs in a process of its own, so that rows do not share memory
// and a row that is stopped ends alone.
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <spalt/spalt.hpp>
#include <stdexcept>
#include <string>

#include "scaling/shapes.h"

namespace spalt::scaling {
namespace {

constexpr const char* kHelp =
    "scaling [--repeat N] [--seconds N] [ROW...]\n"
    "Compiles shapes that grow, for gfx1030, and prints what one emitted instruction costs.\n"
    "  ROW              SHAPE:uniform:COUNT or SHAPE:divergent:COUNT (default: the rows of docs/performance.md)\n"
    "  --repeat N       compiles each so often; the best time counts (default 3)\n"
    "  --seconds N      a row that takes longer is stopped (default 60)\n"
    "  --write FOLDER   writes SHAPE_KIND_COUNT.spv for each row instead, for other compilers\n"
    "  --list           the names of the shapes\n";

struct Row {
  const Shape* shape;
  bool divergent;
  uint32_t count;
};

struct Sizes {
  const char* shape;
  bool divergent;
  std::initializer_list<uint32_t> counts;
};
constexpr Sizes kDefault[] = {
    {"breaks", true, {2000, 16000, 64000}},
    {"breaks", false, {2000, 16000, 64000}},
    {"flags", true, {2000, 16000}},
    {"continues", true, {2000, 16000}},
    {"returns", true, {2000, 16000}},
    {"nest_with_else", false, {500, 4000, 16000}},
    {"nest", false, {500, 4000, 20000}},
    {"ifs", true, {2000, 16000, 50000}},
    {"phis", true, {2000, 20000}},
    {"block", true, {2000, 16000, 100000}},
    {"loops", true, {600, 5000}},
    {"nested_loops", false, {60, 500}},
    {"nested_loops", true, {60, 500}},
    {"nest", true, {500, 2000}},
    {"nest_with_else", true, {500, 2000}},
    {"cases", true, {500, 2000, 8000}},
    {"shuffled_cases", true, {500, 2000, 8000}},
};

struct Settings {
  unsigned repeat = 3, seconds = 60;
  std::string folder;
  std::vector<Row> rows;
};

unsigned number(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0) {
    throw std::runtime_error("'" + std::string(text) + "' is not a number from 1");
  }
  return value;
}

Row parse_row(std::string_view text) {
  const size_t first = text.find(':'), second = text.find(':', first + 1);
  if (second == std::string_view::npos) throw std::runtime_error("a row is SHAPE:uniform:COUNT; see --help");
  const Shape* shape = find_shape(text.substr(0, first));
  const std::string_view kind = text.substr(first + 1, second - first - 1);
  if (shape == nullptr) throw std::runtime_error("no shape of that name; see --list");
  if (kind != "uniform" && kind != "divergent") throw std::runtime_error("a shape is uniform or divergent");
  return {shape, kind == "divergent", number(text.substr(second + 1))};
}

Settings read_command_line(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--repeat" && i + 1 < argc) {
      settings.repeat = number(argv[++i]);
    } else if (option == "--seconds" && i + 1 < argc) {
      settings.seconds = number(argv[++i]);
    } else if (option == "--write" && i + 1 < argc) {
      settings.folder = argv[++i];
    } else {
      settings.rows.push_back(parse_row(option));
    }
  }
  if (!settings.rows.empty()) return settings;
  for (const Sizes& sizes : kDefault) {
    for (const uint32_t count : sizes.counts)
      settings.rows.push_back({find_shape(sizes.shape), sizes.divergent, count});
  }
  return settings;
}

/// A line of /proc/self/status in bytes.
uint64_t memory(std::string_view what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(what)) return std::strtoull(line.c_str() + what.size() + 1, nullptr, 10) * 1024;
  }
  throw std::runtime_error("/proc/self/status tells no memory");
}

/// Forgets the peak of memory so far (proc(5), clear_refs).
void reset_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

using Seconds = std::chrono::duration<double>;

struct Measured {
  double best = 1e9;  ///< seconds
  uint64_t peak = 0;  ///< bytes of the first compilation
  uint32_t instructions = 0;
};

/// False: refused, which is printed.
bool compile_once(const spalt_api::Compiler& compiler, const std::vector<uint32_t>& words, Measured& measured) {
  const auto begin = std::chrono::steady_clock::now();
  const spalt_api::Compilation compilation = compiler.compile(spalt_api::Compiler::info(words));
  measured.best = std::min(measured.best, Seconds(std::chrono::steady_clock::now() - begin).count());
  if (!compilation.ok()) {
    std::printf("%s\n", compilation.message().c_str());
    return false;
  }
  measured.instructions = compilation.statistics().instructions;
  return true;
}

int measure(const Row& row, const Settings& settings) {
  const std::vector<uint32_t> words = row.shape->make(row.count, row.divergent);
  const spalt_api::Compiler compiler("gfx1030");
  Measured measured;
  malloc_trim(0);
  reset_peak();
  const uint64_t before = memory("VmRSS:");
  if (!compile_once(compiler, words, measured)) return 1;
  measured.peak = memory("VmHWM:") - before;
  for (unsigned i = 1; i < settings.repeat; ++i) {
    if (!compile_once(compiler, words, measured)) return 1;
  }
  std::printf("%12u %12.0f %12.0f\n", measured.instructions, measured.best * 1e9 / measured.instructions,
              static_cast<double>(measured.peak) / measured.instructions);
  return 0;
}

/// The process of one row; its exit code is that of measure().
int run_apart(const Row& row, const Settings& settings) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no further process");
  if (child == 0) {
    alarm(settings.seconds);
    const int code = measure(row, settings);
    std::fflush(stdout);
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) std::printf("stopped by signal %d\n", WTERMSIG(status));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

const char* kind(const Row& row) {
  return row.divergent ? "divergent" : "uniform";
}

int write(const Settings& settings) {
  for (const Row& row : settings.rows) {
    const std::string path = settings.folder + "/" + std::string(row.shape->name) + "_" + kind(row) + "_" +
                             std::to_string(row.count) + ".spv";
    const std::vector<uint32_t> words = row.shape->make(row.count, row.divergent);
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 4));
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
  }
  return 0;
}

int run(const Settings& settings) {
  std::printf("%-16s %-10s %8s %12s %12s %12s\n", "shape", "", "count", "instructions", "ns each", "bytes each");
  int code = 0;
  for (const Row& row : settings.rows) {
    std::printf("%-16s %-10s %8u ", std::string(row.shape->name).c_str(), kind(row), row.count);
    code |= run_apart(row, settings);
  }
  return code;
}

}  // namespace
}  // namespace spalt::scaling

int main(int argc, char** argv) {
  using namespace spalt::scaling;
  try {
    const std::string_view first = argc > 1 ? argv[1] : "";
    if (first == "--help" || first == "-h") {
      std::fputs(kHelp, stdout);
      return 0;
    }
    if (first == "--list") {
      for (const Shape& shape : shapes()) std::printf("%s\n", std::string(shape.name).c_str());
      return 0;
    }
    const Settings settings = read_command_line(argc, argv);
    return settings.folder.empty() ? run(settings) : write(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "scaling: %s\n", error.what());
    return 2;
  }
}
