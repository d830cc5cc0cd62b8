// What the kernel and libc keep for the whole process, put back after each execution. These are descriptors
// (those that were open when main began are opened again, with their offsets; others are closed), standard
// streams and their buffers, streams that an execution opened, the working directory, the mask for new files,
// limits of resources, the locale. The environment is looked after with the program's data (snapshot.cpp).
//
// Most programs change none of it, and asking the kernel would cost more than an execution takes. So calls of
// the functions that do change it are renamed to those below, which note that there is something to be put
// back. What libraries do by themselves is not noticed, but for files that they leave open, which are closed
// now and then. With --isolate=fork the child has a state of its own, and nothing of this is needed.
//
// A stream is memory of libc's own heap, which is not reset. One that was open when main began is therefore
// never really closed, whoever does it (the destructor of a global std::ofstream does); those that an
// execution leaves open are closed, so that the next one finds libc's heap as this one did.
//
// None of these functions is an event: what threads tell each other by the working directory or the locale is
// not seen.
#include "executor/native/process_state.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <clocale>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "executor/native/access.h"
#include "executor/native/descriptors.h"
#include "executor/native/faults.h"
#include "executor/native/foreign_arguments.h"
#include "executor/native/hidden_descriptor.h"
#include "executor/native/random_numbers.h"
#include "executor/native/read_extent.h"
#include "executor/native/world.h"
#include "host/messages.h"

extern "C" int _IO_fclose(FILE* stream);  // of libc, though no header has it

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

constexpr int furthest_descriptor = 4096;
// Files that a library leaves open are closed, but not after each execution: that would cost a system call.
constexpr unsigned executions_per_sweep = 16;

struct Descriptor {
    int number;
    int copy;
    bool closes_on_exec;
    off_t offset;  // -1: it has none
};

std::vector<Descriptor> descriptors;
std::vector<FILE*> streams;        // that were open when main began
FILE** list_of_streams = nullptr;  // libc's, the newest first
FILE* newest_stream = nullptr;     // ... and was at its head
int first_new = 3;                 // no descriptor from here on was open when main began
int first_copy = INT_MAX;
int last_copy = -1;
unsigned executions = 0;

bool is_changed = false;  // something of what follows
bool has_opened = false;
bool has_replaced = false;
bool has_moved = false;  // in a file that was open when main began
bool has_new_buffer = false;

int directory = -1;  // where main began
int unusable = -1;   // see unusable_descriptor
bool has_left = false;
bool has_mask = false;
mode_t mask = 0;
char* locale = nullptr;  // the name of what was set when main began, once it has changed
struct Limit {
    bool is_changed;
    rlimit kept;
} limits[RLIM_NLIMITS];

void close_all_between(int first, int last) {
    if (first <= last) close_all_but_hidden(static_cast<unsigned>(first), static_cast<unsigned>(last), 0);
}

// All but those that were open when main began, and norn's own.
void close_new_descriptors() {
    int next = 3;
    for (const Descriptor& each : descriptors) {
        if (each.number < next) continue;
        close_all_between(next, each.number - 1);
        next = each.number + 1;
    }
    close_all_between(next, INT_MAX);
}

void put_descriptors_back() {
    for (const Descriptor& each : descriptors)
        dup3(each.copy, each.number, each.closes_on_exec ? O_CLOEXEC : 0);
}

void put_offsets_back() {
    for (const Descriptor& each : descriptors)
        if (each.offset >= 0) lseek(each.number, each.offset, SEEK_SET);
}

bool is_standard(const FILE* stream) { return stream == stdin || stream == stdout || stream == stderr; }

bool is_kept(const FILE* stream) {
    return std::find(streams.begin(), streams.end(), stream) != streams.end();
}

// Streams that the execution leaves open, also those of libraries; libc puts new ones at the head of its
// list.
void close_new_streams() {
    FILE* stream = *list_of_streams;
    while (stream != nullptr && stream != newest_stream) {
        FILE* const next = stream->_chain;
        if (!is_kept(stream)) {
            if (fileno(stream) < first_new) note_replaced();  // it is closed with the stream
            _IO_fclose(stream);
            note_opened();
        }
        stream = next;
    }
}

// (Without a buffer to take, libc would keep the one that it has.)
void reset_buffers() {
    static char input[BUFSIZ];
    static char output[8 * BUFSIZ];
    for (FILE* const stream : {stdin, stdout, stderr}) __fpurge(stream);
    std::setvbuf(stdin, input, _IOFBF, sizeof input);
    std::setvbuf(stdout, output, _IOFBF, sizeof output);
    std::setvbuf(stderr, nullptr, _IONBF, 0);
}

void clear_flags(FILE* stream) {
    if (feof_unlocked(stream) != 0 || ferror_unlocked(stream) != 0) clearerr_unlocked(stream);
}

void forget_changes() {
    is_changed = has_opened = has_replaced = has_moved = has_new_buffer = has_left = has_mask = false;
    std::free(std::exchange(locale, nullptr));
    for (Limit& limit : limits) limit.is_changed = false;
}

void put_limits_back() {
    for (int i = 0; i < RLIM_NLIMITS; ++i) {
        if (!limits[i].is_changed) continue;
        if (setrlimit(static_cast<__rlimit_resource_t>(i), &limits[i].kept) != 0)
            die("a limit of resources that the program has lowered cannot be put back for the next "
                "execution; use --isolate=fork");
    }
}

int copy_far_up(int file, int lowest) {
    const int copy = fcntl(file, F_DUPFD_CLOEXEC, lowest);
    if (copy < 0) return copy;
    first_copy = std::min(first_copy, copy);
    last_copy = std::max(last_copy, copy);
    return copy;
}

}  // namespace

void note_offset(int file) {
    if (file > 2 && file < first_new) is_changed = has_moved = true;
}
void note_opened() { is_changed = has_opened = true; }
void note_replaced() { is_changed = has_replaced = true; }

int unusable_descriptor() { return unusable; }

int first_kept_copy() { return first_copy; }
int last_kept_copy() { return last_copy; }

namespace {

void put_back() {
    if (has_new_buffer) reset_buffers();
    if (has_opened) close_new_descriptors();
    if (has_replaced) put_descriptors_back();
    if (has_moved || has_replaced) put_offsets_back();
    if (has_left && fchdir(directory) != 0)
        die("the working directory that the program has left cannot be entered again");
    if (has_mask) umask(mask);
    put_limits_back();
    if (locale != nullptr) std::setlocale(LC_ALL, locale);
    forget_changes();
}

}  // namespace

void restore_process_state() {
    if (list_of_streams != nullptr && *list_of_streams != newest_stream) close_new_streams();
    if (is_changed) put_back();
    if (++executions % executions_per_sweep == 0) close_new_descriptors();
    for (FILE* const stream : {stdin, stdout, stderr}) clear_flags(stream);
}

void keep_process_state() {
    forget_changes();  // what was done before main is how executions begin
    // (Not by its name: the linker would give the executable a copy of it.)
    list_of_streams = static_cast<FILE**>(dlsym(RTLD_DEFAULT, "_IO_list_all"));
    newest_stream = list_of_streams != nullptr ? *list_of_streams : nullptr;
    for (FILE* stream = newest_stream; stream != nullptr; stream = stream->_chain) streams.push_back(stream);
    for (int i = 0; i < furthest_descriptor; ++i) {
        const int flags = is_hidden(i) ? -1 : fcntl(i, F_GETFD);
        if (flags < 0) continue;
        const off_t offset = i > 2 ? lseek(i, 0, SEEK_CUR) : -1;
        descriptors.push_back({i, -1, (flags & FD_CLOEXEC) != 0, offset});
        if (i > 2) first_new = i + 1;
    }
    // Far up, where programs do not look; but they may not have as many descriptors as they like.
    rlimit most{};
    getrlimit(RLIMIT_NOFILE, &most);
    const rlim_t end = most.rlim_cur < furthest_descriptor ? most.rlim_cur : furthest_descriptor;
    const int lowest = std::max(first_new, static_cast<int>(end) - static_cast<int>(descriptors.size()) - 3);
    for (Descriptor& each : descriptors) each.copy = copy_far_up(each.number, lowest);
    const int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    directory = copy_far_up(here, lowest);
    close(here);
    const int nothing = open("/dev/null", O_PATH | O_CLOEXEC);
    unusable = copy_far_up(nothing, lowest);
    close(nothing);
}

extern "C" {

[[gnu::weak]] int norn_dup(int file) {
    if (int result = 0; duplicate_modelled(file, 0, SITE, result)) return result;
    note_opened();
    return dup(file);
}
[[gnu::weak]] int norn_dup2(int from, int to) {
    if (is_hidden(from) || !make_way(to)) return not_open();
    require_unmodelled(from, "dup2", SITE);
    require_unmodelled(to, "dup2", SITE);
    note_opened();
    note_replaced();
    return dup2(from, to);
}
[[gnu::weak]] int norn_dup3(int from, int to, int flags) {
    if (is_hidden(from) || !make_way(to)) return not_open();
    require_unmodelled(from, "dup3", SITE);
    require_unmodelled(to, "dup3", SITE);
    note_opened();
    note_replaced();
    return dup3(from, to, flags);
}
[[gnu::weak]] int norn_close_range(unsigned first, unsigned last, int flags) {
    if (flags == 0) close_modelled_between(first, last, SITE);
    note_replaced();
    const long result = close_all_but_hidden(first, last, static_cast<unsigned>(flags));
    if (result >= 0) return 0;
    errno = static_cast<int>(-result);
    return -1;
}
[[gnu::weak]] void norn_closefrom(int first) {
    norn_close_range(first < 0 ? 0 : static_cast<unsigned>(first), UINT_MAX, 0);
}
#define OPEN_AT(name)                                                          \
    [[gnu::weak]] int name(int where, const char* path, int flags, ...) {      \
        note_opened();                                                         \
        read_string(path, SIZE_MAX, SITE);                                     \
        if (const int file = open_random_device(path); file >= 0) return file; \
        va_list arguments;                                                     \
        va_start(arguments, flags);                                            \
        const bool creates = (flags & (O_CREAT | O_TMPFILE)) != 0;             \
        const unsigned mode = creates ? va_arg(arguments, unsigned) : 0;       \
        va_end(arguments);                                                     \
        return openat(where, path, flags, mode);                               \
    }
OPEN_AT(norn_openat)
OPEN_AT(norn_openat64)
[[gnu::weak]] int norn_mkstemp(char* name) {
    note_opened();
    const KeptString wanted(name, SIZE_MAX, SITE);
    const Scratch made(wanted.length() + 1);
    std::memcpy(made.bytes(), wanted.text(), wanted.length() + 1);
    const int file = mkstemp(made.bytes());
    range_access(name, wanted.length() + 1, Operation::store, SITE);
    std::memcpy(name, made.bytes(), wanted.length() + 1);
    return file;
}
#define SEEK(name)                                                 \
    [[gnu::weak]] off_t name(int file, off_t offset, int whence) { \
        if (Described(file, SITE).is_modelled()) {                 \
            errno = ESPIPE;                                        \
            return -1;                                             \
        }                                                          \
        note_offset(file);                                         \
        return lseek(file, offset, whence);                        \
    }
SEEK(norn_lseek)
SEEK(norn_lseek64)

[[gnu::weak]] FILE* norn_freopen(const char* path, const char* mode, FILE* stream) {
    note_opened();
    note_replaced();
    if (is_standard(stream)) is_changed = has_new_buffer = true;
    if (path != nullptr) read_string(path, SIZE_MAX, SITE);
    return std::freopen(path, mode, stream);
}
// By this name, so that it is also what libraries call.
[[gnu::weak]] int fclose(FILE* stream) {
    if (!world().running || !is_kept(stream)) return _IO_fclose(stream);
    // The next execution needs the stream itself, but not what is in it.
    const int code = std::fflush(stream);
    note_replaced();
    const int file = fileno(stream);
    return file >= 0 && close(file) != 0 ? EOF : code;
}
[[gnu::weak]] int norn_setvbuf(FILE* stream, char* buffer, int mode, std::size_t size) {
    if (is_standard(stream)) is_changed = has_new_buffer = true;
    return std::setvbuf(stream, buffer, mode, size);
}
[[gnu::weak]] void norn_setbuf(FILE* stream, char* buffer) {
    norn_setvbuf(stream, buffer, buffer != nullptr ? _IOFBF : _IONBF, BUFSIZ);
}
[[gnu::weak]] void norn_setbuffer(FILE* stream, char* buffer, std::size_t size) {
    norn_setvbuf(stream, buffer, buffer != nullptr ? _IOFBF : _IONBF, size);
}
[[gnu::weak]] void norn_setlinebuf(FILE* stream) { norn_setvbuf(stream, nullptr, _IOLBF, 0); }

[[gnu::weak]] int norn_chdir(const char* path) {
    is_changed = has_left = true;
    note_call("chdir", SITE);
    read_string(path, SIZE_MAX, SITE);
    return chdir(path);
}
[[gnu::weak]] int norn_fchdir(int file) {
    is_changed = has_left = true;
    note_call("fchdir", SITE);
    return fchdir(file);
}
[[gnu::weak]] mode_t norn_umask(mode_t wanted) {
    note_call("umask", SITE);
    const mode_t before = umask(wanted);
    if (!has_mask) mask = before;
    is_changed = has_mask = true;
    return before;
}
[[gnu::weak]] int norn_setrlimit(__rlimit_resource_t resource, const rlimit* wanted) {
    const auto which = static_cast<unsigned>(resource);
    if (which < RLIM_NLIMITS && !limits[which].is_changed)
        is_changed = limits[which].is_changed = getrlimit(resource, &limits[which].kept) == 0;
    range_access(wanted, sizeof *wanted, Operation::load, SITE);
    return setrlimit(resource, wanted);
}
[[gnu::weak]] char* norn_setlocale(int category, const char* name) {
    if (name != nullptr && locale == nullptr) locale = strdup(std::setlocale(LC_ALL, nullptr));
    is_changed = true;
    note_call("setlocale", SITE);
    if (name != nullptr) read_string(name, SIZE_MAX, SITE);
    return std::setlocale(category, name);
}
}

}  // namespace norn::native
