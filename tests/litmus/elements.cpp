// SPDX-License-Identifier: MIT
#include "elements.h"

#include <cstring>
#include <stdexcept>
#include <string_view>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/waitcnt.h"
#include "variables.h"

namespace spalt::litmus {
namespace {

using Op = isa::Opcode;

enum class Role : uint8_t {
  none,
  plain_load,  ///< may hit any cache
  load,
  store,
  atomic,
  returning_atomic,
  shared_load,
  shared_store,
  invalidation,
  barrier,
  edge  ///< of a thread: the branch before it, or what stores its results
};

constexpr const char* kRoleNames[] = {"",         "plain load", "load", "store",   "atomic", "returning atomic",
                                      "LDS load", "LDS store",  "inv",  "barrier", "edge"};

/// How the instruction says where: each has opcodes of its own.
enum class Form : uint8_t { buffer, global, image, texel };
constexpr const char* kFormNames[] = {"", "global ", "image ", "texel "};

struct What {
  Role role = Role::none;
  Form form = Form::buffer;

  std::string name() const {
    return std::string(kFormNames[static_cast<size_t>(form)]) + kRoleNames[static_cast<size_t>(role)];
  }
};

struct Placed {
  isa::Inst inst;
  uint32_t offset = 0;  ///< bytes
  What what;
};

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_one_of(Role role, std::initializer_list<Role> roles) {
  for (const Role one : roles) {
    if (role == one) return true;
  }
  return false;
}

Form form_of(std::string_view name) {
  if (name.starts_with("global_") && !has(name, "_inv") && !has(name, "wb")) return Form::global;
  if (name.starts_with("image_")) return Form::image;
  return name.starts_with("buffer_") && has(name, "_format_") ? Form::texel : Form::buffer;
}

bool shows_variables(Form form, const Variant& variant) {
  const auto has_form = [form](const Cells& cells) {
    if (form == Form::global) return cells.has_address();
    if (form == Form::image) return cells.memory == Memory::image;
    return cells.memory == (form == Form::texel ? Memory::texel_buffer : Memory::buffer);
  };
  return has_form(variant.data) || has_form(variant.flags);
}

/// Whether a load is of a word beside variables, or of the address of one. The words are the second ones of pairs in
/// images.
bool is_beside(const isa::Inst& inst, Form form, const Variant& variant) {
  if (!shows_variables(form, variant)) return true;
  if (form == Form::image) return inst.mods.dmask == 2;
  if (form == Form::texel) return has(isa::info(inst.opcode).name, "_xy");
  const auto offset = static_cast<uint32_t>(inst.mods.offset) % (kLineWords * 4);
  return offset >= kFirstTouchedWord * 4 - 4;
}

bool is_memory(std::string_view name) {
  return name.starts_with("buffer_") || name.starts_with("global_") || name.starts_with("image_") ||
         name.starts_with("flat_") || name.starts_with("scratch_");
}

Role role_of(const isa::Inst& inst, Form form, const Variant& variant) {
  const std::string_view name = isa::info(inst.opcode).name;
  if (name.starts_with("ds_")) return has(name, "write") || has(name, "store") ? Role::shared_store : Role::shared_load;
  if (has(name, "_atomic_")) return inst.dst[0].is_reg() ? Role::returning_atomic : Role::atomic;
  if (has(name, "_inv") || has(name, "wbinv")) return Role::invalidation;
  if (name.starts_with("s_barrier")) return Role::barrier;
  if (name.starts_with("s_endpgm")) return Role::edge;
  if (has(name, "_store") && !name.starts_with("s_")) {
    const bool result = form == Form::buffer && inst.mods.offset < static_cast<int32_t>(kLineWords * 4);
    return result ? Role::edge : Role::store;
  }
  const bool load = has(name, "_load") && !name.starts_with("s_");
  if (!load && is_memory(name)) throw std::runtime_error("no role of " + std::string(name) + " is known");
  if (!load) return Role::none;
  if (is_beside(inst, form, variant)) return Role::none;
  return inst.mods.glc || inst.mods.dlc || inst.mods.scope != 0 ? Role::load : Role::plain_load;
}

What what_is(const isa::Inst& inst, const Variant& variant) {
  const Form form = form_of(isa::info(inst.opcode).name);
  return {role_of(inst, form, variant), form};
}

bool is_access(Role role) {
  return role != Role::none && !is_one_of(role, {Role::invalidation, Role::barrier, Role::edge});
}

std::vector<Placed> decode_all(const object::StageObject& shader, const isa::Target& target, const Variant& variant) {
  std::vector<uint32_t> words(shader.code.size() / 4);
  std::memcpy(words.data(), shader.code.data(), words.size() * 4);
  std::vector<Placed> insts;
  for (size_t at = 0; at < words.size();) {
    const Result<isa::Inst> inst = isa::decode(std::span(words).subspan(at), target, shader.wave_size);
    if (!inst) throw std::runtime_error(inst.error().message);
    if (inst->opcode == Op::s_code_end) break;  // padding from here on
    insts.push_back({*inst, static_cast<uint32_t>(at * 4), what_is(*inst, variant)});
    at += inst->size_bytes / 4;
  }
  return insts;
}

/// A branch past accesses chooses a thread; others are those of loops.
void mark_threads(std::vector<Placed>& insts) {
  for (size_t i = 0; i < insts.size(); ++i) {
    const std::string_view name = isa::info(insts[i].inst.opcode).name;
    if (!(name.starts_with("s_cbranch") || name == "s_branch") || insts[i].inst.simm16 <= 0) continue;
    const uint32_t target = insts[i].offset + 4 + static_cast<uint32_t>(insts[i].inst.simm16) * 4;
    for (size_t k = i + 1; k < insts.size() && insts[k].offset < target; ++k) {
      if (is_access(insts[k].what.role)) insts[i].what.role = Role::edge;
    }
  }
}

class ElementFinder {
 public:
  ElementFinder(const object::StageObject& shader, const isa::Target& target, const Variant& variant)
      : shader_(shader), target_(target), insts_(decode_all(shader, target, variant)) {
    mark_threads(insts_);
  }

  std::vector<Element> find();

 private:
  void find_in(size_t at);
  void find_in_waitcnt(size_t at);
  void find_in_pair(size_t at, const char* vector_counter);
  void find_invalidation(size_t at);
  void find_cache_bits(size_t at);
  void add_wait(size_t at, const char* counter, const isa::Inst& without);
  void add(size_t at, const isa::Inst& without, std::string name);
  What before(size_t at, std::initializer_list<Role> roles) const;
  What behind(size_t at, std::initializer_list<Role> roles) const;
  bool counts(std::string_view counter, Role role) const;

  const object::StageObject& shader_;
  const isa::Target& target_;
  std::vector<Placed> insts_;
  std::vector<Element> found_;
};

isa::Inst no_operation() {
  isa::Inst nop;
  nop.opcode = Op::s_nop;
  nop.format = isa::Format::sopp;
  return nop;
}

bool ElementFinder::counts(std::string_view counter, Role role) const {
  if (counter == "lgkmcnt" || counter == "dscnt") return is_one_of(role, {Role::shared_load, Role::shared_store});
  const bool loads = is_one_of(role, {Role::plain_load, Role::load, Role::returning_atomic});
  const bool stores = is_one_of(role, {Role::store, Role::atomic});
  if (counter == "vmcnt" && !target_.has_vscnt) return loads || stores;
  return counter == "vmcnt" || counter == "loadcnt" ? loads : stores;
}

/// The next one in the thread that has one of these roles.
What ElementFinder::behind(size_t at, std::initializer_list<Role> roles) const {
  for (size_t i = at + 1; i < insts_.size() && insts_[i].what.role != Role::edge; ++i) {
    if (is_one_of(insts_[i].what.role, roles)) return insts_[i].what;
  }
  return {};
}

What ElementFinder::before(size_t at, std::initializer_list<Role> roles) const {
  for (size_t i = at; i-- > 0 && insts_[i].what.role != Role::edge;) {
    if (is_one_of(insts_[i].what.role, roles)) return insts_[i].what;
  }
  return {};
}

void ElementFinder::add(size_t at, const isa::Inst& without, std::string name) {
  isa::EncodedInst encoded, padding;
  if (const char* error = isa::try_encode(without, target_, encoded); error != nullptr) throw std::runtime_error(error);
  isa::try_encode(no_operation(), target_, padding);
  Element element{std::move(name), shader_.code};
  const unsigned words = insts_[at].inst.size_bytes / 4u;
  for (unsigned i = 0; i < words; ++i) {
    const uint32_t word = i < encoded.count ? encoded.words[i] : padding.words[0];
    std::memcpy(element.code.data() + insts_[at].offset + 4 * i, &word, 4);
  }
  found_.push_back(std::move(element));
}

void ElementFinder::add_wait(size_t at, const char* counter, const isa::Inst& without) {
  What first;
  for (size_t i = at; i-- > 0 && insts_[i].what.role != Role::edge && first.role == Role::none;) {
    if (counts(counter, insts_[i].what.role)) first = insts_[i].what;
  }
  const What second = behind(at, {Role::plain_load, Role::load, Role::store, Role::atomic, Role::returning_atomic,
                                  Role::shared_load, Role::shared_store, Role::invalidation, Role::barrier});
  if (first.role == Role::none || second.role == Role::none) return;
  add(at, without, std::string(counter) + " between " + first.name() + " and " + second.name());
}

void ElementFinder::find_in_waitcnt(size_t at) {
  const isa::Inst& inst = insts_[at].inst;
  const isa::WaitCounts counts = isa::decode_waitcnt(target_, static_cast<uint16_t>(inst.simm16));
  const auto with = [&](isa::WaitCounts rest) {
    isa::Inst changed = inst;
    changed.simm16 = static_cast<int16_t>(isa::encode_waitcnt(target_, rest));
    return changed;
  };
  if (counts.vm < target_.vmcnt_max) add_wait(at, "vmcnt", with({0xff, counts.exp, counts.lgkm}));
  if (counts.lgkm < target_.lgkmcnt_max) add_wait(at, "lgkmcnt", with({counts.vm, counts.exp, 0xff}));
}

void ElementFinder::find_in_pair(size_t at, const char* vector_counter) {
  constexpr int32_t kNoDs = 0x3f, kNoVector = 0x3f00;
  isa::Inst changed = insts_[at].inst;
  changed.simm16 |= kNoVector;
  add_wait(at, vector_counter, changed);
  changed.simm16 = insts_[at].inst.simm16 | kNoDs;
  add_wait(at, "dscnt", changed);
}

void ElementFinder::find_invalidation(size_t at) {
  const What first = before(at, {Role::plain_load, Role::load, Role::store, Role::atomic, Role::returning_atomic,
                                 Role::shared_load, Role::shared_store, Role::barrier});
  const What second = behind(at, {Role::plain_load});
  if (first.role == Role::none || second.role == Role::none) return;
  const std::string between = " between " + first.name() + " and " + second.name();
  const isa::Inst& inst = insts_[at].inst;
  const std::string name = isa::info(inst.opcode).name;
  add(at, no_operation(), name + between);
  if (inst.mods.scope == 0) return;
  isa::Inst changed = inst;
  changed.mods.scope = 0;
  add(at, changed, "scope of " + name + between);
}

/// Bits that say how far an access goes. What makes an atomic return its old value is none of them.
void ElementFinder::find_cache_bits(size_t at) {
  const Placed& access = insts_[at];
  if (!is_one_of(access.what.role, {Role::load, Role::store, Role::atomic, Role::returning_atomic})) return;
  const std::string of = " of " + access.what.name();
  isa::Inst changed = access.inst;
  if (access.inst.mods.glc && access.what.role != Role::returning_atomic) {
    changed.mods.glc = false;
    add(at, changed, "glc" + of);
  }
  changed = access.inst;
  if (access.inst.mods.dlc) {
    changed.mods.dlc = false;
    add(at, changed, "dlc" + of);
  }
  changed = access.inst;
  if (access.inst.mods.scope != 0) {
    changed.mods.scope = 0;
    add(at, changed, "scope" + of);
  }
}

void ElementFinder::find_in(size_t at) {
  const Op opcode = insts_[at].inst.opcode;
  const std::string name = isa::info(opcode).name;
  if (opcode == Op::s_waitcnt) return find_in_waitcnt(at);
  if (opcode == Op::s_wait_loadcnt_dscnt) return find_in_pair(at, "loadcnt");
  if (opcode == Op::s_wait_storecnt_dscnt) return find_in_pair(at, "storecnt");
  if (insts_[at].what.role == Role::invalidation) return find_invalidation(at);
  if (name == "s_waitcnt_vscnt") return add_wait(at, "vscnt", no_operation());
  for (const char* counter : {"loadcnt", "storecnt", "dscnt"}) {
    if (name == std::string("s_wait_") + counter) return add_wait(at, counter, no_operation());
  }
  find_cache_bits(at);
}

std::vector<Element> ElementFinder::find() {
  for (size_t at = 0; at < insts_.size(); ++at) find_in(at);
  return std::move(found_);
}

}  // namespace

std::vector<Element> elements_of(const object::StageObject& shader, const isa::Target& target, const Variant& variant) {
  return ElementFinder(shader, target, variant).find();
}

}  // namespace spalt::litmus
