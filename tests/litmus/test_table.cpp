// SPDX-License-Identifier: MIT
// What is forbidden is so by the Vulkan memory model (Vulkan specification, appendix "Memory Model", and the SPIR-V
// specification, section 2.18), or by C11 where the Vulkan model has no such order: sequential consistency, which
// SPIR-V has for other environments and our compiler keeps as LLVM does.
#include "litmus_test.h"

namespace spalt::litmus {
namespace {

constexpr uint8_t kInGroup = 1, kDeviceInGroup = 2, kQueueFamily = 4, kDevice = 8;
constexpr uint8_t kWaves = kInGroup | kDeviceInGroup, kGroups = kQueueFamily | kDevice, kAll = kWaves | kGroups;

constexpr const char* kSynchronizes = "release and acquire synchronize, the store happens before the load";
constexpr const char* kUnknown =
    "the first thread does not see the second update, which then comes later and synchronizes with its own";
constexpr const char* kNoOrder = "relaxed atomics order nothing but themselves";
constexpr const char* kSeenAtLast =
    "synchronizes, and a store becomes visible to atomic loads at last (C11 5.1.2.4, 7.17.3)";
constexpr const char* kOwn = "the store is available and the load visible by themselves, the rest synchronizes";
constexpr const char* kCoherent = "GLSL 4.60, 4.10: coherent variables, between memory barriers";
constexpr const char* kNeighbours = "a store changes nothing but its own memory location (SPIR-V 2.18)";
constexpr const char* kCoherence = "coherence: scoped modification order";
constexpr const char* kC11 = "C11 7.17.3: one order of all sequentially consistent operations";

constexpr Test kTests[] = {
    // ---- message passing ----
    {"MP", "W x 1 plain; W y 1 rel | P x; R y acq r0; R x plain r1", "r0=1 r1=0", Verdict::forbidden, kAll,
     kSynchronizes},
    {"MP.relaxed", "W x 1 rlx; W y 1 rlx | P x; R y rlx r0; R x rlx r1", "r0=1 r1=0", Verdict::shown, kAll, kNoOrder},
    {"MP.fences", "W x 1 plain; F rel; W y 1 rlx | P x; R y rlx r0; F acq; R x plain r1", "r0=1 r1=0",
     Verdict::forbidden, kAll, kSynchronizes},
    {"MP.rmw", "W x 1 plain; A y 1 rel | P x; U y acq r0; R x plain r1", "r0=1 r1=0", Verdict::forbidden, kAll,
     kSynchronizes},
    {"MP.rmw_acq_rel", "W x 1 plain; A y 1 ar | P x; U y ar r0; R x plain r1", "r0=1 r1=0", Verdict::forbidden, kAll,
     kSynchronizes},
    {"MP.unknown", "W x 1 plain; A y 1 ar; U y rlx r0 | P x; A y 2 ar; R x plain r1", "r0=1 r1=0", Verdict::forbidden,
     kAll, kUnknown},
    {"MP.atomic_data", "A x 1 rlx; W y 1 rel | P x; R y acq r0; R x rlx r1", "r0=1 r1=0", Verdict::forbidden, kAll,
     kSynchronizes},
    {"MP.shared_data", "W s 1 plain; W y 1 rel | R y acq r0; R s plain r1", "r0=1 r1!1", Verdict::forbidden, kWaves,
     kSynchronizes},
    // What is touched first waits for descriptors, so that nothing waits for them, and the LDS with them, in between.
    {"MP.shared_data_relaxed", "P z; W s 1 rlx; W y 1 rlx | P z; R y rlx r0; R s rlx r1", "r0=1 r1!1", Verdict::shown,
     kWaves, kNoOrder},
    {"MP.shared_flag", "W x 1 plain; W s 1 rel | P x; R s acq r0; R x plain r1", "r0=1 r1=0", Verdict::forbidden,
     kWaves, kSynchronizes},
    {"MP.shared_flag_fences", "W x 1 plain; F rel; W s 1 rlx | P x; R s rlx r0; F acq; R x plain r1", "r0=1 r1=0",
     Verdict::forbidden, kWaves, kSynchronizes},
    {"MP.shared", "W s 1 plain; W t 1 rel | R t acq r0; R s plain r1", "r0=1 r1!1", Verdict::forbidden, kWaves,
     kSynchronizes},
    {"MP.barrier", "P y; W x 1 plain; B; R y plain r1 | P x; W y 1 plain; B; R x plain r0", "r0=0", Verdict::forbidden,
     kWaves, "a control barrier with acquire and release semantics"},
    {"MP.barrier_shared", "W s 1 plain; B | B; R s plain r0", "r0!1", Verdict::forbidden, kWaves,
     "a control barrier with acquire and release semantics"},
    {"MP.spin", "W x 1 plain; W y 1 rel | P x; P y; S y acq; R x plain r0", "r0=0", Verdict::forbidden, kAll,
     kSeenAtLast},
    {"MP.spin_fence", "W x 1 plain; W y 1 rel | P x; P y; S y rlx; F acq; R x plain r0", "r0=0", Verdict::forbidden,
     kAll, kSeenAtLast},
    {"MP.own", "W x 1 own; W y 1 rel | P x; R y acq r0; R x own r1", "r0=1 r1=0", Verdict::forbidden, kAll, kOwn},
    {"MP.own_fences", "W x 1 own; F rel; W y 1 rlx | P x; R y rlx r0; F acq; R x own r1", "r0=1 r1=0",
     Verdict::forbidden, kAll, kOwn},
    {"MP.own_barrier", "P y; W x 1 own; B; R y own r1 | P x; W y 1 own; B; R x own r0", "r0=0", Verdict::forbidden,
     kWaves, kOwn},
    {"MP.coherent", "W x 1 coh; F ar; W y 1 coh | P x; R y coh r0; F ar; R x coh r1", "r0=1 r1=0", Verdict::forbidden,
     kAll, kCoherent},
    {"MP.coherent_spin", "W x 1 coh; F ar; W y 1 coh | P x; P y; S y coh; F ar; R x coh r0", "r0=0", Verdict::forbidden,
     kAll, kCoherent},
    // A variable is accessed on both sides, where a compiler could take one access for the other.
    {"MP.loaded_again", "R z acq r2; W x 1 plain; W y 1 rel | R x plain r3; W z 1 rel; R y acq r0; R x plain r1",
     "r2=1 r0=1 r1=0", Verdict::forbidden, kAll, kSynchronizes},
    {"MP.stored_again", "W x 1 plain; W y 1 rel; R z acq r1; W x 2 plain | R y acq r0; R x plain r2; W z 1 rel",
     "r0=1 r1=1 r2!1", Verdict::forbidden, kAll, kSynchronizes},
    {"MP.barrier_again", "B; W x 1 plain; B | R x plain r1; B; B; R x plain r0", "r0=0", Verdict::forbidden, kWaves,
     "a control barrier with acquire and release semantics"},
    {"MP.barrier_again_shared", "W s 2 plain; B; B; R s plain r0 | B; W s 1 plain; B", "r0!1", Verdict::forbidden,
     kWaves, "a control barrier with acquire and release semantics"},
    {"ISA2", "W x 1 plain; W y 1 rel | R y acq r0; W z 1 rel | P x; R z acq r1; R x plain r2", "r0=1 r1=1 r2=0",
     Verdict::forbidden, kAll, "happens-before is transitive"},

    // ---- load buffering ----
    {"LB", "R x rlx r0; W y 1 rel | R y acq r1; W x 1 rlx", "r0=1 r1=1", Verdict::forbidden, kAll, kSynchronizes},
    {"LB.fences", "R x rlx r0; F ar; W y 1 rlx | R y rlx r1; F ar; W x 1 rlx", "r0=1 r1=1", Verdict::forbidden, kAll,
     kSynchronizes},
    {"LB.data", "R x plain r0; W y 1 rel | R y acq r1; W x 1 plain", "r0=1 r1=1", Verdict::forbidden, kAll,
     kSynchronizes},
    {"LB.data_fences", "R x plain r0; F ar; W y 1 rlx | R y rlx r1; F ar; W x 1 plain", "r0=1 r1=1", Verdict::forbidden,
     kAll, kSynchronizes},
    {"LB.coherent", "R x coh r0; F ar; W y 1 coh | R y coh r1; F ar; W x 1 coh", "r0=1 r1=1", Verdict::forbidden, kAll,
     kCoherent},
    {"LB.relaxed", "R x rlx r0; W y 1 rlx | R y rlx r1; W x 1 rlx", "r0=1 r1=1", Verdict::shown, kAll, kNoOrder},
    {"LB.rmw", "U x rlx r0; A y 1 rel | U y acq r1; A x 1 rlx", "r0=1 r1=1", Verdict::forbidden, kAll, kSynchronizes},
    {"LB.shared", "R s rlx r0; W y 1 rel | R y acq r1; W s 1 rlx", "r0=1 r1=1", Verdict::forbidden, kWaves,
     kSynchronizes},

    // ---- store buffering ----
    {"SB.relaxed", "W x 1 rlx; R y rlx r0 | W y 1 rlx; R x rlx r1", "r0=0 r1=0", Verdict::shown, kAll, kNoOrder},
    {"SB.acq_rel", "W x 1 rel; R y acq r0 | W y 1 rel; R x acq r1", "r0=0 r1=0", Verdict::shown, kAll,
     "release and acquire do not order a store before a later load"},
    {"SB.sc", "W x 1 sc; R y sc r0 | W y 1 sc; R x sc r1", "r0=0 r1=0", Verdict::forbidden, kAll, kC11},
    {"SB.sc_fences", "W x 1 rlx; F sc; R y rlx r0 | W y 1 rlx; F sc; R x rlx r1", "r0=0 r1=0", Verdict::forbidden, kAll,
     kC11},
    {"SB.sc_rmw", "A x 1 sc; U y sc r0 | A y 1 sc; U x sc r1", "r0=0 r1=0", Verdict::forbidden, kAll, kC11},
    {"SB.sc_shared", "W s 1 sc; R y sc r0 | W y 1 sc; R s sc r1", "r0=0 r1!1", Verdict::forbidden, kWaves, kC11},

    // ---- independent reads of independent writes ----
    {"IRIW.relaxed", "W x 1 rlx | W y 1 rlx | P y; R x rlx r0; R y rlx r1 | P x; R y rlx r2; R x rlx r3",
     "r0=1 r1=0 r2=1 r3=0", Verdict::shown, kAll, kNoOrder},
    {"IRIW.acq", "W x 1 rel | W y 1 rel | P y; R x acq r0; R y acq r1 | P x; R y acq r2; R x acq r3",
     "r0=1 r1=0 r2=1 r3=0", Verdict::allowed, kAll, "acquire loads are not one order"},
    {"IRIW.sc", "W x 1 sc | W y 1 sc | P y; R x sc r0; R y sc r1 | P x; R y sc r2; R x sc r3", "r0=1 r1=0 r2=1 r3=0",
     Verdict::forbidden, kAll, kC11},

    // ---- neighbours: bytes or halves of one word ----
    {"Neighbours", "P x; W x 1 plain | P x; W v 1 plain", "x=0", Verdict::forbidden, kAll, kNeighbours},
    {"Neighbours.behind", "P x; W x 1 plain | P x; W v 1 plain", "v=0", Verdict::forbidden, kAll, kNeighbours},
    {"Neighbours.MP",
     "W x 1 plain; W y 1 rel | W v 1 plain; W z 1 rel | P x; R y acq r0; R z acq r1; R x plain r2; R v plain r3",
     "r0=1 r1=1 r2=0", Verdict::forbidden, kAll, kSynchronizes},
    {"Neighbours.MP_behind",
     "W x 1 plain; W y 1 rel | W v 1 plain; W z 1 rel | P x; R y acq r0; R z acq r1; R x plain r2; R v plain r3",
     "r0=1 r1=1 r3=0", Verdict::forbidden, kAll, kSynchronizes},
    {"Neighbours.handed_on",
     "W x 1 plain; W y 1 rel | P x; R y acq r0; W v 1 plain; W z 1 rel | R z acq r1; R x plain r2", "r0=1 r1=1 r2=0",
     Verdict::forbidden, kAll, kNeighbours},
    {"Neighbours.shared", "W s 1 plain; B; R w plain r0 | W w 1 plain; B; R s plain r1", "r0!1", Verdict::forbidden,
     kWaves, kNeighbours},
    {"Neighbours.shared_behind", "W s 1 plain; B; R w plain r0 | W w 1 plain; B; R s plain r1", "r1!1",
     Verdict::forbidden, kWaves, kNeighbours},

    // ---- coherence ----
    {"CoRR", "W x 1 rlx | P x; R x rlx r0; R x rlx r1 | P x; P x; P x; P x; P x; P x", "r0=1 r1=0", Verdict::forbidden,
     kAll, kCoherence},
    {"CoWR", "W x 1 rlx; R x rlx r0", "r0=0", Verdict::forbidden, kAll, kCoherence},
    {"CoWW", "P x; W x 1 rlx; W x 2 rlx", "x=1", Verdict::forbidden, kAll, kCoherence},
    {"CoRW", "P x; R x rlx r0; W x 1 rlx", "r0=1", Verdict::forbidden, kAll, kCoherence},
    {"CoRMW", "A x 1 rlx; U x rlx r0; R x rlx r1", "r1=0", Verdict::forbidden, kAll, kCoherence},
};

}  // namespace

std::span<const Test> tests() {
  return kTests;
}

}  // namespace spalt::litmus
