#include "executor/native/snapshot.h"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

// Set by the linker. The engine's own data is in sections of its own, which are left alone.
extern "C" char __data_start[], _end[];
extern "C" char __start_norn_data[], __stop_norn_data[], __start_norn_bss[], __stop_norn_bss[];

namespace norn::native {

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t small = std::size_t{64} << 10;  // up to here, copying all is faster than comparing

Piece pieces[3];
std::size_t piece_count = 0;

void add_piece(char* start, char* end) {
    if (start >= end) return;
    const auto size = static_cast<std::size_t>(end - start);
    pieces[piece_count++] = {start, size, static_cast<char*>(std::malloc(size))};
}

// libc's environment: the list is the program's to change (setenv, putenv).
char** environment = nullptr;
char** environment_copy = nullptr;
std::size_t environment_size = 0;

}  // namespace

std::span<const Piece> program_data() { return {pieces, piece_count}; }

void take_snapshot() {
    environment = environ;
    while (environment != nullptr && environment[environment_size] != nullptr) ++environment_size;
    environment_copy = static_cast<char**>(std::malloc((environment_size + 1) * sizeof(char*)));
    std::memcpy(environment_copy, environment, environment_size * sizeof(char*));

    struct Hole {
        char* start;
        char* end;
    };
    Hole holes[] = {{__start_norn_data, __stop_norn_data}, {__start_norn_bss, __stop_norn_bss}};
    if (holes[1].start < holes[0].start) {
        const Hole first = holes[1];
        holes[1] = holes[0];
        holes[0] = first;
    }
    add_piece(__data_start, holes[0].start);
    add_piece(holes[0].end, holes[1].start);
    add_piece(holes[1].end, _end);
    for (std::size_t i = 0; i < piece_count; ++i)
        std::memcpy(pieces[i].copy, pieces[i].start, pieces[i].size);
}

void restore_snapshot() {
    environ = environment;
    std::memcpy(environment, environment_copy, environment_size * sizeof(char*));
    for (std::size_t i = 0; i < piece_count; ++i) {
        const Piece& piece = pieces[i];
        if (piece.size <= small) {
            std::memcpy(piece.start, piece.copy, piece.size);
            continue;
        }
        for (std::size_t at = 0; at < piece.size; at += page) {
            const std::size_t size = piece.size - at < page ? piece.size - at : page;
            if (std::memcmp(piece.start + at, piece.copy + at, size) != 0)
                std::memcpy(piece.start + at, piece.copy + at, size);
        }
    }
}

}  // namespace norn::native
