// SPDX-License-Identifier: MIT
#include "kernel_spec.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace spalt::opencl {
namespace {

struct TypeRow {
  std::string_view name;
  size_t bytes;
  bool is_float, is_signed;
};
// In the order of Type.
constexpr TypeRow kTypes[] = {
    {"char", 1, false, true}, {"uchar", 1, false, false}, {"short", 2, false, true}, {"ushort", 2, false, false},
    {"int", 4, false, true},  {"uint", 4, false, false},  {"long", 8, false, true},  {"ulong", 8, false, false},
    {"half", 2, true, true},  {"float", 4, true, true},   {"double", 8, true, true},
};

/// The words of one directive.
class Words {
 public:
  explicit Words(const std::string& text) : stream_(text) { next(); }
  bool done() const { return word_.empty(); }
  const std::string& peek() const { return word_; }
  std::string take() {
    if (done()) throw std::runtime_error("the line ends too early");
    std::string word = word_;
    next();
    return word;
  }
  double number() {
    const std::string word = take();
    size_t end = 0;
    const double value = std::stod(word, &end);
    if (end != word.size()) throw std::runtime_error("'" + word + "' is no number");
    return value;
  }
  bool at_number() const {
    return !done() && (std::isdigit(static_cast<unsigned char>(word_[0])) != 0 || word_[0] == '-');
  }

 private:
  void next() {
    word_.clear();
    stream_ >> word_;
  }
  std::istringstream stream_;
  std::string word_;
};

Type parse_type(const std::string& name) {
  for (size_t i = 0; i < std::size(kTypes); ++i) {
    if (kTypes[i].name == name) return static_cast<Type>(i);
  }
  throw std::runtime_error("'" + name + "' is no element type");
}

std::array<uint32_t, 3> parse_size(const std::string& text) {
  std::array<uint32_t, 3> size{1, 1, 1};
  std::istringstream stream(text);
  std::string part;
  for (size_t c = 0; c < 3 && std::getline(stream, part, ','); ++c) size[c] = static_cast<uint32_t>(std::stoul(part));
  return size;
}

void parse_generator(Words& words, Generator& generator) {
  generator.name = words.take();
  if (words.at_number()) {
    generator.low = words.number();
    generator.high = words.number();
  }
}

void parse_tolerance(Words& words, Tolerance& tolerance) {
  while (!words.done()) {
    const std::string word = words.take();
    if (word == "ulp") {
      tolerance.ulps = words.number();
    } else if (word == "abs") {
      tolerance.absolute = words.number();
    } else if (word == "zero") {
      tolerance.any_zero = true;
    } else {
      throw std::runtime_error("'" + word + "' is no tolerance");
    }
  }
}

Argument parse_argument(const std::string& kind, Words& words) {
  Argument argument;
  if (kind == "local") {
    argument.kind = Argument::Kind::local;
    argument.count = static_cast<size_t>(words.number());
    return argument;
  }
  argument.type = parse_type(words.take());
  if (kind == "value") {
    argument.kind = Argument::Kind::value;
    argument.value = static_cast<uint64_t>(std::stoll(words.take(), nullptr, 0));
    return argument;
  }
  argument.count = static_cast<size_t>(words.number());
  argument.kind = kind == "in" ? Argument::Kind::in : kind == "out" ? Argument::Kind::out : Argument::Kind::inout;
  if (argument.kind != Argument::Kind::out) parse_generator(words, argument.generator);
  if (argument.kind != Argument::Kind::in) parse_tolerance(words, argument.tolerance);
  return argument;
}

/// The kernels that a run of directives describes share everything but their names.
class SpecReader {
 public:
  explicit SpecReader(KernelFile& file) : file_(file) {}

  void read(const std::string& directive) {
    Words words(directive);
    const std::string kind = words.take();
    if (kind == "options") {
      while (!words.done()) file_.options.push_back(words.take());
    } else if (kind == "except") {
      while (!words.done()) {
        const std::string target = words.take();
        for (size_t i = first_; i < file_.kernels.size(); ++i) file_.kernels[i].except.push_back(target);
      }
    } else if (kind == "kernel") {
      start_kernels(words);
    } else if (kind == "in" || kind == "out" || kind == "inout" || kind == "value" || kind == "local") {
      if (first_ == file_.kernels.size()) throw std::runtime_error("an argument before the first kernel");
      const Argument argument = parse_argument(kind, words);
      for (size_t i = first_; i < file_.kernels.size(); ++i) file_.kernels[i].arguments.push_back(argument);
    } else {
      throw std::runtime_error("unknown directive '" + kind + "'");
    }
    if (!words.done()) throw std::runtime_error("'" + words.peek() + "' is too much");
  }

 private:
  void start_kernels(Words& words) {
    first_ = file_.kernels.size();
    KernelSpec spec;
    std::vector<std::string> names;
    while (!words.done() && words.peek() != "global") names.push_back(words.take());
    if (words.take() != "global") throw std::runtime_error("'global' is missing");
    spec.global = parse_size(words.take());
    if (words.take() != "local") throw std::runtime_error("'local' is missing");
    spec.local = parse_size(words.take());
    for (const std::string& name : names) {
      spec.name = name;
      file_.kernels.push_back(spec);
    }
  }

  KernelFile& file_;
  size_t first_ = 0;
};

}  // namespace

size_t size_of(Type type) {
  return kTypes[static_cast<size_t>(type)].bytes;
}
bool is_float(Type type) {
  return kTypes[static_cast<size_t>(type)].is_float;
}
bool is_signed(Type type) {
  return kTypes[static_cast<size_t>(type)].is_signed;
}

KernelFile load_kernel_file(const std::string& path) {
  KernelFile file;
  file.path = path;
  file.name = std::filesystem::path(path).stem().string();
  SpecReader reader(file);
  std::ifstream stream(path);
  std::string line;
  for (size_t number = 1; std::getline(stream, line); ++number) {
    if (!line.starts_with("//!")) continue;
    try {
      reader.read(line.substr(3));
    } catch (const std::exception& error) {
      throw std::runtime_error(path + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  if (file.kernels.empty()) throw std::runtime_error(path + ": describes no kernel");
  return file;
}

}  // namespace spalt::opencl
