// SPDX-License-Identifier: MIT
#include "device_runner.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "emu/debug/tracer.h"
#include "emu/device/hsa_dispatch.h"

namespace spalt::opencl {
namespace {

constexpr uint64_t kStepLimit = 20'000'000;

emu::HsaArgument argument_of(const Argument& argument, size_t index, Bytes& buffer) {
  emu::HsaArgument out;
  out.name = "argument " + std::to_string(index);
  if (argument.kind == Argument::Kind::value) {
    out.bytes.resize(size_of(argument.type));
    std::memcpy(out.bytes.data(), &argument.value, out.bytes.size());
  } else if (argument.kind == Argument::Kind::local) {
    out.kind = emu::HsaArgument::Kind::local;
    out.size = argument.count;
  } else {
    out.kind = emu::HsaArgument::Kind::buffer;
    out.data = buffer.data();
    out.size = buffer.size();
  }
  return out;
}

}  // namespace

object::HsaObject load_code_object(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  const Bytes bytes(text.begin(), text.end());
  Result<object::HsaObject> object = object::read_hsa_object(bytes);
  if (!object) throw std::runtime_error("code object: " + object.error().message);
  return *object;
}

ExecutedForms run_on_device(const object::HsaObject& object, const KernelSpec& kernel, std::vector<Bytes>& buffers,
                            const RunMode& mode) {
  emu::HsaDispatchInfo info;
  info.kernel = kernel.name;
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    info.arguments.push_back(argument_of(kernel.arguments[i], i, buffers[i]));
  }
  info.grid_items = kernel.global;
  info.group_size = kernel.local;
  info.step_limit = kStepLimit;
  emu::Tracer tracer([](const std::string& text) { std::fputs(text.c_str(), stdout); });
  if (mode.trace) info.observer = &tracer;
  info.hierarchy.enabled = mode.hierarchy_seed.has_value();
  info.hierarchy.seed = mode.hierarchy_seed.value_or(0);
  const Result<emu::DispatchOutcome> outcome = emu::run_hsa_dispatch(object, info);
  std::fflush(stdout);
  if (!outcome) throw std::runtime_error(outcome.error().message);
  if (!outcome->fault.empty()) throw std::runtime_error(outcome->fault);
  return outcome->executed;
}

}  // namespace spalt::opencl
