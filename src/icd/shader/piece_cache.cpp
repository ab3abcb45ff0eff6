// SPDX-License-Identifier: MIT
#include "icd/shader/piece_cache.h"

#include <new>

namespace spalt::icd {

CompiledShaderRef PieceCache::find_or_make(const Device& device, const CompiledShader& body,
                                           const spalt_graphics_state& state) {
  const spalt_api::Compiler& compiler = device.compiler();
  spalt_piece_info info = spalt_api::Compiler::piece_info({body.elf.data(), body.elf.size()});
  info.graphics = &state;
  spalt_key key{};
  const spalt_result result = spalt_piece_key(compiler.handle(), &info, &key);
  if (result == SPALT_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
  if (result != SPALT_SUCCESS) return nullptr;
  if (CompiledShaderRef known = pieces_.find(cache_key(key))) return known;
  const spalt_api::Compilation compilation = compiler.compile_piece(info);
  if (compilation.result() == SPALT_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
  if (!compilation.ok()) return nullptr;
  auto piece = std::make_shared<CompiledShader>();
  piece->statistics = compilation.statistics();
  const spalt_stage_object object = compilation.stage_object();
  const auto* bytes = static_cast<const std::byte*>(object.data);
  piece->elf.assign(bytes, bytes + object.size);
  pieces_.insert(cache_key(key), piece);
  return piece;
}

}  // namespace spalt::icd
