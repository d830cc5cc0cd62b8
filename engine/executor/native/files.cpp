// The system calls on files: read, write, open, close, fsync and their variants.
//
// They go to the kernel as they are. What they read and write of the program's memory is one event each, and
// they are cancellation points, as POSIX demands: a thread that was asked to end does so instead of the call.
// What is in the files is not put back between executions. A program may have functions of its own by these
// names, which then take the place of the weak ones here.
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdarg>

#include "executor/native/access.h"
#include "executor/native/cancellation.h"

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

// Each part is an event of its own.
void touch_parts(const struct iovec* parts, int count, Operation operation, std::uintptr_t site) {
    test_cancellation(site);
    if (count <= 0) return;
    range_access(parts, static_cast<std::size_t>(count) * sizeof *parts, Operation::load, site);
    for (int i = 0; i < count; ++i) range_access(parts[i].iov_base, parts[i].iov_len, operation, site);
}

}  // namespace

extern "C" {

[[gnu::weak]] ssize_t norn_read(int file, void* target, std::size_t size) {
    before_reading(target, size, SITE);
    return read(file, target, size);
}
[[gnu::weak]] ssize_t norn_pread(int file, void* target, std::size_t size, off_t offset) {
    before_reading(target, size, SITE);
    return pread(file, target, size, offset);
}
[[gnu::weak]] ssize_t norn_pread64(int file, void* target, std::size_t size, off_t offset) {
    before_reading(target, size, SITE);
    return pread(file, target, size, offset);
}
[[gnu::weak]] ssize_t norn_readv(int file, const struct iovec* parts, int count) {
    touch_parts(parts, count, Operation::store, SITE);
    return readv(file, parts, count);
}

[[gnu::weak]] ssize_t norn_write(int file, const void* source, std::size_t size) {
    before_writing(source, size, SITE);
    return write(file, source, size);
}
[[gnu::weak]] ssize_t norn_pwrite(int file, const void* source, std::size_t size, off_t offset) {
    before_writing(source, size, SITE);
    return pwrite(file, source, size, offset);
}
[[gnu::weak]] ssize_t norn_pwrite64(int file, const void* source, std::size_t size, off_t offset) {
    before_writing(source, size, SITE);
    return pwrite(file, source, size, offset);
}
[[gnu::weak]] ssize_t norn_writev(int file, const struct iovec* parts, int count) {
    touch_parts(parts, count, Operation::load, SITE);
    return writev(file, parts, count);
}

#define OPEN(name)                                                       \
    [[gnu::weak]] int name(const char* path, int flags, ...) {           \
        test_cancellation(SITE);                                         \
        read_string(path, SIZE_MAX, SITE);                               \
        va_list arguments;                                               \
        va_start(arguments, flags);                                      \
        const bool creates = (flags & (O_CREAT | O_TMPFILE)) != 0;       \
        const unsigned mode = creates ? va_arg(arguments, unsigned) : 0; \
        va_end(arguments);                                               \
        return open(path, flags, mode);                                  \
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
