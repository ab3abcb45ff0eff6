// SPDX-License-Identifier: MIT
#include "ir/verifier.h"

#include <algorithm>

#include "ir/printer.h"
#include "ir/verifier_context.h"
#include "ir/vertex_work.h"

namespace spalt::ir {
namespace {

/// The line of `text` that holds `range`, with the range underlined, indented by two.
std::string excerpt(const std::string& text, TextRange range) {
  const size_t before = text.rfind('\n', range.begin);
  size_t begin = before == std::string::npos ? 0 : before + 1;
  size_t end = text.find('\n', range.begin);
  if (end == std::string::npos) end = text.size();
  const uint32_t line_number = static_cast<uint32_t>(std::count(text.begin(), text.begin() + begin, '\n')) + 1;
  while (begin < range.begin && text[begin] == ' ') ++begin;
  const std::string number = std::to_string(line_number);
  std::string out = "\n  " + number + " | " + text.substr(begin, end - begin) + "\n  ";
  out += std::string(number.size() + 3 + (range.begin - begin), ' ');
  out += std::string(std::min<size_t>(range.end, end) - range.begin, '^');
  return out;
}

/// The range of the place, or of what is nearest to it and printed.
TextRange find_range(const Function& function, const TextMap& map, const Place& place) {
  if (place.value.valid() && map.insts.contains(place.value)) {
    if (place.operand != Place::kWhole) {
      const size_t slot = function.inst(place.value).operand_begin + static_cast<size_t>(place.operand);
      if (slot < map.operands.size() && map.operands[slot].valid()) return map.operands[slot];
    }
    if (map.insts[place.value].valid()) return map.insts[place.value];
  }
  if (place.block.valid() && map.blocks.contains(place.block)) return map.blocks[place.block];
  return {};
}

Error describe(const VerifyContext& context) {
  const Function& function = context.function;
  Error error;
  error.status = Status::internal_error;
  error.message = "in @" + function.name + ": " + context.message;
  if (!context.printable) return error;
  TextMap map;
  const std::string text = print(function, &map);
  const TextRange range = find_range(function, map, context.place);
  if (range.valid()) error.message += excerpt(text, range);
  if (context.place.value.valid() && context.place.operand != Place::kWhole) {
    const Value operand = function.operand(context.place.value, static_cast<unsigned>(context.place.operand));
    if (map.insts.contains(operand) && map.insts[operand].valid()) {
      error.message += "\nnote: defined here" + excerpt(text, map.insts[operand]);
    }
  }
  return error;
}

Result<void> verify_function(const Module& module, const Function& function, ShaderStage shader) {
  VerifyContext context(module, function, shader);
  const bool valid = verify_structure(context) && verify_cfg(context) && verify_types(context) &&
                     verify_stage(context) && verify_memory(context) && verify_images(context) &&
                     verify_interface(context) && verify_ssa(context);
  return valid ? Result<void>() : describe(context);
}

}  // namespace

Result<void> verify(const Module& module) {
  if (Result<void> r = verify_module_fields(module); !r) return r;
  for (const Function& function : module.functions) {
    if (Result<void> r = verify_function(module, function, module.shader_stage()); !r) return r;
  }
  const Function& work = module.vertex_work;
  if (work.layout().empty()) return {};
  if (Result<void> r = verify_function(module, work, ShaderStage::vertex); !r) return r;
  Result<void> r = check_vertex_work(work);
  if (!r) r.error().status = Status::internal_error;
  return r;
}

}  // namespace spalt::ir
