// Random numbers, of libc, the kernel, the C++ library and the processor.
//
// An execution must do the same again under the same schedule, here and in the replay. So every source of
// numbers that differ from run to run gives those of one generator, of which each thread has its own: what a
// thread draws does not depend on the interleaving. rand_r and erand48 keep their state in memory of the
// program, which is read and written at events.
#include "executor/native/random_numbers.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "executor/native/access.h"
#include "executor/native/heap.h"
#include "executor/native/process_state.h"
#include "executor/native/scheduler.h"
#include "executor/native/virtual_time.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

Thread& caller() { return world().running ? *world().current : world().thread[0]; }

// Of rand(), which gives the same to all threads that have the same seed.
std::uint32_t next_rand() {
    std::uint64_t& state = caller().random;
    state = state * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    return static_cast<std::uint32_t>(state >> 33);
}

// The state of a function in memory of the program: kept at its read event, and written at another.
template <typename State, typename Step>
auto step_state(State* state, std::uintptr_t site, const Step& step) {
    range_access(state, sizeof(State), Operation::load, site);
    State kept;
    std::memcpy(&kept, state, sizeof kept);
    const auto result = step(kept);
    range_access(state, sizeof(State), Operation::store, site);
    std::memcpy(state, &kept, sizeof kept);
    return result;
}

struct State48 {
    unsigned short part[3];
};

// For who asks for the random bytes that the kernel gives a process.
constexpr unsigned char bytes_of_process[16] = {7,  130, 61,  244, 19, 88,  201, 5,
                                                99, 42,  176, 233, 14, 151, 70,  28};

constexpr pid_t process_id = 4000;

}  // namespace

std::uint32_t next_random() {
    // As rand(), but threads that have drawn equally many get different numbers.
    const std::uint64_t value = (next_rand() + (std::uint64_t{caller().id} << 40)) * 0x9E37'79B9'7F4A'7C15U;
    return static_cast<std::uint32_t>(value >> 33);
}

void fill_randomly(void* memory, std::size_t size) {
    auto* const bytes = static_cast<unsigned char*>(memory);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(next_random() >> 8);
}

int open_random_device(const char* path) {
    if (std::strcmp(path, "/dev/urandom") != 0 && std::strcmp(path, "/dev/random") != 0) return -1;
    constexpr std::size_t size = std::size_t{1} << 16;
    const int file = memfd_create("random", MFD_CLOEXEC);
    if (file < 0) return -1;
    const Scratch numbers(size);
    fill_randomly(numbers.bytes(), size);
    if (pwrite(file, numbers.bytes(), size, 0) != static_cast<ssize_t>(size)) {
        close(file);
        return -1;
    }
    return file;
}

extern "C" {

int norn_rand() { return static_cast<int>(next_rand()); }
void norn_srand(unsigned seed) { caller().random = seed; }
void norn_srandom(unsigned seed) { caller().random = seed; }
long norn_random() { return next_rand(); }
int norn_rand_r(unsigned* seed) {
    return step_state(seed, SITE, [](unsigned& state) { return rand_r(&state); });
}

double norn_drand48() { return next_rand() / 2147483648.0; }
long norn_lrand48() { return next_rand(); }
long norn_mrand48() { return static_cast<std::int32_t>(next_rand() << 1); }
void norn_srand48(long seed) { caller().random = static_cast<std::uint64_t>(seed); }
double norn_erand48(State48* state) {
    return step_state(state, SITE, [](State48& kept) { return erand48(kept.part); });
}
long norn_nrand48(State48* state) {
    return step_state(state, SITE, [](State48& kept) { return nrand48(kept.part); });
}
long norn_jrand48(State48* state) {
    return step_state(state, SITE, [](State48& kept) { return jrand48(kept.part); });
}

ssize_t norn_getrandom(void* target, std::size_t size, unsigned) {
    range_access(target, size, Operation::store, SITE);
    fill_randomly(target, size);
    return static_cast<ssize_t>(size);
}
int norn_getentropy(void* target, std::size_t size) {
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    range_access(target, size, Operation::store, SITE);
    fill_randomly(target, size);
    return 0;
}
std::uint32_t norn_arc4random() { return next_random() << 16 ^ next_random(); }
void norn_arc4random_buf(void* target, std::size_t size) {
    range_access(target, size, Operation::store, SITE);
    fill_randomly(target, size);
}
std::uint32_t norn_arc4random_uniform(std::uint32_t limit) { return limit == 0 ? 0 : next_random() % limit; }

// Of std::random_device, which asks the processor.
unsigned norn_random_device_value(void*) { return next_random() << 16 ^ next_random(); }
unsigned norn_random_device_value_before_tr1(void*) { return next_random() << 16 ^ next_random(); }
void norn_random_device_begin(void*, const void*) {}
void norn_random_device_begin_before_tr1(void*, const void*) {}
void norn_random_device_end(void*) {}
double norn_random_device_entropy(const void*) { return 32; }

// The stream is libc's; what the name is, is read at one event and used at once.
std::FILE* norn_fopen(const char* path, const char* mode) {
    note_opened();
    read_string(path, SIZE_MAX, SITE);
    const int file = open_random_device(path);
    return file >= 0 ? fdopen(file, "r") : std::fopen(path, mode);
}
std::FILE* norn_fopen64(const char* path, const char* mode) {
    note_opened();
    read_string(path, SIZE_MAX, SITE);
    const int file = open_random_device(path);
    return file >= 0 ? fdopen(file, "r") : std::fopen(path, mode);
}

unsigned long norn_getauxval(unsigned long type) {
    if (type == AT_RANDOM) return reinterpret_cast<unsigned long>(bytes_of_process);
    return getauxval(type);
}
// Threads share one process, and each has a number of its own.
pid_t norn_getpid() { return process_id; }
pid_t norn_getppid() { return process_id - 1; }
pid_t norn_gettid() { return process_id + static_cast<pid_t>(caller().id); }

// Called by `norn_processor_number` (processor_numbers.cpp).
std::uint64_t norn_processor_random() { return std::uint64_t{next_random()} << 32 ^ next_random() << 1; }
std::uint64_t norn_processor_time() { return look_at_clock(); }
}

}  // namespace norn::native
