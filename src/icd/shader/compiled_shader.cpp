// SPDX-License-Identifier: MIT
#include "icd/shader/compiled_shader.h"

#include <new>

#include "icd/object/result.h"

namespace spalt::icd {
namespace {

std::string describe(const spalt_diagnostic& diagnostic) {
  if (diagnostic.source_file == nullptr) return diagnostic.message;
  return std::string(diagnostic.source_file) + ":" + std::to_string(diagnostic.source_line) + ": " + diagnostic.message;
}

std::string errors_of(const spalt_api::Compilation& compilation) {
  std::string text;
  for (const spalt_diagnostic& diagnostic : compilation.diagnostics()) {
    if (diagnostic.severity != SPALT_SEVERITY_ERROR) continue;
    if (!text.empty()) text += "; ";
    text += describe(diagnostic);
  }
  return text.empty() ? spalt_result_string(compilation.result()) : text;
}

MessageObject describe_module(Device& device, VkShaderModule module) {
  MessageObject object{VK_OBJECT_TYPE_SHADER_MODULE, handle_value(module), {}};
  const std::lock_guard guard(device.names_mutex);
  object.name = from_handle<ShaderModule>(module).debug_name;
  return object;
}

void report(Device& device, const CompileRequest& request, const std::string& errors) {
  DebugMessage message;
  message.id = "spalt-compile";
  message.text = std::string("entry point \"") + request.entry_point() + "\" cannot be compiled for " +
                 device.physical().target().name + ": " + errors;
  VkShaderModule module = request.module_handle();
  if (module != VK_NULL_HANDLE) message.objects.push_back(describe_module(device, module));
  device.send(message);
}

/// `run(info)` compiles, `output(compilation)` is the address and the size of the bytes that are kept.
template <typename Run, typename Output>
CompiledShaderRef compile(Device& device, const CompileRequest& request, std::vector<Representation>* representations,
                          Run&& run, Output&& output) {
  spalt_compile_info info = request.info();
  RepresentationCapture capture;
  if (representations != nullptr) capture.attach(info);
  const spalt_api::Compilation compilation = run(info);
  if (compilation.result() == SPALT_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
  if (info.body_only != 0 && compilation.result() == SPALT_ERROR_UNSUPPORTED) return nullptr;
  if (!compilation.ok()) {
    report(device, request, errors_of(compilation));
    throw VulkanError{VK_ERROR_UNKNOWN};
  }
  if (representations != nullptr) *representations = capture.take();
  auto shader = std::make_shared<CompiledShader>();
  shader->statistics = compilation.statistics();
  const auto [bytes, size] = output(compilation);
  shader->elf.assign(bytes, bytes + size);
  return shader;
}

}  // namespace

CompiledShaderRef compile_shader(Device& device, const CompileRequest& request,
                                 std::vector<Representation>* representations) {
  return compile(
      device, request, representations, [&](const spalt_compile_info& info) { return device.compiler().compile(info); },
      [](const spalt_api::Compilation& compilation) {
        const auto [bytes, size] = compilation.elf();
        return std::pair(reinterpret_cast<const std::byte*>(bytes), size);
      });
}

CompiledShaderRef compile_stage(Device& device, const CompileRequest& request,
                                std::vector<Representation>* representations) {
  return compile(
      device, request, representations,
      [&](const spalt_compile_info& info) { return device.compiler().compile_stage(info); },
      [](const spalt_api::Compilation& compilation) {
        const spalt_stage_object stage = compilation.stage_object();
        return std::pair(static_cast<const std::byte*>(stage.data), stage.size);
      });
}

}  // namespace spalt::icd
