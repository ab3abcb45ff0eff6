// SPDX-License-Identifier: MIT
#include "estimate_report.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace spalt_tool {
namespace {

spalt_estimated_program program_of(const spalt_estimate* estimate, size_t program) {
  spalt_estimated_program value{};
  value.struct_size = sizeof value;
  spalt_estimate_get_program(estimate, program, &value);
  return value;
}

spalt_estimated_block block_of(const spalt_estimate* estimate, size_t program, size_t block) {
  spalt_estimated_block value{};
  value.struct_size = sizeof value;
  spalt_estimate_get_block(estimate, program, block, &value);
  return value;
}

spalt_estimated_instruction instruction_of(spalt_estimate* estimate, size_t program, size_t instruction) {
  spalt_estimated_instruction value{};
  value.struct_size = sizeof value;
  spalt_estimate_get_instruction(estimate, program, instruction, &value);
  return value;
}

/// "B3", or "-" for none.
std::string block_name(uint32_t block) {
  return block == UINT32_MAX ? "-" : "B" + std::to_string(block);
}

void print_summary(const std::string& file, const spalt_estimated_program& p) {
  std::printf("%s%s%s: %s, waves of %u lanes, %u vgprs, %u sgprs, %u bytes of LDS, %u waves per SIMD\n", file.c_str(),
              *p.name != 0 ? " " : "", p.name, p.target, p.wave_size, p.vgprs, p.sgprs, p.lds_bytes, p.waves);
  std::printf("latency       %10.0f cycles from start to end of a wave alone: %.0f issuing, stalled %.0f for results, ",
              p.latency, p.issuing, p.stalls[SPALT_STALL_RESULT]);
  std::printf("%.0f for units, %.0f for memory\n", p.stalls[SPALT_STALL_UNIT], p.stalls[SPALT_STALL_MEMORY]);
  const auto bound = static_cast<spalt_unit>(p.bound);
  std::printf(
      "throughput    %10.0f cycles from one end of a wave to the next on a full SIMD, by %s; %.0f for 64 invocations\n",
      p.throughput, bound == SPALT_UNIT_SEQUENCER ? "latency" : spalt_unit_name(bound), p.throughput_per_64);
  std::printf("instructions  %10.0f executed by a wave, %u in the code; %u of %u loops are counted\n", p.instructions,
              p.instruction_count, p.counted_loop_count, p.loop_count);
  std::printf("units        ");
  for (unsigned u = SPALT_UNIT_SCALAR; u < SPALT_UNIT_COUNT; ++u) {
    if (p.busy[u] != 0) std::printf(" %s %.0f,", spalt_unit_name(static_cast<spalt_unit>(u)), p.busy[u]);
  }
  std::printf(" cycles of a SIMD's share\n");
}

void print_block_row(size_t number, const spalt_estimated_block& b) {
  std::printf("%-6s %#8x %10.2f %5u %6u %8u %8u %8u %8u %8u   %s %s\n",
              block_name(static_cast<uint32_t>(number)).c_str(), b.address, b.times, b.loop_depth, b.instruction_count,
              b.cycles, b.issuing, b.stalls[SPALT_STALL_RESULT], b.stalls[SPALT_STALL_UNIT],
              b.stalls[SPALT_STALL_MEMORY], block_name(b.next_block).c_str(), block_name(b.target_block).c_str());
}

void print_listing(spalt_estimate* estimate, size_t program, size_t number, const spalt_estimated_block& block) {
  std::printf("\n%s: ; %.2f times\n", block_name(static_cast<uint32_t>(number)).c_str(), block.times);
  for (uint32_t i = 0; i < block.instruction_count; ++i) {
    const spalt_estimated_instruction inst = instruction_of(estimate, program, block.first_instruction + i);
    std::printf("%8u  %-70s", inst.cycle, inst.text);
    if (inst.stalled != 0)
      std::printf(" ; %u %s", inst.stalled, spalt_stall_name(static_cast<spalt_stall>(inst.stall)));
    std::printf("\n");
  }
}

nlohmann::ordered_json units_json(const auto& cycles) {
  auto json = nlohmann::ordered_json::object();
  for (unsigned u = SPALT_UNIT_SCALAR; u < SPALT_UNIT_COUNT; ++u)
    json[spalt_unit_name(static_cast<spalt_unit>(u))] = cycles[u];
  return json;
}

nlohmann::ordered_json stalls_json(const auto& cycles) {
  auto json = nlohmann::ordered_json::object();
  for (unsigned s = SPALT_STALL_RESULT; s < SPALT_STALL_COUNT; ++s)
    json[spalt_stall_name(static_cast<spalt_stall>(s))] = cycles[s];
  return json;
}

nlohmann::ordered_json number_or_null(uint32_t block) {
  return block == UINT32_MAX ? nlohmann::ordered_json() : nlohmann::ordered_json(block);
}

nlohmann::ordered_json block_json(spalt_estimate* estimate, size_t program, size_t number, bool listing) {
  const spalt_estimated_block b = block_of(estimate, program, number);
  nlohmann::ordered_json json = {{"address", b.address},
                                 {"times", b.times},
                                 {"loop_depth", b.loop_depth},
                                 {"instructions", b.instruction_count},
                                 {"cycles", b.cycles},
                                 {"issuing", b.issuing},
                                 {"stalls", stalls_json(b.stalls)},
                                 {"busy", units_json(b.busy)},
                                 {"next", number_or_null(b.next_block)},
                                 {"target", number_or_null(b.target_block)},
                                 {"times_taken", b.times_taken},
                                 {"branch_cycles", b.branch_cycles}};
  if (!listing) return json;
  auto instructions = nlohmann::ordered_json::array();
  for (uint32_t i = 0; i < b.instruction_count; ++i) {
    const spalt_estimated_instruction inst = instruction_of(estimate, program, b.first_instruction + i);
    instructions.push_back({{"address", inst.address},
                            {"text", inst.text},
                            {"cycle", inst.cycle},
                            {"stalled", inst.stalled},
                            {"stall", spalt_stall_name(static_cast<spalt_stall>(inst.stall))},
                            {"unit", spalt_unit_name(static_cast<spalt_unit>(inst.unit))},
                            {"live_vgprs", inst.live_vgprs},
                            {"live_sgprs", inst.live_sgprs}});
  }
  json["listing"] = std::move(instructions);
  return json;
}

}  // namespace

void print_program(const std::string& file, spalt_estimate* estimate, size_t program, bool listing) {
  const spalt_estimated_program p = program_of(estimate, program);
  print_summary(file, p);
  std::printf("%-6s %8s %10s %5s %6s %8s %8s %8s %8s %8s   %s\n", "block", "address", "times", "depth", "insts",
              "cycles", "issuing", "results", "units", "memory", "next, target");
  for (uint32_t b = 0; b < p.block_count; ++b) print_block_row(b, block_of(estimate, program, b));
  for (uint32_t b = 0; listing && b < p.block_count; ++b) {
    print_listing(estimate, program, b, block_of(estimate, program, b));
  }
}

nlohmann::ordered_json program_json(const std::string& file, spalt_estimate* estimate, size_t program, bool listing) {
  const spalt_estimated_program p = program_of(estimate, program);
  nlohmann::ordered_json json = {
      {"file", file},
      {"program", p.name},
      {"target", p.target},
      {"wave_size", p.wave_size},
      {"vgprs", p.vgprs},
      {"sgprs", p.sgprs},
      {"lds_bytes", p.lds_bytes},
      {"invocations", p.invocations},
      {"waves_per_simd", p.waves},
      {"instructions", p.instruction_count},
      {"loops", p.loop_count},
      {"counted_loops", p.counted_loop_count},
      {"executed", p.instructions},
      {"latency", p.latency},
      {"issuing", p.issuing},
      {"stalls", stalls_json(p.stalls)},
      {"throughput", p.throughput},
      {"throughput_per_64", p.throughput_per_64},
      {"bound", p.bound == SPALT_UNIT_SEQUENCER ? "latency" : spalt_unit_name(static_cast<spalt_unit>(p.bound))},
      {"busy", units_json(p.busy)}};
  auto blocks = nlohmann::ordered_json::array();
  for (uint32_t b = 0; b < p.block_count; ++b) blocks.push_back(block_json(estimate, program, b, listing));
  json["blocks"] = std::move(blocks);
  return json;
}

}  // namespace spalt_tool
