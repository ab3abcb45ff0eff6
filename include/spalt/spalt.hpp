// SPDX-License-Identifier: MIT
/// @file spalt.hpp
/// A thin C++17 layer over spalt.h: handles that destroy themselves, results that carry their message. Header only.
#ifndef SPALT_SPALT_HPP
#define SPALT_SPALT_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "spalt/spalt.h"

namespace spalt_api {

/// The result of one compilation. Owns the ELF and the texts.
class Compilation {
 public:
  Compilation(spalt_result result, spalt_compilation* handle) : result_(result), handle_(handle) {}

  bool ok() const { return result_ == SPALT_SUCCESS; }
  spalt_result result() const { return result_; }
  const spalt_compilation* handle() const { return handle_.get(); }

  /// The ELF bytes; valid as long as this object. Empty unless ok().
  std::pair<const uint8_t*, size_t> elf() const {
    size_t size = 0;
    const void* bytes = spalt_compilation_elf(handle_.get(), &size);
    return {static_cast<const uint8_t*>(bytes), size};
  }
  /// The assembly if it was asked for, else empty.
  std::string assembly() const {
    const char* text = spalt_compilation_assembly(handle_.get());
    return text != nullptr ? text : "";
  }
  /// Why the compilation failed; the result's name when there is no diagnostic.
  std::string message() const {
    spalt_diagnostic diagnostic{};
    diagnostic.struct_size = sizeof(diagnostic);
    if (spalt_compilation_diagnostic(handle_.get(), 0, &diagnostic) != SPALT_SUCCESS)
      return spalt_result_string(result_);
    return diagnostic.message;
  }
  spalt_statistics statistics() const {
    spalt_statistics statistics{};
    statistics.struct_size = sizeof(statistics);
    spalt_compilation_statistics(handle_.get(), &statistics);
    return statistics;
  }
  spalt_user_data_layout layout() const {
    spalt_user_data_layout layout{};
    layout.struct_size = sizeof(layout);
    spalt_compilation_layout(handle_.get(), &layout);
    return layout;
  }

 private:
  struct Deleter {
    void operator()(spalt_compilation* handle) const { spalt_compilation_destroy(handle); }
  };
  spalt_result result_;
  std::unique_ptr<spalt_compilation, Deleter> handle_;
};

/// A compiler for one target. Safe to use from many threads at once.
class Compiler {
 public:
  explicit Compiler(const char* target) {
    spalt_compiler_create_info info{};
    info.struct_size = sizeof(info);
    info.target = target;
    spalt_compiler* handle = nullptr;
    result_ = spalt_compiler_create(&info, &handle);
    handle_.reset(handle);
  }

  bool ok() const { return handle_ != nullptr; }
  spalt_result result() const { return result_; }
  spalt_compiler* handle() const { return handle_.get(); }

  /// An info with its size set and everything else at its default.
  static spalt_compile_info info(const std::vector<uint32_t>& words) {
    spalt_compile_info info{};
    info.struct_size = sizeof(info);
    info.words = words.data();
    info.word_count = words.size();
    return info;
  }
  Compilation compile(const spalt_compile_info& info) const {
    spalt_compilation* handle = nullptr;
    const spalt_result result = spalt_compile(handle_.get(), &info, &handle);
    return Compilation(result, handle);
  }

 private:
  struct Deleter {
    void operator()(spalt_compiler* handle) const { spalt_compiler_destroy(handle); }
  };
  std::unique_ptr<spalt_compiler, Deleter> handle_;
  spalt_result result_ = SPALT_ERROR_INTERNAL;
};

}  // namespace spalt_api
#endif
