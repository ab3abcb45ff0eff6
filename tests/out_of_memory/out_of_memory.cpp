// SPDX-License-Identifier: MIT
//
// out_of_memory: fails the heap allocations of a compilation one after another, and expects SPALT_ERROR_OUT_OF_MEMORY
// each time with nothing leaked.
//
// The global operator new of this program, which the library takes too, and the allocation callbacks count what they
// hand out; the allocation with the chosen number fails, and so do all after it, as on a machine without memory. A
// first compilation that is let through tells how many there are. saxpy is tried at every one; others at evenly spread
// ones. The same counters tell that a compiler which has worked before takes memory for results only.
#include <spalt/spalt.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "vkrun/shader_source.h"

namespace {

struct Heap {
  bool counting = false;
  uint64_t made = 0, limit = UINT64_MAX;
  int64_t live = 0;
};
Heap g_heap;

/// `live` counts blocks.
void* take(size_t size, size_t alignment) {
  if (g_heap.counting && g_heap.made++ >= g_heap.limit) return nullptr;
  void* memory = nullptr;
  if (posix_memalign(&memory, std::max<size_t>(alignment, sizeof(void*)), std::max<size_t>(size, 1)) != 0)
    return nullptr;
  ++g_heap.live;
  return memory;
}
void give_back(void* memory) {
  if (memory != nullptr) --g_heap.live;
  std::free(memory);
}

void* take_or_throw(size_t size, size_t alignment) {
  void* memory = take(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t size) {
  return take_or_throw(size, alignof(std::max_align_t));
}
void* operator new[](size_t size) {
  return take_or_throw(size, alignof(std::max_align_t));
}
void* operator new(size_t size, std::align_val_t alignment) {
  return take_or_throw(size, static_cast<size_t>(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment) {
  return take_or_throw(size, static_cast<size_t>(alignment));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return take(size, alignof(std::max_align_t));
}
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return take(size, alignof(std::max_align_t));
}
void operator delete(void* memory) noexcept {
  give_back(memory);
}
void operator delete[](void* memory) noexcept {
  give_back(memory);
}
void operator delete(void* memory, size_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, size_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, size_t, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  give_back(memory);
}

namespace {

void* callback_allocate(void*, size_t size, size_t alignment) {
  return take(size, alignment);
}
void callback_release(void*, void* memory) {
  give_back(memory);
}

constexpr spalt_allocation_callbacks kCallbacks{sizeof kCallbacks, nullptr, callback_allocate, callback_release};

spalt_result create(const char* target, spalt_compiler** compiler) {
  const spalt_compiler_create_info info{sizeof info, target, &kCallbacks};
  return spalt_compiler_create(&info, compiler);
}

spalt_compile_info info_for(const std::vector<uint32_t>& words) {
  spalt_compile_info info{};
  info.struct_size = sizeof info;
  info.words = words.data();
  info.word_count = words.size();
  info.entry_point = "main";  // the one that programs of several run
  return info;
}

/// Links the stage object of a compilation, and forgets the ELF.
spalt_result link(spalt_compiler* compiler, const spalt_compilation* compilation) {
  spalt_stage_object stage{};
  stage.data = spalt_compilation_stage_object(compilation, &stage.size);
  spalt_link_info link{};
  link.struct_size = sizeof link;
  link.stages = &stage;
  link.stage_count = 1;
  link.stage_size = sizeof stage;
  spalt_pipeline* pipeline = nullptr;
  const spalt_result result = spalt_link(compiler, &link, &pipeline);
  spalt_pipeline_destroy(pipeline);
  return result;
}

/// Everything that a driver does with a shader, from the compiler handle on.
spalt_result compile(const std::vector<uint32_t>& words, const char* target) {
  spalt_compiler* compiler = nullptr;
  spalt_result result = create(target, &compiler);
  if (result != SPALT_SUCCESS) return result;
  spalt_reflect_info reflect{};
  reflect.struct_size = sizeof reflect;
  reflect.words = words.data();
  reflect.word_count = words.size();
  reflect.allocation = &kCallbacks;
  spalt_reflection* reflection = nullptr;
  result = spalt_reflect(&reflect, &reflection);
  spalt_reflection_destroy(reflection);
  const spalt_compile_info info = info_for(words);
  spalt_compilation* compilation = nullptr;
  if (result == SPALT_SUCCESS) result = spalt_compile_stage(compiler, &info, &compilation);
  if (result == SPALT_SUCCESS) result = link(compiler, compilation);
  spalt_compilation_destroy(compilation);
  spalt_compiler_destroy(compiler);
  return result;
}

struct Outcome {
  spalt_result result;
  uint64_t made;
  int64_t leaked;
};

Outcome compile_with(const std::vector<uint32_t>& words, const char* target, uint64_t limit) {
  const int64_t before = g_heap.live;
  g_heap.made = 0;
  g_heap.limit = limit;
  g_heap.counting = true;
  const spalt_result result = compile(words, target);
  g_heap.counting = false;
  return {result, g_heap.made, g_heap.live - before};
}

/// True if every failure that was tried came back as it should.
bool try_shader(const std::string& path, const char* target, uint64_t most) {
  const std::vector<uint32_t> words = spalt::vkrun::load_shader(path, spalt::vkrun::Variant::Plain);
  const Outcome whole = compile_with(words, target, UINT64_MAX);
  if (whole.result != SPALT_SUCCESS || whole.leaked != 0) {
    std::printf("FAILED %s: %s, %lld blocks leaked\n", path.c_str(), spalt_result_string(whole.result),
                static_cast<long long>(whole.leaked));
    return false;
  }
  const uint64_t step = std::max<uint64_t>(1, whole.made / most);
  for (uint64_t limit = 0; limit < whole.made; limit += step) {
    const Outcome outcome = compile_with(words, target, limit);
    if (outcome.result == SPALT_ERROR_OUT_OF_MEMORY && outcome.leaked == 0) continue;
    std::printf("FAILED %s: allocation %llu of %llu: %s, %lld blocks leaked\n", path.c_str(),
                static_cast<unsigned long long>(limit), static_cast<unsigned long long>(whole.made),
                spalt_result_string(outcome.result), static_cast<long long>(outcome.leaked));
    return false;
  }
  std::printf("ok %s: %llu allocations, every %llu\n", path.c_str(), static_cast<unsigned long long>(whole.made),
              static_cast<unsigned long long>(step));
  return true;
}

/// Blocks that `work` takes, where it succeeds; otherwise more than anything may.
template <class Work>
uint64_t blocks_of(Work&& work) {
  g_heap.made = 0;
  g_heap.limit = UINT64_MAX;
  g_heap.counting = true;
  const spalt_result result = work();
  g_heap.counting = false;
  return result == SPALT_SUCCESS ? g_heap.made : UINT64_MAX;
}

/// A compiler that has its temporary memory already takes what the result owns and nothing else: a handle and an ELF
/// for a link, nothing for a key.
bool try_warm(const std::string& path, const char* target) {
  const std::vector<uint32_t> words = spalt::vkrun::load_shader(path, spalt::vkrun::Variant::Plain);
  const spalt_compile_info info = info_for(words);
  spalt_compiler* compiler = nullptr;
  spalt_compilation* compilation = nullptr;
  uint64_t for_key = UINT64_MAX, for_link = UINT64_MAX;
  if (create(target, &compiler) == SPALT_SUCCESS &&
      spalt_compile_stage(compiler, &info, &compilation) == SPALT_SUCCESS) {
    spalt_key key{};
    for_key = blocks_of([&] { return spalt_compile_key(compiler, &info, &key); });
    for_link = blocks_of([&] { return link(compiler, compilation); });
  }
  spalt_compilation_destroy(compilation);
  spalt_compiler_destroy(compiler);
  const bool fine = for_key == 0 && for_link == 2;
  std::printf("%s %s, warm: %lld blocks for a key, %lld for a link\n", fine ? "ok" : "FAILED", path.c_str(),
              static_cast<long long>(for_key), static_cast<long long>(for_link));
  return fine;
}

std::vector<std::string> programs() {
  std::vector<std::string> list;
  for (const auto& entry : std::filesystem::directory_iterator(SPALT_RUN_PROGRAMS)) {
    const std::string suffix = entry.path().extension().string();
    if (suffix == ".comp" || suffix == ".spvasm") list.push_back(entry.path().string());
  }
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

/// usage: out_of_memory [N/M [POINTS]]     every M-th run program from the N-th on, POINTS failures each (60)
int main(int argc, char** argv) {
  unsigned first = 1, of = 1;
  uint64_t points = 60;
  if (argc > 1 && (std::sscanf(argv[1], "%u/%u", &first, &of) != 2 || first == 0 || of == 0 || first > of)) return 1;
  if (argc > 2) points = std::max<uint64_t>(1, std::strtoull(argv[2], nullptr, 10));
  static const char* const kTargets[] = {"gfx1030", "gfx900", "gfx1100", "gfx1200"};
  unsigned passed = 0, failed = 0;
  const auto count = [&](bool fine) { ++(fine ? passed : failed); };
  for (const char* target : kTargets) count(try_shader(SPALT_EXAMPLES "/saxpy.comp", target, UINT64_MAX));
  for (const char* target : kTargets) count(try_warm(SPALT_EXAMPLES "/saxpy.comp", target));
  const std::vector<std::string> all = programs();
  for (size_t i = first - 1; i < all.size(); i += of) count(try_shader(all[i], kTargets[i / of % 4], points));
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
