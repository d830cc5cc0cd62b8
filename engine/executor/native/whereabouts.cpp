#include "executor/native/whereabouts.h"

#include <algorithm>
#include <vector>

#include "executor/native/coroutine.h"
#include "executor/native/futex.h"
#include "executor/native/heap.h"
#include "executor/native/snapshot.h"
#include "executor/native/stack_walk.h"

namespace norn::native {

namespace {

// Blocks all pointers to which were looked for, in the execution of that number, and how many bytes were
// looked through for them.
std::vector<std::uintptr_t> known_blocks;  // in order
std::uint64_t known_in = 0;
std::size_t looked_through = 0;

constexpr std::size_t most_bytes = std::size_t{4}
                                   << 20;  // of the data and of the heap that are looked through
constexpr std::size_t most_frame = 4096;   // ... and of a frame
constexpr std::size_t near_frames = 4;     // of the program: those that may be using the block
// Of all memory that is looked through for all blocks together: with many blocks in a large heap the first
// ones are named by every pointer into them, the others by those that are near.
constexpr std::size_t most_in_all = std::size_t{64} << 20;

std::uintptr_t innermost_frame_of(const Thread& thread) {
    if (&thread == world().current) return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const bool is_live =
        thread.state == State::alive || thread.state == State::exited || thread.state == State::stopped;
    return is_live ? saved_frame(thread.stack_pointer) : 0;
}

bool is_of_program(const LiveFrame& frame) { return in_program(frame.code) && !in_engine(frame.code); }

// A frame of a thread as it was seen last, with what a call has saved there. If that is still there, the
// function has not returned.
struct SeenFrame {
    std::uintptr_t low;
    LiveFrame frame;
    std::uintptr_t saved[2];

    [[nodiscard]] bool is_live() const {
        const auto* const words = reinterpret_cast<const std::uintptr_t*>(frame.pointer);
        return words[0] == saved[0] && words[1] == saved[1];
    }
};
struct SeenFrames {
    std::uint64_t execution;
    std::vector<SeenFrame> frames;  // innermost first
};
std::vector<SeenFrames> seen_frames;

LiveFrame frame_around(std::uintptr_t address) {
    const std::size_t owner = (address - stack_base) / slot_size;
    LiveFrame found{};
    if (owner >= world().threads) return found;
    const Thread& thread = world().thread[owner];
    for_each_frame(thread, innermost_frame_of(thread), [&](std::uintptr_t low, const LiveFrame& frame) {
        if (address >= frame.pointer) return false;
        if (address >= low && is_of_program(frame)) found = frame;
        return true;
    });
    if (found.code != 0 || owner >= seen_frames.size()) return found;
    const SeenFrames& seen = seen_frames[owner];
    if (seen.execution != world().executions || innermost_frame_of(thread) > address) return found;
    for (const SeenFrame& each : seen.frames)
        if (address < each.frame.pointer)
            return address >= each.low && is_of_program(each.frame) && each.is_live() ? each.frame : found;
    return found;
}

void note_pointers(Whereabouts& where, std::uintptr_t begin, std::uintptr_t end, const LiveFrame& frame) {
    constexpr std::uintptr_t word = sizeof(std::uintptr_t);
    for (std::uintptr_t at = (begin + word - 1) & ~(word - 1); at + word <= end; at += word) {
        if (where.pointers == Whereabouts::most) return;
        const std::uintptr_t value = *reinterpret_cast<const std::uintptr_t*>(at);
        if (value >= where.block && value < where.block + where.block_size)
            where.pointer[where.pointers++] = {at, value, frame};
    }
}

void note_pointers_on_stack(Whereabouts& where, const Thread& thread, std::size_t frames) {
    for_each_frame(thread, innermost_frame_of(thread), [&](std::uintptr_t low, const LiveFrame& frame) {
        if (!is_of_program(frame)) return false;
        note_pointers(where, std::max(low, frame.pointer - std::min(frame.pointer, most_frame)),
                      frame.pointer, frame);
        return --frames == 0;
    });
}

void note_all_pointers(Whereabouts& where) {
    const World& w = world();
    for (const Piece& piece : program_data()) {
        const auto begin = reinterpret_cast<std::uintptr_t>(piece.start);
        looked_through += std::min(piece.size, most_bytes);
        note_pointers(where, begin, begin + std::min(piece.size, most_bytes), {});
    }
    for (std::size_t i = 0; i < w.threads; ++i)
        if (&w.thread[i] != w.current) note_pointers_on_stack(where, w.thread[i], SIZE_MAX);
    static std::vector<Block> blocks;
    blocks.clear();
    collect_blocks(blocks);
    std::size_t left = most_bytes;
    for (const Block& block : blocks) {
        if (block.size > left) return;
        left -= block.size;
        looked_through += block.size + sizeof block;
        note_pointers(where, block.start, block.start + block.size, {});
    }
}

bool is_first_use(std::uintptr_t block) {
    if (known_in != world().executions) {
        known_blocks.clear();
        looked_through = 0;
    }
    known_in = world().executions;
    const auto at = std::lower_bound(known_blocks.begin(), known_blocks.end(), block);
    if (looked_through >= most_in_all || (at != known_blocks.end() && *at == block)) return false;
    known_blocks.insert(at, block);
    return true;
}

}  // namespace

void note_live_frames() {
    const Thread& me = *world().current;
    static std::vector<SeenFrame> frames;
    frames.clear();
    std::uintptr_t outermost = 0;
    for_each_frame(me, innermost_frame_of(me), [&](std::uintptr_t low, const LiveFrame& frame) {
        const auto* const words = reinterpret_cast<const std::uintptr_t*>(frame.pointer);
        frames.push_back({low, frame, {words[0], words[1]}});
        outermost = in_program(frame.code) ? frame.pointer : 0;
        return outermost == 0;
    });
    constexpr std::size_t first_frame = 64;
    if (outermost + first_frame < stack_top_of(me.id)) return;
    if (seen_frames.size() <= me.id) seen_frames.resize(me.id + 1U);
    seen_frames[me.id].execution = world().executions;
    seen_frames[me.id].frames = frames;
}

Whereabouts whereabouts_of(const Event& event) {
    Whereabouts where{};
    if (event.access == Access::none && event.operation != Operation::barrier_wake) return where;
    if (event.address >= stack_base && event.address < stack_base + max_threads * slot_size) {
        where.frame = frame_around(event.address);
    } else if (in_arenas(event.address)) {
        const Block block = block_around(event.address);
        where.block = block.start;
        where.block_size = block.size;
        if (block.start == 0) return where;
        note_pointers_on_stack(where, *world().current, near_frames);
        if (is_first_use(block.start)) note_all_pointers(where);
    } else {
        where.futex = futex_of_queue(event.address);
    }
    return where;
}

}  // namespace norn::native
