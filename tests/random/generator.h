// SPDX-License-Identifier: MIT
//
// The generator. Internal to program.h.
//
// It writes structured control flow downwards: values that dominate the place being written are in a pool, constructs
// add to it and cut it back when they end. Blocks that several branches lead to are a Join, which collects the edges
// with the values of its phis before the block is written.
//
// Nothing that a program does is undefined or depends on the order of invocations, and every loop has a small bound.
//
// Compute programs are made in generator.cpp. The stages of a draw (draw_stages.cpp) are the same but for what is read
// and written; in a fragment shader the "workgroup" that uniform values and places are about is the quad.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "program.h"
#include "rng.h"
#include "spirv_builder.h"

namespace spalt::random_programs {

enum class Base : uint8_t { Bool, Int, Uint };

struct Type {
  Base base = Base::Int;
  uint8_t size = 1;
  friend bool operator==(const Type&, const Type&) = default;
};
constexpr Type kBool{Base::Bool, 1}, kInt{Base::Int, 1}, kUint{Base::Uint, 1};

struct Value {
  Id id = 0;
  Type type;
  bool uniform = false;  ///< the same for all invocations of a workgroup
};

/// An integer of another width, or a float that is a whole number, small enough for sums of a subgroup to be exact.
struct Number {
  Id id = 0;
  uint32_t bits = 32;
  bool uniform = false;
  bool is_float = false;
  uint8_t size = 1;  ///< of a vector
};

struct WideField;
struct GroupOp;

/// A pointer to numbers of another width.
struct WidePlace {
  Id pointer = 0;
  uint32_t bits = 64;
  bool is_float = false;
  uint8_t size = 1;      ///< of the vector that is there
  bool uniform = false;  ///< what is there
  uint32_t align = 0;    ///< that an access must state; 0: none
};

/// Numbers of another width that only one invocation sees.
struct WideVariable {
  Id id = 0;
  spv::StorageClass storage = spv::StorageClassFunction;
  uint32_t bits = 64;
  bool is_float = false;
  uint32_t length = 0;  ///< 0: no array
};

/// Memory that only one invocation sees: a variable of a function, a private one or the target of a pointer parameter.
struct Variable {
  Id id = 0;
  spv::StorageClass storage = spv::StorageClassFunction;
  Type element;
  uint32_t lengths[2] = {0, 0};  ///< of arrays around the element, the outer one first; 0 where there is none
};

struct Callee {
  Id id = 0;
  std::optional<Type> result;
  std::vector<Type> values;
  std::vector<Variable> pointers;                ///< what they must point to
  std::vector<WideVariable> wide_pointers;       ///< the same
  std::vector<spv::StorageClass> word_pointers;  ///< to words of the invocation that calls
  uint32_t record_pointers = 0;                  ///< to records of that invocation, in physical storage
  uint32_t cost = 0;
};

/// Kinds of statements. Each program draws its own weights.
enum class Statement : uint8_t {
  Define,
  Assign,
  Trace,
  OwnSlot,
  Record,
  Atomic,
  Array,
  If,
  IfElse,
  Switch,
  Loop,
  Call,
  Exchange,  ///< of values in a workgroup; derivatives in a fragment shader
  kComputeCount,
  Demote = kComputeCount,
  kCount
};

enum class Stage : uint8_t { Compute, Vertex, Fragment };

/// A float that every implementation computes exactly: a multiple of 2^-low whose magnitude is below 2^high.
struct Exact {
  Id id = 0;
  int high = 0, low = 0;
  bool uniform = false;
};

/// An input of floats that are exact in that sense.
struct FloatInput {
  Id id = 0;
  uint8_t size = 1;      ///< components that may be read
  uint8_t declared = 1;  ///< components of the vector; 0: an array
  int high = 0, low = 0;
  bool uniform = false;          ///< over a quad
  bool is_affine = false;        ///< over a quad: differences of neighbours are all the same
  uint8_t first = 0;             ///< component that may be read
  bool rounds = false;           ///< an integer, but for the rounding of the interpolation
  bool open_in_helpers = false;  ///< Vulkan says nothing of its values there
  bool moves = false;            ///< read at other places than its own, by InterpolateAtOffset and InterpolateAtSample
};

struct Texture;

/// A sampled image with its sampler.
struct TextureInput {
  Id id = 0, image_type = 0, variable_type = 0;
  const Texture* texture = nullptr;
};

/// A built-in of integers or truth values.
struct Builtin {
  Id id = 0;
  Type type;
  bool uniform = false;
  bool is_array = false;       ///< of one element
  bool hides_helpers = false;  ///< what helpers have is open
};

struct DrawShape;
struct Target;

constexpr uint32_t kMasks = 5;

/// What all functions of a program share.
struct Shared {
  explicit Shared(uint64_t seed) : rng(seed) {}

  Rng rng;
  ModuleBuilder module;
  uint32_t weights[static_cast<size_t>(Statement::kCount)] = {};
  uint32_t local_size[3] = {1, 1, 1};
  uint32_t invocations = 1;  ///< of a workgroup
  std::array<uint32_t, 3> groups{1, 1, 1};

  Id input = 0, output = 0, atomics = 0, uniforms = 0, records = 0, push = 0;
  Id workgroup_array = 0, workgroup_sum = 0;
  Id global_id = 0, local_id = 0, local_index = 0, workgroup_id = 0, num_workgroups = 0;
  Id slot = 0;  ///< private: flat index of the invocation in the dispatch
  Id hash = 0;  ///< private: the trace so far
  std::vector<Variable> privates;
  std::vector<Callee> callees;

  Stage stage = Stage::Compute;
  Parts parts;
  Form form;
  Id wide_records = 0, wide_input = 0, wide_uniforms = 0;  ///< buffers with numbers of other widths
  Id cells = 0;                                            ///< and what all change by atomic operations
  std::vector<WideVariable> workgroup_cells;
  std::vector<WideVariable> workgroup_wide;  ///< one element per invocation
  std::vector<WideVariable> wide_privates;
  Id record_type = 0;
  Id pointer_words = 0;  ///< workgroup memory that variable pointers lead to
  Id addresses = 0, physical_type = 0, physical_record = 0;
  Id given = 0;       ///< workgroup memory that stands for what lanes give each other
  Id takes_part = 0;  ///< workgroup memory that says which lanes run where some of them do
  spv::StorageClass builtins_in = spv::StorageClassInput;
  Id real_local_id = 0;  ///< where the built-ins of `form` are not those of the driver
  Id subgroup_size = 0, subgroup_id = 0, subgroup_lane = 0;
  Id subgroup_masks[kMasks] = {};  ///< eq, ge, gt, le, lt
  const DrawShape* shape = nullptr;
  std::vector<Variable> flat_inputs;  ///< integers; the same in a quad
  std::vector<FloatInput> float_inputs;
  std::vector<Builtin> builtins;
  std::vector<TextureInput> textures;
  Id store_image = 0, store_image_type = 0;
  Id place = 0;   ///< what vertices have of their position; FragCoord
  Id number = 0;  ///< the number of the provoking vertex in the draw
  Id position = 0, point_size = 0, clip_distance = 0, layer = 0, viewport = 0, view_index = 0;
  std::vector<Id> outputs_at_end;  ///< what write_outputs() fills, in the order of the shape's lists

  Id type(Type t);
  Id scalar_type(uint32_t bits, bool is_float) {
    return is_float ? module.type_float(bits) : module.type_int(false, bits);
  }
  Id pointer(spv::StorageClass storage, Type t) { return module.type_pointer(storage, type(t)); }
  Id type(const Variable& variable);
  Id type(const WideVariable& variable);
  Id uint_constant(uint32_t value) { return module.constant(type(kUint), value); }
};

/// A block that several branches lead to.
struct Join {
  struct Edge {
    Id block;
    std::vector<Id> values;
  };
  Id label = 0;
  std::vector<Type> types;  ///< of its phis
  std::vector<Edge> edges;
};

/// Where a jump may go from the place being written.
struct Frame {
  enum class Kind : uint8_t { Switch, Loop, Closed };  ///< Closed: no jump leaves it
  Kind kind = Kind::Closed;
  bool uniform = false;  ///< all invocations of a workgroup are in it together, so only all together may leave
  Join* exit = nullptr;
  Join* next = nullptr;  ///< continue target
};

class FunctionGenerator {
 public:
  /// main
  explicit FunctionGenerator(Shared& shared);
  /// A function that later ones may call.
  FunctionGenerator(Shared& shared, const Callee& callee);

  void write_main();
  void write_one_lane();
  void write_vertex_main();
  void write_fragment_main();
  Id main_id() const { return f_.id(); }
  Callee write_callee();

 private:
  // ---- expressions: generator_expressions.cpp ----
  Value expression(Type type, unsigned depth, bool uniform);
  Value leaf(Type type, bool uniform);
  std::optional<Value> pooled(Type type, bool uniform);
  Value constant(Type type);
  uint32_t interesting_word();
  Value load_leaf(bool uniform);
  Value uniform_load(bool uniform);
  Value input_load();
  Value own_load();
  Value builtin_leaf(bool uniform);
  Value variable_leaf(Type type);
  Value cast(Value value, Type type);
  Value condition(unsigned depth, bool uniform);
  Value compare(unsigned depth, bool uniform);
  Value binary(Type type, unsigned depth, bool uniform);
  Value shift(Type type, unsigned depth, bool uniform);
  Value divide(Type type, unsigned depth, bool uniform);
  Value unary(Type type, unsigned depth, bool uniform);
  Value extended(Type type, unsigned depth, bool uniform);
  Value bit_field(Type type, unsigned depth, bool uniform);
  Value wide(Type type, unsigned depth, bool uniform);
  Value select(Type type, unsigned depth, bool uniform);
  Value vector(Type type, unsigned depth, bool uniform);
  Value shuffle(Type type, unsigned depth, bool uniform);
  Value insert(Type type, unsigned depth, bool uniform);
  Value component(Type type, unsigned depth, bool uniform);
  Value reduce(unsigned depth, bool uniform);
  Value splat(Type type, uint32_t word);
  /// value & mask, for scalars.
  Value masked(Value value, uint32_t mask);
  /// A value below `length`, of any integer type.
  Value index(uint32_t length, bool uniform);
  Value make(spv::Op op, Type type, std::initializer_list<Value> operands);
  Id access(Id base, spv::StorageClass storage, Type type, std::initializer_list<Id> indices);
  /// A pointer to one element of a variable, or to a component of it.
  std::pair<Id, Type> element(const Variable& variable);
  Type random_type(bool with_vectors);

  // ---- other widths: generator_widths.cpp ----
  Value other_width(Type type, unsigned depth, bool uniform);
  Value other_float(unsigned depth, bool uniform);
  Id number_type(uint32_t bits);
  Number number_constant(uint32_t bits, uint64_t value);
  Number number(uint32_t bits, unsigned depth, bool uniform);
  Number number_op(spv::Op op, const Number& a, const Number& b);
  Number number_step(const Number& a, const Number& b);
  Number sign_extended(const Value& word);
  Number shifted(const Number& a, const Number& b);
  Number quotient(const Number& a, const Number& b);
  Number chosen(const Number& a, const Number& b);
  Value to_word(const Number& number);
  /// A float that is a whole number.
  Number whole(uint32_t bits, unsigned depth, bool uniform);
  /// After a few operations.
  Number computed(uint32_t bits, unsigned depth, bool uniform);
  Value number_to_word(const Number& number);

  // ---- numbers of other widths in memory: generator_memory.cpp ----
  Id number_type(const Number& number);
  /// One of the fields of a struct that `before` leads to, or an element of it.
  WidePlace wide_place(Id base, spv::StorageClass storage, std::span<const Id> before,
                       std::span<const WideField> fields, uint32_t number, bool uniform, uint32_t first = 0);
  WidePlace record_place(uint32_t field);
  WidePlace variable_place(const WideVariable& variable);
  Number load(const WidePlace& place);
  void store(const WidePlace& place, unsigned depth);
  /// Nothing where no memory has such numbers.
  std::optional<Number> wide_load(uint32_t bits, bool is_float, bool uniform);
  void wide_statement();
  void wide_exchange();
  void add_wide_locals();
  void trace_wide_variables();
  // ---- atomic operations on them: generator_atomics.cpp ----
  Number atomic_operand(uint32_t bits, bool is_float);
  Id wide_atomic(spv::Op op, const WidePlace& place, uint32_t scope, std::initializer_list<Id> values);
  void cell_atomic();
  void own_atomic();
  WidePlace own_cell();
  void wide_total();
  void take(const Number& number);

  // ---- pointers: generator_pointers.cpp ----
  Id own_word(spv::StorageClass storage, Id word);
  Id pointer_leaf(spv::StorageClass storage, bool only_own);
  Id pointer(spv::StorageClass storage, bool only_own, unsigned depth);
  void pointer_walk();
  void pointer_statement();
  void clear_pointer_words();
  Id address_of_records();
  Id physical_records();
  Id physical_record(unsigned depth);
  WidePlace physical_place(uint32_t field);
  void pass_pointers(const Callee& callee, Words& operands);

  // ---- between lanes: generator_subgroups.cpp ----
  void find_lanes();
  void subgroup_statement();
  void group_operation();
  void group_arithmetic();
  void group_vote();
  void group_ballot();
  void group_move();
  void group_builtin();
  void group_partition();
  Number group_operand();
  Number group_scalar(uint32_t bits, bool is_float);
  Id operand_word(uint32_t mask, unsigned depth, bool uniform);
  Id operand_condition(unsigned depth, bool uniform);
  Id running_lanes();
  Id masked_word(uint32_t mask, unsigned depth, bool uniform);
  void take_group(Number number);
  template <typename Real, typename Twin>
  Number in_form(const Number& like, Real&& real, Twin&& twin);

  // ---- where some of the lanes run: generator_divergence.cpp ----
  struct Region;
  void add_region_words();
  void divergent_region();
  void divergent_block(Region& region, unsigned depth);
  void divergent_if(Region& region, unsigned depth);
  void divergent_loop(Region& region, unsigned depth);
  void divergent_jump(Region& region);
  void for_active(const std::function<void()>& body);
  Id evaluated(Id type, const std::function<Id()>& compute);
  template <typename Body>
  void uncounted(Body&& body);
  Id truth_op(spv::Op op, Id a, Id b);
  Id active_without(Id condition);

  // ---- the same over workgroup memory: subgroup_twin.cpp ----
  template <typename Step>
  Id per_component(const Number& value, Step&& step);
  Id in_64_bits(const Number& value);
  Id from_64_bits(Id id, const Number& like);
  Id given_place(Id invocation);
  void give(const Number& value);
  Id given(const Number& like, Id lane);
  template <typename Step>
  Id fold(Id from, Id to, Id type, Id start, Step&& step);
  Id twin_arithmetic(const Number& value, const GroupOp& op, uint32_t kind, uint32_t cluster, Id partition = 0);
  Id twin_partition(const Number& value);
  Id twin_vote(const Number& value, bool all, bool equal);
  Id twin_ballot(Id asked);
  Id twin_bit_count(Id ballot, uint32_t kind);
  Id twin_find(Id ballot, bool last);
  Id twin_bit(Id ballot, Id lane);
  Id twin_mask(uint32_t which, uint32_t part);
  Id twin_move(const Number& value, Id target);
  Id words_of_mask(Id mask);
  Id mask_of_words(Id four);
  Id lanes_below(bool with_own);
  Id word_op(spv::Op op, Id a, Id b);

  // ---- floats, and what graphics stages read: generator_exact.cpp ----
  Value stage_leaf(bool uniform);
  Value flat_leaf();
  Exact exact(unsigned depth, bool uniform);
  Exact exact_leaf(bool uniform);
  /// `one_component`: the same one in all invocations.
  Exact exact_input(const FloatInput& input, bool one_component);
  /// From an integer, of which so many low bits are taken.
  Exact to_exact(Value value, int bits, bool is_signed);
  Value to_int(Exact value);
  Exact scaled(Exact value, int exponent);
  Id float_constant(float value);
  Value compare_exact(bool uniform);
  Id moved_input(Id pointer, bool everywhere);
  void derivative();
  void demote();

  // ---- images: generator_images.cpp ----
  /// Four components of a texture, and whether they are the same in a quad.
  struct Texels {
    const TextureInput* input = nullptr;
    Id id = 0;
    bool uniform = false;
  };
  /// Whether texels() has a texture to choose.
  bool has_texels(bool uniform) const;
  Texels texels(bool uniform);
  /// Size or number of levels.
  Value image_query();
  /// What OpImageFetch and its like take.
  Id load_image(const TextureInput& input);
  Texels read_input(const TextureInput& input);
  Texels fetch(const TextureInput& input, bool uniform);
  /// With an explicit level, or a gather.
  Texels sample(const TextureInput& input, bool uniform);
  /// Of a fragment, at the level that the derivatives of its coordinates choose.
  Texels sample_implicit(const TextureInput& input);
  Id float_vector(const Words& parts);
  Id layer_coordinate(const TextureInput& input, bool& uniform);
  Id texel_type(const TextureInput& input);
  Exact texel_part(const Texels& texels, uint32_t component);
  /// One component as an integer.
  Value texel_value(const Texels& texels);
  void implicit_sample();
  Id store_texel();
  void image_store();
  Value image_load();

  // ---- graphics stages: draw_stages.cpp ----
  void write_outputs();
  /// Those that all vertices have the same value of, or the others.
  void write_vertex_outputs(bool constant);
  void write_fragment_outputs();
  void fill_output_variables();
  void write_position();
  void write_slot();
  void demote_other_pixels(Id pixel);
  Id exact_vector(uint8_t size, int bits, int exponent, bool is_signed, bool uniform);
  Id narrow_vector(const Target& target);
  /// So many low bits of integers.
  Value narrow(Type scalar, uint32_t bits, bool is_signed);
  void write_views(Id instance);
  bool may_kill() const;
  bool may_load_storage() const;

  // ---- statements: generator_statements.cpp ----
  void statement(unsigned depth, bool& reachable);
  void assign();
  void trace(Value value);
  void own_store();
  void record_store();
  void atomic();
  void array_statement();
  void call();
  void exchange();
  void workgroup_total();
  void barrier();
  void store_hash();

  // ---- control flow: generator_control.cpp ----
  /// Writes statements at the current place; false when control does not reach the end.
  bool block(unsigned depth, unsigned statements);
  bool if_statement(unsigned depth, bool with_else);
  bool switch_statement(unsigned depth);
  bool loop_statement(unsigned depth);
  bool single_block_loop();
  struct Loop;
  void loop_header(Loop& loop);
  void loop_continue(Loop& loop);
  /// A jump out of the block being written, if there is one to make.
  bool jump();
  bool may_return() const;
  void write_return();

  Join make_join(unsigned most_phis);
  void add_edge(Join& join);
  void branch_to(Join& join);
  /// Starts the block of the join; false (and the block is closed) when nothing leads to it.
  bool begin(Join& join, bool uniform);
  void cut_pool(size_t size) { pool_.resize(size); }

  void add_locals();
  uint32_t trip_limit() const;

  Shared& s_;
  Rng& rng_;
  ModuleBuilder& module_;
  Callee callee_;
  bool is_main_ = false;
  FunctionBuilder f_;

  std::vector<Value> pool_;
  std::vector<Variable> variables_;
  std::vector<Frame> frames_;
  bool uniform_ = false;          ///< all invocations of the workgroup are here together
  bool returns_allowed_ = true;   ///< main: not before the last barrier
  bool in_quads_ = false;         ///< fragments: derivatives may still follow
  bool shared_readable_ = false;  ///< the workgroup array has been written and a barrier lies between
  std::vector<WideVariable> wide_variables_;
  struct WordParameter {
    Id id;
    spv::StorageClass storage;
  };
  std::vector<WordParameter> word_parameters_;
  std::vector<Id> record_parameters_;
  Id lane_ = 0, lanes_ = 0;             ///< which one of its subgroup, and how many of them there are
  Id size_ = 0, first_ = 0;             ///< of subgroups, and the first invocation of the own one
  bool in_region_ = false;              ///< where perhaps some of the lanes run
  Id active_ = 0;                       ///< in a twin, whether the invocation does; 0: all do
  std::vector<Variable> region_words_;  ///< what the operations in regions gave
  int budget_ = 0;                      ///< statements left
  uint32_t product_ = 1;                ///< of the bounds of the loops around the place
  uint32_t cost_ = 0;                   ///< instructions executed at most, roughly
  size_t counted_ = 0;
};

// What compute programs and the stages of draws have in common: generator.cpp.
void declare_buffers(Shared& s);
/// Of graphics stages: generator_images.cpp.
void declare_images(Shared& s);
void declare_privates(Shared& s);
/// generator_memory.cpp
void declare_wide_memory(Shared& s);
WideVariable random_wide_variable(Shared& s);
void add_wide_push_members(Shared& s, std::vector<Id>& members, std::vector<uint32_t>& offsets);
/// generator_atomics.cpp
void declare_cells(Shared& s);
/// generator_pointers.cpp; after the one before
void declare_pointers(Shared& s);
/// The parameters of a function that are pointers to anything but 32-bit variables.
void draw_pointer_parameters(Shared& s, Callee& callee);
void add_pointer_types(Shared& s, const Callee& callee, std::vector<Id>& types);
void decorate_aliases(Shared& s);
/// generator_subgroups.cpp
void declare_subgroups(Shared& s);
void draw_weights(Shared& s);
void add_callees(Shared& s);

}  // namespace spalt::random_programs
