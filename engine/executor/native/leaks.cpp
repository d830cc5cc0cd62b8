#include "executor/native/leaks.h"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <span>
#include <vector>

#include "executor/native/faults.h"
#include "executor/native/heap.h"
#include "executor/native/snapshot.h"
#include "executor/native/stack_walk.h"
#include "executor/native/tls.h"
#include "host/messages.h"

namespace norn::native {

namespace {

// Where something came into being.
struct Origin {
    std::uint64_t key;  // block, lock or thread
    ThreadId thread;    // which did it
    std::uint32_t frames;
    std::uintptr_t stack[stack_depth];
};

std::vector<Origin> block_origins;
std::vector<Origin> freed_blocks;
std::vector<Origin> thread_origins;
std::vector<Origin> held_locks;

void remember(std::vector<Origin>& origins, std::uint64_t key) {
    Origin& origin = origins.emplace_back();
    origin.key = key;
    origin.thread = world().current->id;
    origin.frames = static_cast<std::uint32_t>(walk_own_stack(origin.stack, stack_depth));
}

bool same_place(const Origin& a, const Origin& b) {
    return a.frames == b.frames && std::equal(a.stack, a.stack + a.frames, b.stack);
}

Witnessed seen_at(const Origin& origin, const char* detail) {
    return {origin.thread, detail, {origin.stack, origin.frames}};
}

struct Candidate {
    Block block;
    const Origin* origin;  // none: the engine's own, or from before main; always in use
    bool reached;
    bool inside_lost;  // another lost block points to it
};

class Heap {
public:
    Heap() {
        static std::vector<Block> blocks;
        blocks.clear();
        collect_blocks(blocks);
        std::sort(blocks.begin(), blocks.end(),
                  [](const Block& a, const Block& b) { return a.start < b.start; });
        std::sort(block_origins.begin(), block_origins.end(),
                  [](const Origin& a, const Origin& b) { return a.key < b.key; });
        for (const Block& block : blocks)
            candidates_.push_back({block, origin_of(block.start), false, false});
    }

    // Everything that the words point to, and so on.
    void reach_from(std::span<const std::uintptr_t> words) {
        mark(words);
        while (!work_.empty()) {
            const Block block = work_.back();
            work_.pop_back();
            mark(words_of(block));
        }
    }

    void reach_from_unreported() {
        for (const Candidate& candidate : candidates_)
            if (candidate.origin == nullptr) reach_from(words_of(candidate.block));
    }

    // What is left. First those to which no other lost block points: they are the reason for the others.
    std::vector<const Candidate*> lost() {
        for (const Candidate& from : candidates_) {
            if (from.reached || from.origin == nullptr) continue;
            for (const std::uintptr_t word : words_of(from.block))
                if (Candidate* const to = find(word); to != nullptr && to != &from) to->inside_lost = true;
        }
        std::vector<const Candidate*> found;
        for (const bool inside : {false, true})
            for (const Candidate& candidate : candidates_)
                if (!candidate.reached && candidate.origin != nullptr && candidate.inside_lost == inside)
                    found.push_back(&candidate);
        return found;
    }

private:
    static const Origin* origin_of(std::uintptr_t block) {
        const auto place =
            std::lower_bound(block_origins.begin(), block_origins.end(), block,
                             [](const Origin& origin, std::uintptr_t key) { return origin.key < key; });
        return place != block_origins.end() && place->key == block ? &*place : nullptr;
    }

    static std::span<const std::uintptr_t> words_of(const Block& block) {
        return {reinterpret_cast<const std::uintptr_t*>(block.start), block.size / sizeof(std::uintptr_t)};
    }

    // The block that an address lies in.
    Candidate* find(std::uintptr_t address) {
        if (!in_arenas(address)) return nullptr;
        const auto next = std::upper_bound(
            candidates_.begin(), candidates_.end(), address,
            [](std::uintptr_t value, const Candidate& candidate) { return value < candidate.block.start; });
        if (next == candidates_.begin()) return nullptr;
        Candidate& candidate = *std::prev(next);
        const std::size_t size = std::max<std::size_t>(candidate.block.size, 1);
        return address < candidate.block.start + size ? &candidate : nullptr;
    }

    void mark(std::span<const std::uintptr_t> words) {
        for (const std::uintptr_t word : words) {
            Candidate* const candidate = find(word);
            if (candidate == nullptr || candidate->reached) continue;
            candidate->reached = true;
            work_.push_back(candidate->block);
        }
    }

    std::vector<Candidate> candidates_;
    std::vector<Block> work_;
};

std::span<const std::uintptr_t> words_between(std::uintptr_t start, std::uintptr_t end) {
    const std::uintptr_t first = (start + 7) & ~std::uintptr_t{7};
    if (end <= first) return {};
    return {reinterpret_cast<const std::uintptr_t*>(first), (end - first) / sizeof(std::uintptr_t)};
}

// Writable data of the libraries. (The program's own comes from the snapshot, without the engine's.)
int reach_from_library(dl_phdr_info* info, std::size_t, void* heap) {
    if (info->dlpi_addr == 0) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) & header = info->dlpi_phdr[i];
        if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) continue;
        const std::uintptr_t start = info->dlpi_addr + header.p_vaddr;
        static_cast<Heap*>(heap)->reach_from(words_between(start, start + header.p_memsz));
    }
    return 0;
}

void reach_from_threads(Heap& heap) {
    World& w = world();
    for (std::size_t i = 0; i < w.threads; ++i) {
        const Thread& thread = w.thread[i];
        if (thread.state == State::unused) continue;
        if (!has_ended(thread))
            heap.reach_from(
                words_between(reinterpret_cast<std::uintptr_t>(thread.stack_pointer), stack_top_of(i)));
        if (!has_ended(thread) || i == 0) {
            heap.reach_from(tls_words(thread.fs));
            heap.reach_from({reinterpret_cast<const std::uintptr_t*>(w.specific[i]), key_limit});
        }
        const std::uintptr_t passed[] = {
            !has_ended(thread) ? reinterpret_cast<std::uintptr_t>(thread.argument) : 0,
            !thread.joined && !thread.detached ? reinterpret_cast<std::uintptr_t>(thread.result) : 0};
        heap.reach_from(passed);
    }
}

bool find_lost_memory() {
    Heap heap;
    for (const Piece& piece : program_data()) {
        const auto start = reinterpret_cast<std::uintptr_t>(piece.start);
        heap.reach_from(words_between(start, start + piece.size));
    }
    dl_iterate_phdr(reach_from_library, &heap);
    std::size_t variables = 0;
    while (environ != nullptr && environ[variables] != nullptr) ++variables;
    heap.reach_from({reinterpret_cast<const std::uintptr_t*>(environ), variables});
    reach_from_threads(heap);
    heap.reach_from_unreported();

    const std::vector<const Candidate*> lost = heap.lost();
    if (lost.empty()) return false;
    std::size_t bytes = 0;
    std::vector<Witnessed> places;
    std::vector<const Origin*> told;
    for (const Candidate* candidate : lost) {
        bytes += candidate->block.size;
        const Origin& origin = *candidate->origin;
        const bool known = std::any_of(told.begin(), told.end(),
                                       [&](const Origin* other) { return same_place(*other, origin); });
        if (known) continue;
        told.push_back(&origin);
        places.push_back(seen_at(origin, "allocated what is lost"));
    }
    char text[160];
    if (lost.size() == 1)
        std::snprintf(text, sizeof text,
                      "a block of %zu bytes is lost: it was not freed, and nothing points to it any more",
                      bytes);
    else
        std::snprintf(text, sizeof text,
                      "%zu blocks of %zu bytes in all are lost: they were not freed, and nothing points to "
                      "them any more",
                      lost.size(), bytes);
    note_left_behind("memory-leak", text, lost.front()->block.start, places);
    return true;
}

bool find_held_lock() {
    for (const Origin& held : held_locks) {
        if (!has_ended(world().thread[held.thread])) continue;
        const Witnessed place = seen_at(held, "locked it");
        note_left_behind("lock-leak", "a thread has ended without unlocking what it had locked", held.key,
                         {&place, 1});
        return true;
    }
    return false;
}

bool find_unjoined_thread() {
    for (const Origin& origin : thread_origins) {
        const Thread& thread = world().thread[origin.key];
        if (!has_ended(thread) || thread.joined || thread.detached) continue;
        char text[80];
        std::snprintf(text, sizeof text, "T%u has ended, but was neither joined nor detached",
                      unsigned{thread.id});
        const Witnessed place = seen_at(origin, "started it");
        note_left_behind("thread-leak", text, 0, {&place, 1});
        return true;
    }
    return false;
}

__attribute__((noinline)) void remember_and_tell(std::uintptr_t block) {
    remember(block_origins, block);
    const Origin& origin = block_origins.back();
    send_block(block, block_size(reinterpret_cast<const void*>(block)), {origin.stack, origin.frames});
}

}  // namespace

void remember_block(std::uintptr_t block) {
    // (In a function of its own, so that a search for leaks does not find the address left on the stack.)
    if (world().mode == Mode::replay && !world().is_quiet) return remember_and_tell(block);
    remember(block_origins, block);
}
void remember_freed(std::uintptr_t block) { remember(freed_blocks, block); }
void remember_thread(ThreadId id) { remember(thread_origins, id); }
void remember_lock(std::uintptr_t lock) { remember(held_locks, lock); }

void forget_lock(std::uintptr_t lock) {
    const ThreadId me = world().current->id;
    for (std::size_t i = held_locks.size(); i-- > 0;) {
        if (held_locks[i].key != lock || held_locks[i].thread != me) continue;
        held_locks.erase(held_locks.begin() + static_cast<std::ptrdiff_t>(i));
        return;
    }
}

std::span<const Witnessed> history_of(std::uintptr_t block) {
    static Witnessed places[2];
    std::size_t count = 0;
    for (const Origin& origin : block_origins)
        if (origin.key == block && count < 1) places[count++] = seen_at(origin, "allocated the block");
    for (const Origin& origin : freed_blocks)
        if (origin.key == block && count < 2) places[count++] = seen_at(origin, "freed the block");
    return {places, count};
}

void forget_origins() {
    block_origins.clear();
    freed_blocks.clear();
    thread_origins.clear();
    held_locks.clear();
}

void look_for_leaks() {
    const std::uint8_t wanted = world().leaks;
    if ((wanted & leaks_of_locks) != 0 && find_held_lock()) return;
    if ((wanted & leaks_of_threads) != 0 && find_unjoined_thread()) return;
    if ((wanted & leaks_of_memory) != 0) find_lost_memory();
}

}  // namespace norn::native
