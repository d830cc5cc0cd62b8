// The system calls on files: read, write, open, close, fsync and their variants.
//
// Those on pipes and eventfds are modelled (descriptors.h); all others go to the kernel as they are. What
// they read and write of the program's memory is one event each, and they are cancellation points, as POSIX
// demands: a thread that was asked to end does so instead of the call. What is in the files is not put back
// between executions (descriptors are: process_state.cpp). A program may have functions of its own by these
// names, which then take the place of the weak ones here. Descriptors of the engine are none of the
// program's: it finds that they are not open.
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstring>
#include <span>
#include <string_view>

#include "executor/native/access.h"
#include "executor/native/cancellation.h"
#include "executor/native/descriptors.h"
#include "executor/native/faults.h"
#include "executor/native/heap.h"
#include "executor/native/hidden_descriptor.h"
#include "executor/native/process_state.h"
#include "executor/native/random_numbers.h"

namespace norn::native {

namespace {

#define SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

void before_reading(void* target, std::size_t size, std::uintptr_t site) {
    test_cancellation(site);
    range_access(target, size, Operation::store, site);
}
void before_writing(const void* source, std::size_t size, std::uintptr_t site) {
    test_cancellation(site);
    range_access(source, size, Operation::load, site);
}

// What readv and writev are given: the list is read at one event, and each part is an event of its own. A
// part is in memory of the engine between its event and the system call, so that other threads do not see it,
// or change it, in between.
class Parts {
public:
    Parts(const struct iovec* parts, int count, std::uintptr_t site)
        : count_(static_cast<std::size_t>(count)), kept_(count_ * sizeof *parts), site_(site) {
        range_access(parts, count_ * sizeof *parts, Operation::load, site);
        std::memcpy(kept_.bytes(), parts, count_ * sizeof *parts);
    }
    [[nodiscard]] std::size_t size() const {
        std::size_t size = 0;
        for (const struct iovec& part : all()) size += part.iov_len;
        return size;
    }
    void gather(char* bytes) const {
        for (const struct iovec& part : all()) {
            range_access(part.iov_base, part.iov_len, Operation::load, site_);
            std::memcpy(bytes, part.iov_base, part.iov_len);
            bytes += part.iov_len;
        }
    }
    void scatter(const char* bytes, std::size_t size) const {
        for (const struct iovec& part : all()) {
            const std::size_t here = part.iov_len < size ? part.iov_len : size;
            range_access(part.iov_base, here, Operation::store, site_);
            std::memcpy(part.iov_base, bytes, here);
            bytes += here;
            size -= here;
        }
    }

private:
    [[nodiscard]] std::span<const struct iovec> all() const {
        return {reinterpret_cast<const struct iovec*>(kept_.bytes()), count_};
    }
    std::size_t count_;
    Scratch kept_;
    std::uintptr_t site_;
};

bool has_parts(int count) { return count > 0 && count <= IOV_MAX; }

// Through such a file a program would write to memory, the engine's own included, without anybody noticing.
void refuse_memory(const char* path) {
    const std::string_view name = path;
    if (name.starts_with("/proc/") && name.ends_with("/mem"))
        unsupported("open", "what is written to /proc/self/mem changes memory where norn does not see it");
}

}  // namespace

extern "C" {

[[gnu::weak]] ssize_t norn_read(int file, void* target, std::size_t size) {
    if (const Described from(file, SITE); from.is_modelled()) return read_channel(from, target, size, SITE);
    before_reading(target, size, SITE);
    note_offset(file);
    return is_hidden(file) ? not_open() : read(file, target, size);
}
[[gnu::weak]] ssize_t norn_pread(int file, void* target, std::size_t size, off_t offset) {
    before_reading(target, size, SITE);
    return is_hidden(file) ? not_open() : pread(file, target, size, offset);
}
[[gnu::weak]] ssize_t norn_pread64(int file, void* target, std::size_t size, off_t offset) {
    before_reading(target, size, SITE);
    return is_hidden(file) ? not_open() : pread(file, target, size, offset);
}
[[gnu::weak]] ssize_t norn_readv(int file, const struct iovec* parts, int count) {
    test_cancellation(SITE);
    note_offset(file);
    if (is_hidden(file)) return not_open();
    if (!has_parts(count)) return readv(file, parts, count);
    const Parts wanted(parts, count, SITE);
    const Scratch bytes(wanted.size());
    note_offset(file);
    const Described from(file, SITE);
    const ssize_t size = from.is_modelled() ? read_channel(from, bytes.bytes(), wanted.size(), SITE)
                                            : read(file, bytes.bytes(), wanted.size());
    if (size > 0) wanted.scatter(bytes.bytes(), static_cast<std::size_t>(size));
    return size;
}

[[gnu::weak]] ssize_t norn_write(int file, const void* source, std::size_t size) {
    if (const Described to(file, SITE); to.is_modelled()) return write_channel(to, source, size, SITE);
    before_writing(source, size, SITE);
    note_offset(file);
    return is_hidden(file) ? not_open() : write(file, source, size);
}
[[gnu::weak]] ssize_t norn_pwrite(int file, const void* source, std::size_t size, off_t offset) {
    before_writing(source, size, SITE);
    return is_hidden(file) ? not_open() : pwrite(file, source, size, offset);
}
[[gnu::weak]] ssize_t norn_pwrite64(int file, const void* source, std::size_t size, off_t offset) {
    before_writing(source, size, SITE);
    return is_hidden(file) ? not_open() : pwrite(file, source, size, offset);
}
[[gnu::weak]] ssize_t norn_writev(int file, const struct iovec* parts, int count) {
    test_cancellation(SITE);
    note_offset(file);
    if (is_hidden(file)) return not_open();
    if (!has_parts(count)) return writev(file, parts, count);
    const Parts given(parts, count, SITE);
    const Scratch bytes(given.size());
    given.gather(bytes.bytes());
    if (const Described to(file, SITE); to.is_modelled())
        return write_channel(to, bytes.bytes(), given.size(), SITE);
    note_offset(file);
    return write(file, bytes.bytes(), given.size());
}

#define OPEN(name)                                                             \
    [[gnu::weak]] int name(const char* path, int flags, ...) {                 \
        test_cancellation(SITE);                                               \
        read_string(path, SIZE_MAX, SITE);                                     \
        refuse_memory(path);                                                   \
        note_opened();                                                         \
        if (const int file = open_random_device(path); file >= 0) return file; \
        va_list arguments;                                                     \
        va_start(arguments, flags);                                            \
        const bool creates = (flags & (O_CREAT | O_TMPFILE)) != 0;             \
        const unsigned mode = creates ? va_arg(arguments, unsigned) : 0;       \
        va_end(arguments);                                                     \
        return open(path, flags, mode);                                        \
    }
OPEN(norn_open)
OPEN(norn_open64)
[[gnu::weak]] int norn_creat(const char* path, mode_t mode) {
    return norn_open(path, O_CREAT | O_WRONLY | O_TRUNC, unsigned{mode});
}
[[gnu::weak]] int norn_creat64(const char* path, mode_t mode) {
    return norn_open(path, O_CREAT | O_WRONLY | O_TRUNC, unsigned{mode});
}
[[gnu::weak]] int norn_close(int file) {
    test_cancellation(SITE);
    if (is_hidden(file)) return not_open();
    if (int result = 0; close_modelled(file, SITE, result)) return result;
    note_replaced();
    return close(file);
}
[[gnu::weak]] int norn_fsync(int file) {
    test_cancellation(SITE);
    return fsync(file);
}
[[gnu::weak]] int norn_fdatasync(int file) {
    test_cancellation(SITE);
    return fdatasync(file);
}
}

}  // namespace norn::native
