// SPDX-License-Identifier: MIT
// Which sections a file has, and who reads them. Shaders come before all else: other sections speak of their stages.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "replay/pipe/read_members.h"
#include "replay/vulkan_numbers.h"

namespace spalt_tool::replay::pipe {
namespace {

struct StageName {
  std::string_view name, long_name;  ///< before "Glsl", "Info", ...
  const char* what;
  PipelineKind kind;
  uint32_t stage;  ///< VkShaderStageFlagBits; 0: not supported
};
constexpr StageName kStages[] = {
    {"Vs", "VertexShader", "vertex", PipelineKind::graphics, vulkan::kVertex},
    {"Fs", "FragmentShader", "fragment", PipelineKind::graphics, vulkan::kFragment},
    {"Cs", "ComputeShader", "compute", PipelineKind::compute, vulkan::kCompute},
    {"Tcs", "TessControlShader", "tessellation control", PipelineKind::graphics, 0},
    {"Tes", "TessEvalShader", "tessellation evaluation", PipelineKind::graphics, 0},
    {"Gs", "GeometryShader", "geometry", PipelineKind::graphics, 0},
    {"Task", "TaskShader", "task", PipelineKind::graphics, 0},
    {"Mesh", "MeshShader", "mesh", PipelineKind::graphics, 0},
    {"rgen", "", "ray generation", PipelineKind::ray_tracing, 0},
    {"sect", "", "intersection", PipelineKind::ray_tracing, 0},
    {"ahit", "", "any-hit", PipelineKind::ray_tracing, 0},
    {"chit", "", "closest-hit", PipelineKind::ray_tracing, 0},
    {"miss", "", "miss", PipelineKind::ray_tracing, 0},
    {"call", "", "callable", PipelineKind::ray_tracing, 0},
};

using Form = ShaderSource::Form;
struct FormName {
  std::string_view suffix;
  std::optional<Form> form;  ///< none: not supported
};
constexpr FormName kForms[] = {{"Glsl", Form::glsl},          {"Spirv", Form::assembly},
                               {"GlslFile", Form::glsl_file}, {"SpvasmFile", Form::assembly_file},
                               {"SpvFile", Form::words_file}, {"Hlsl", std::nullopt},
                               {"HlslFile", std::nullopt}};

/// Sections that describe nothing that code depends on.
constexpr std::string_view kIgnored[] = {"Version", "CompileLog", "FsOutput", "RtState", "RayTracingLibrarySummary"};

/// The stage of a section's name, and the rest of it.
std::pair<const StageName*, std::string_view> find_stage(std::string_view section) {
  for (const StageName& stage : kStages) {
    if (!stage.long_name.empty() && section.starts_with(stage.long_name)) {
      return {&stage, section.substr(stage.long_name.size())};
    }
  }
  for (const StageName& stage : kStages) {
    if (section.starts_with(stage.name)) return {&stage, section.substr(stage.name.size())};
  }
  return {nullptr, {}};
}

const FormName* find_form(std::string_view suffix) {
  const auto* const at =
      std::find_if(std::begin(kForms), std::end(kForms), [&](const FormName& form) { return form.suffix == suffix; });
  return at == std::end(kForms) ? nullptr : at;
}

/// "fileName = x.vert".
bool read_file_name(const Section& section, ShaderSource& source, Problem& problem) {
  std::vector<Assignment> assignments;
  if (!read_assignments(section, assignments, problem)) return false;
  for (const Assignment& assignment : assignments) {
    if (assignment.name() != "fileName") continue;
    source.text = assignment.value;
    source.line = assignment.line;
    return true;
  }
  return fail_at(problem, section.line, "the section has no fileName");
}

class PipeReader {
 public:
  PipeReader(PipeState& state, Problem& problem) : state_(state), problem_(problem) {}

  bool read(std::string_view text) {
    const std::vector<Section> sections = split_sections(text);
    for (const Section& section : sections) {
      if (!read_shader(section)) return false;
    }
    sort_stages();
    for (const Section& section : sections) {
      if (!read_members(section)) return false;
    }
    return !state_.sources.empty() ||
           fail(problem_, Cause::unsupported, "there is no shader: parts without one are not supported");
  }

 private:
  bool read_shader(const Section& section);
  bool read_members(const Section& section);
  void sort_stages();

  PipeState& state_;
  Problem& problem_;
};

bool PipeReader::read_shader(const Section& section) {
  const auto [stage, suffix] = find_stage(section.name);
  const FormName* form = find_form(suffix);
  if (stage == nullptr || form == nullptr) return true;
  if (stage->stage == 0) {
    return fail(problem_, Cause::unsupported, std::string(stage->what) + " shaders are not supported");
  }
  if (!form->form) return fail(problem_, Cause::unsupported, "shaders in HLSL are not supported");
  if (stage->kind != state_.kind) {
    return fail_at(problem_, section.line, std::string("a ") + stage->what + " shader beside those of another kind");
  }
  for (const ShaderSource& other : state_.sources) {
    if (other.stage == stage->stage)
      return fail_at(problem_, section.line, std::string("a second ") + stage->what + " shader");
  }
  ShaderSource& source = state_.sources.emplace_back();
  source = {stage->stage, *form->form, section.line + 1, section.body};
  StageState& added = state_.pipeline.stages.emplace_back();
  added.stage = stage->stage;
  added.entry_point = "main";
  const bool in_file = source.form != Form::glsl && source.form != Form::assembly;
  return !in_file || read_file_name(section, source, problem_);
}

void PipeReader::sort_stages() {
  const auto before = [](const auto& a, const auto& b) { return a.stage < b.stage; };
  std::sort(state_.sources.begin(), state_.sources.end(), before);
  std::sort(state_.pipeline.stages.begin(), state_.pipeline.stages.end(), before);
}

bool PipeReader::read_members(const Section& section) {
  const auto [stage, suffix] = find_stage(section.name);
  if (stage != nullptr && find_form(suffix) != nullptr) return true;
  if (stage != nullptr && suffix == "Info") {
    for (StageState& added : state_.pipeline.stages) {
      if (added.stage == stage->stage) return read_shader_info(section, added, state_, problem_);
    }
    return true;
  }
  const bool graphics = state_.kind == PipelineKind::graphics;
  if (section.name == "ResourceMapping") return read_resource_mapping(section, state_, problem_);
  if (section.name == "GraphicsPipelineState" && graphics) return read_graphics_state(section, state_, problem_);
  if (section.name == "VertexInputState" && graphics) return read_vertex_input_state(section, state_, problem_);
  if (section.name == "ComputePipelineState" && !graphics) return read_compute_state(section, state_, problem_);
  if (section.name == "GraphicsLibrary") {
    return fail(problem_, Cause::unsupported, "pipelines that are linked from libraries are not supported");
  }
  if (section.name == "ApiXfbOutInfo") {
    return fail(problem_, Cause::unsupported, "transform feedback is not supported");
  }
  if (std::find(std::begin(kIgnored), std::end(kIgnored), section.name) != std::end(kIgnored)) return true;
  return fail_at(
      problem_, section.line,
      "a " + std::string(kind_info(state_.kind).name) + " pipeline has no section [" + std::string(section.name) + "]");
}

}  // namespace

PipelineKind find_pipeline_kind(std::string_view text) {
  PipelineKind kind = PipelineKind::graphics;
  for (const Section& section : split_sections(text)) {
    const StageName* stage = find_stage(section.name).first;
    const bool ray_tracing =
        stage != nullptr ? stage->kind == PipelineKind::ray_tracing : section.name == "RayTracingPipelineState";
    if (ray_tracing) return PipelineKind::ray_tracing;
    if (section.name == "ComputePipelineState" || (stage != nullptr && stage->kind == PipelineKind::compute)) {
      kind = PipelineKind::compute;
    }
  }
  return kind;
}

bool read_pipe(std::string_view text, PipeState& state, Problem& problem) {
  state.kind = find_pipeline_kind(text);
  if (state.kind == PipelineKind::ray_tracing) {
    return fail(problem, Cause::unsupported, "ray tracing pipelines are not supported yet");
  }
  if (state.kind == PipelineKind::graphics) {
    GraphicsState& graphics = state.pipeline.graphics.emplace();
    graphics.fixed.struct_size = sizeof graphics.fixed;
    graphics.fixed.topology = vulkan::kTriangleList;
    graphics.fixed.samples = 1;
  }
  return PipeReader(state, problem).read(text);
}

}  // namespace spalt_tool::replay::pipe
