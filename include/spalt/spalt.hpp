// SPDX-License-Identifier: MIT
/// @file spalt.hpp
/// A thin C++17 layer over spalt.h: handles that destroy themselves, results that carry their message. Header only.
/// Objects own what spalt.h hands out; pointers into them live as long as they do. Nothing here throws but
/// std::bad_alloc from the strings.
#ifndef SPALT_SPALT_HPP
#define SPALT_SPALT_HPP

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "spalt/common.hpp"
#include "spalt/descriptor.h"
#include "spalt/spalt.h"

namespace spalt_api {

/// Values for specialization constants. Must outlive the compilation that uses them.
class Specialization {
 public:
  /// `value` is a number of 1, 2, 4 or 8 bytes; booleans are uint32_t.
  template <class T>
  void set(uint32_t constant_id, T value) {
    entries_.push_back({constant_id, static_cast<uint32_t>(data_.size()), sizeof(T)});
    data_.resize(data_.size() + sizeof(T));
    std::memcpy(data_.data() + data_.size() - sizeof(T), &value, sizeof(T));
  }
  /// For spalt_compile_info and spalt_reflect_info.
  template <class Info>
  void apply(Info& info) const {
    info.specialization_entries = entries_.data();
    info.specialization_entry_count = entries_.size();
    info.specialization_entry_size = sizeof(spalt_specialization_entry);
    info.specialization_data = data_.data();
    info.specialization_data_size = data_.size();
  }

 private:
  std::vector<spalt_specialization_entry> entries_;
  std::vector<unsigned char> data_;
};

/// The result of one compilation. Owns the ELF or the stage object, and the texts.
class Compilation {
 public:
  Compilation(spalt_result result, spalt_compilation* handle) : result_(result), handle_(handle) {}

  bool ok() const { return result_ == SPALT_SUCCESS; }
  spalt_result result() const { return result_; }
  const spalt_compilation* handle() const { return handle_.get(); }

  /// The ELF bytes; valid as long as this object. Empty unless Compiler::compile succeeded.
  std::pair<const uint8_t*, size_t> elf() const {
    size_t size = 0;
    const void* bytes = spalt_compilation_elf(handle_.get(), &size);
    return {static_cast<const uint8_t*>(bytes), size};
  }
  /// The stage object; valid as long as this object. Empty unless Compiler::compile_stage succeeded.
  spalt_stage_object stage_object() const {
    spalt_stage_object stage{};
    stage.data = spalt_compilation_stage_object(handle_.get(), &stage.size);
    return stage;
  }
  /// The assembly if it was asked for, else empty.
  std::string assembly() const {
    const char* text = spalt_compilation_assembly(handle_.get());
    return text != nullptr ? text : "";
  }
  /// All diagnostics, errors first. Strings live as long as this object.
  std::vector<spalt_diagnostic> diagnostics() const {
    std::vector<spalt_diagnostic> list(spalt_compilation_diagnostic_count(handle_.get()), sized<spalt_diagnostic>());
    for (size_t i = 0; i < list.size(); ++i) spalt_compilation_diagnostic(handle_.get(), i, &list[i]);
    return list;
  }
  /// Why the compilation failed; the result's name when there is no diagnostic.
  std::string message() const {
    spalt_diagnostic diagnostic = sized<spalt_diagnostic>();
    if (spalt_compilation_diagnostic(handle_.get(), 0, &diagnostic) != SPALT_SUCCESS)
      return spalt_result_string(result_);
    return diagnostic.message;
  }
  spalt_statistics statistics() const {
    spalt_statistics statistics = sized<spalt_statistics>();
    spalt_compilation_statistics(handle_.get(), &statistics);
    return statistics;
  }
  spalt_user_data_layout layout() const {
    spalt_user_data_layout layout = sized<spalt_user_data_layout>();
    spalt_compilation_layout(handle_.get(), &layout);
    return layout;
  }

 private:
  spalt_result result_;
  detail::Owned<spalt_compilation, spalt_compilation_destroy> handle_;
};

/// Linked stage objects. Owns the ELF.
class Pipeline {
 public:
  Pipeline(spalt_result result, spalt_pipeline* handle) : result_(result), handle_(handle) {}

  bool ok() const { return result_ == SPALT_SUCCESS; }
  spalt_result result() const { return result_; }
  /// Empty unless ok().
  std::pair<const uint8_t*, size_t> elf() const {
    size_t size = 0;
    const void* bytes = spalt_pipeline_elf(handle_.get(), &size);
    return {static_cast<const uint8_t*>(bytes), size};
  }
  std::string message() const {
    const char* text = spalt_pipeline_message(handle_.get());
    return text != nullptr ? text : spalt_result_string(result_);
  }

 private:
  spalt_result result_;
  detail::Owned<spalt_pipeline, spalt_pipeline_destroy> handle_;
};

/// What a module says of itself. Owns the arrays of info().
class Reflection {
 public:
  explicit Reflection(const spalt_reflect_info& info) {
    spalt_reflection* handle = nullptr;
    result_ = spalt_reflect(&info, &handle);
    handle_.reset(handle);
  }
  explicit Reflection(const std::vector<uint32_t>& words) : Reflection(info_for(words)) {}

  /// An info with its size set and everything else at its default.
  static spalt_reflect_info info_for(const std::vector<uint32_t>& words) {
    spalt_reflect_info info = sized<spalt_reflect_info>();
    info.words = words.data();
    info.word_count = words.size();
    return info;
  }

  bool ok() const { return result_ == SPALT_SUCCESS; }
  spalt_result result() const { return result_; }
  /// Zeros unless ok().
  spalt_reflection_info info() const {
    spalt_reflection_info info = sized<spalt_reflection_info>();
    spalt_reflection_get(handle_.get(), &info);
    return info;
  }
  std::string message() const {
    spalt_diagnostic diagnostic = sized<spalt_diagnostic>();
    if (spalt_reflection_diagnostic(handle_.get(), &diagnostic) != SPALT_SUCCESS) return spalt_result_string(result_);
    return diagnostic.message;
  }

 private:
  spalt_result result_ = SPALT_ERROR_INTERNAL;
  detail::Owned<spalt_reflection, spalt_reflection_destroy> handle_;
};

/// A compiler for one target. Safe to use from many threads at once.
class Compiler {
 public:
  explicit Compiler(const char* target) {
    spalt_compiler_create_info info = sized<spalt_compiler_create_info>();
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
    spalt_compile_info info = sized<spalt_compile_info>();
    info.words = words.data();
    info.word_count = words.size();
    return info;
  }
  Compilation compile(const spalt_compile_info& info) const {
    spalt_compilation* handle = nullptr;
    const spalt_result result = spalt_compile(handle_.get(), &info, &handle);
    return Compilation(result, handle);
  }
  Compilation compile_stage(const spalt_compile_info& info) const {
    spalt_compilation* handle = nullptr;
    const spalt_result result = spalt_compile_stage(handle_.get(), &info, &handle);
    return Compilation(result, handle);
  }
  /// An info for the piece of a body, with everything else at its default.
  static spalt_piece_info piece_info(const spalt_stage_object& body) {
    spalt_piece_info info = sized<spalt_piece_info>();
    info.body = body;
    return info;
  }
  Compilation compile_piece(const spalt_piece_info& info) const {
    spalt_compilation* handle = nullptr;
    const spalt_result result = spalt_compile_piece(handle_.get(), &info, &handle);
    return Compilation(result, handle);
  }
  /// The four dwords of a raw buffer's descriptor; null, which is all zero, when address or size do not fit.
  std::array<uint32_t, 4> buffer_descriptor(uint64_t address, uint64_t size) const {
    spalt_buffer_descriptor_info info = sized<spalt_buffer_descriptor_info>();
    info.address = address;
    info.size = size;
    std::array<uint32_t, 4> words{};
    spalt_write_buffer_descriptor(handle_.get(), &info, words.data());
    return words;
  }
  /// `pal_abi_major` and `pal_abi_minor` as in spalt_compile_info.
  Pipeline link(const std::vector<spalt_stage_object>& stages, uint32_t pal_abi_major = 0,
                uint32_t pal_abi_minor = 0) const {
    spalt_link_info info = sized<spalt_link_info>();
    info.stages = stages.data();
    info.stage_count = stages.size();
    info.stage_size = sizeof(spalt_stage_object);
    info.pal_abi_major = pal_abi_major;
    info.pal_abi_minor = pal_abi_minor;
    spalt_pipeline* handle = nullptr;
    const spalt_result result = spalt_link(handle_.get(), &info, &handle);
    return Pipeline(result, handle);
  }

 private:
  detail::Owned<spalt_compiler, spalt_compiler_destroy> handle_;
  spalt_result result_ = SPALT_ERROR_INTERNAL;
};

}  // namespace spalt_api
#endif
