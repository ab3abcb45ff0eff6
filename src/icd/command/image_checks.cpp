// SPDX-License-Identifier: MIT
#include "icd/command/image_checks.h"

#include "icd/command/execution.h"

namespace spalt::icd {
namespace {

std::string quoted(const std::string& name) {
  return '"' + name + '"';
}

std::string describe(const MessageObject& image, const LayoutFinding& finding) {
  std::string text = image.name.empty() ? "an image" : "image " + quoted(image.name);
  if (finding.aspect == VK_IMAGE_ASPECT_DEPTH_BIT) text += ", depth";
  if (finding.aspect == VK_IMAGE_ASPECT_STENCIL_BIT) text += ", stencil";
  text += ", level " + std::to_string(finding.level) + ", layer " + std::to_string(finding.layer);
  if (finding.others > 0) text += " (and " + std::to_string(finding.others) + " more)";
  return text;
}

/// `where` is what accesses the image, `what` comes after the name of the subresource.
void report(Execution& execution, ImageLayouts& layouts, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
            const std::string& where, const LayoutFinding& finding, const std::string& what) {
  const MessageObject image = layouts.describe(execution.device());
  DebugMessage message;
  message.severity = severity;
  message.types = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  message.id = "spalt-image-layout";
  message.text = where + ": " + describe(image, finding) + " " + what;
  message.objects.push_back(image);
  execution.send(std::move(message));
}

std::string is_in(const LayoutFinding& finding, VkImageLayout wanted, const char* says) {
  return "is in " + layout_name(finding.layout) + ", but " + says + " " + layout_name(wanted);
}

constexpr auto kError = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
constexpr auto kWarning = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;

struct CheckTransfer {
  ImageLayouts* layouts;
  SubresourceBox box;
  DeclaredAccess declared;
  bool execute(Execution& execution) const {
    if (const auto finding = layouts->find_other_than(box, declared.layout)) {
      report(execution, *layouts, kError, declared.command, *finding,
             is_in(*finding, declared.layout, "the command says"));
    }
    if (declared.access == TransferAccess::write) {
      layouts->set_written(box, true);
    } else if (const auto unwritten = layouts->find_unwritten(box)) {
      report(execution, *layouts, kWarning, declared.command, *unwritten,
             "is read, but nothing has written it since the image was created or a transition from "
             "VK_IMAGE_LAYOUT_UNDEFINED discarded its contents");
    }
    return true;
  }
};

template <typename Part>
void record_part(CommandBuffer& commands, const Image& image, const Part& part, const DeclaredAccess& declared) {
  const std::shared_ptr<ImageLayouts>& layouts = image.layouts();
  if (layouts == nullptr) return;
  commands.keep(layouts);
  commands.append(CheckTransfer{layouts.get(), layouts->box(part), declared});
}

/// What a transition does where it executes. A transfer between queue families is in two command buffers, of which the
/// second one changes the layout; what comes from outside of this instance comes in any layout and with contents.
struct Transition {
  ImageLayouts* layouts;
  SubresourceBox box;
  VkImageLayout from, to;
  bool changes, from_outside;
  bool execute(Execution& execution) const {
    const bool discards = from == VK_IMAGE_LAYOUT_UNDEFINED;
    if (!from_outside && !discards) {
      if (const auto finding = layouts->find_other_than(box, from)) {
        report(execution, *layouts, kError, "barrier", *finding, is_in(*finding, from, "its old layout is"));
      }
    }
    if (!changes) return true;
    layouts->set_layout(box, to);
    if (discards || from_outside) layouts->set_written(box, from_outside);
    return true;
  }
};

struct SetWritten {
  ImageLayouts* layouts;
  SubresourceBox box;
  bool execute(Execution&) const {
    layouts->set_written(box, true);
    return true;
  }
};

bool is_outside(uint32_t family) {
  return family == VK_QUEUE_FAMILY_EXTERNAL || family == VK_QUEUE_FAMILY_FOREIGN_EXT;
}

/// VkImageMemoryBarrier and VkImageMemoryBarrier2 have the same members.
template <typename Barrier>
void record_transition(CommandBuffer& commands, const Barrier& barrier) {
  const std::shared_ptr<ImageLayouts>& layouts = from_handle<Image>(barrier.image).layouts();
  const bool is_transfer = barrier.srcQueueFamilyIndex != barrier.dstQueueFamilyIndex;
  if (layouts == nullptr || (!is_transfer && barrier.oldLayout == barrier.newLayout)) return;
  Transition transition{layouts.get(),
                        layouts->box(barrier.subresourceRange),
                        barrier.oldLayout,
                        barrier.newLayout,
                        true,
                        is_transfer && is_outside(barrier.srcQueueFamilyIndex)};
  transition.changes = !is_transfer || is_outside(barrier.dstQueueFamilyIndex) ||
                       barrier.dstQueueFamilyIndex == commands.pool().queue_family();
  commands.keep(layouts);
  commands.append(transition);
}

/// The images of one binding. Of an array nobody knows which elements the shader takes: they may be written.
struct CheckDescriptors {
  const DescribedImages* images;
  const SetBinding* binding;
  uint32_t set;
  const char* pipeline;
  bool execute(Execution& execution) const {
    if (!execution.condition()) return true;
    for (const DescribedImage& described : images->of_binding(*binding)) {
      ImageLayouts& layouts = *described.image.layouts;
      if (binding->count == 1) check(execution, described, layouts);
      if (described.storage) layouts.set_written(described.image.box, true);
    }
    return true;
  }

 private:
  void check(Execution& execution, const DescribedImage& described, ImageLayouts& layouts) const {
    const auto finding = layouts.find_other_than(described.image.box, described.layout);
    if (!finding) return;
    std::string where = "compute pipeline";
    if (*pipeline != 0) where += ' ' + quoted(pipeline);
    where += ", set " + std::to_string(set) + ", binding " + std::to_string(binding->binding);
    report(execution, layouts, kError, where, *finding, is_in(*finding, described.layout, "the descriptor says"));
  }
};

}  // namespace

void record_access(CommandBuffer& commands, const Image& image, const VkImageSubresourceLayers& layers,
                   const DeclaredAccess& declared) {
  record_part(commands, image, layers, declared);
}

void record_access(CommandBuffer& commands, const Image& image, const VkImageSubresourceRange& range,
                   const DeclaredAccess& declared) {
  record_part(commands, image, range, declared);
}

void record_transitions(CommandBuffer& commands, uint32_t count, const VkImageMemoryBarrier* barriers) {
  for (uint32_t i = 0; i < count; ++i) record_transition(commands, barriers[i]);
}

void record_transitions(CommandBuffer& commands, uint32_t count, const VkImageMemoryBarrier2* barriers) {
  for (uint32_t i = 0; i < count; ++i) record_transition(commands, barriers[i]);
}

void record_transition(CommandBuffer& commands, const Image& image, const VkImageSubresourceRange& range,
                       VkImageLayout from, VkImageLayout to) {
  const std::shared_ptr<ImageLayouts>& layouts = image.layouts();
  if (layouts == nullptr || from == to) return;
  commands.keep(layouts);
  commands.append(Transition{layouts.get(), layouts->box(range), from, to, true, false});
}

void record_written(CommandBuffer& commands, const Image& image, const VkImageSubresourceRange& range) {
  const std::shared_ptr<ImageLayouts>& layouts = image.layouts();
  if (layouts == nullptr) return;
  commands.keep(layouts);
  commands.append(SetWritten{layouts.get(), layouts->box(range)});
}

void record_described_accesses(CommandBuffer& commands) {
  const BoundPipeline& pipeline = *commands.bindings().pipeline();
  for (const UsedBinding& used : pipeline.program->used_bindings()) {
    const auto& sets = pipeline.layout->sets;
    if (used.set >= sets.size() || sets[used.set] == nullptr) continue;
    const SetBinding* binding = sets[used.set]->find(used.binding);
    const std::shared_ptr<DescribedImages> images = commands.bindings().described_images(used.set);
    if (binding == nullptr || images == nullptr) continue;
    commands.keep(images);
    commands.append(CheckDescriptors{images.get(), binding, used.set, pipeline.name});
  }
}

}  // namespace spalt::icd
