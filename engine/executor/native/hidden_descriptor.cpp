#include "executor/native/hidden_descriptor.h"

#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>

#include "executor/native/process_state.h"
#include "executor/native/system_call.h"
#include "host/channel.h"

namespace norn::native {

namespace {

struct Range {
    long first;
    long last;
};

bool is_kept_copy(int descriptor) {
    return descriptor >= first_kept_copy() && descriptor <= last_kept_copy();
}

// Replaces `number` by a copy of `original`.
long replace(int original, int number, long call, long flags) {
    if (is_hidden(original) || !make_way(number)) return -EBADF;
    note_opened();
    note_replaced();
    return system_call(call, original, number, flags);
}

}  // namespace

bool is_hidden(int descriptor) {
    return descriptor >= 0 && (descriptor == channel_descriptor() || is_kept_copy(descriptor));
}

int not_open() {
    errno = EBADF;
    return -1;
}

bool make_way(int descriptor) {
    if (descriptor >= 0 && descriptor == channel_descriptor()) leave_descriptor();
    return !is_kept_copy(descriptor);
}

long close_all_but_hidden(unsigned first, unsigned last, unsigned flags) {
    Range hidden[] = {{channel_descriptor(), channel_descriptor()}, {first_kept_copy(), last_kept_copy()}};
    if (hidden[0].first > hidden[1].first) std::swap(hidden[0], hidden[1]);
    long next = first;
    for (const Range& each : hidden) {
        if (each.last < next || each.first > last || each.last < each.first) continue;
        if (each.first > next) {
            const long result = system_call(SYS_close_range, next, each.first - 1, flags);
            if (result < 0) return result;
        }
        next = each.last + 1;
    }
    return next <= last ? system_call(SYS_close_range, next, last, flags) : first <= last ? 0 : -EINVAL;
}

bool call_on_descriptor(long number, const long (&arguments)[6], long& result) {
    const auto file = static_cast<int>(arguments[0]);
    switch (number) {
        case SYS_read:
        case SYS_pread64:
        case SYS_readv:
        case SYS_write:
        case SYS_pwrite64:
        case SYS_writev:
        case SYS_close:
            if (number == SYS_close)
                note_replaced();
            else
                note_offset(file);
            if (!is_hidden(file)) return false;
            result = -EBADF;
            return true;
        case SYS_dup2:
        case SYS_dup3:
            result = replace(file, static_cast<int>(arguments[1]), number, arguments[2]);
            return true;
        case SYS_close_range:
            note_replaced();
            result = close_all_but_hidden(static_cast<unsigned>(file), static_cast<unsigned>(arguments[1]),
                                          static_cast<unsigned>(arguments[2]));
            return true;
        default: return false;
    }
}

}  // namespace norn::native
