// A raw system call goes past the models: it could end the process in the middle of an execution, make a
// second one (a copy of the engine), replace the engine's signal handlers or memory, or watch it. These are
// refused by name, as the functions of libc that make them are. Others go to the kernel as they are.
#include "executor/native/raw_calls.h"

#include <sys/prctl.h>
#include <sys/syscall.h>

#include "executor/native/faults.h"

namespace norn::native {

namespace {

struct Refused {
    long number;
    const char* name;
    const char* why;
};

constexpr const char* ends = "it would end the engine with the program; call exit or _exit";
constexpr const char* processes = "processes are not modelled";
constexpr const char* real_threads = "it needs a real thread";
constexpr const char* signals = "signals are not modelled";
constexpr const char* memory = "memory mappings are not reset between executions";
constexpr const char* modelled = "call the function of the C library, which is modelled";
constexpr const char* watches = "it changes what the engine itself can do";

#define RAW(call, why) {SYS_##call, "syscall(SYS_" #call ")", why}
constexpr Refused refused[] = {
    RAW(exit, ends),
    RAW(exit_group, ends),
    RAW(fork, processes),
    RAW(vfork, processes),
    RAW(clone, processes),
    RAW(clone3, processes),
    RAW(execve, processes),
    RAW(execveat, processes),
    RAW(wait4, processes),
    RAW(waitid, processes),
    RAW(unshare, processes),
    RAW(setns, processes),
    RAW(ptrace, watches),
    RAW(seccomp, watches),
    RAW(process_vm_readv, watches),
    RAW(process_vm_writev, watches),
    RAW(pidfd_getfd, watches),
    RAW(io_uring_setup, watches),
    RAW(arch_prctl, watches),
    RAW(set_tid_address, real_threads),
    RAW(set_robust_list, real_threads),
    RAW(kill, signals),
    RAW(tkill, signals),
    RAW(tgkill, signals),
    RAW(rt_sigqueueinfo, signals),
    RAW(rt_tgsigqueueinfo, signals),
    RAW(rt_sigaction, signals),
    RAW(rt_sigprocmask, signals),
    RAW(rt_sigsuspend, signals),
    RAW(rt_sigtimedwait, signals),
    RAW(rt_sigreturn, signals),
    RAW(sigaltstack, signals),
    RAW(pause, signals),
    RAW(alarm, signals),
    RAW(setitimer, signals),
    RAW(timer_create, signals),
    RAW(pipe, modelled),
    RAW(pipe2, modelled),
    RAW(eventfd, modelled),
    RAW(eventfd2, modelled),
    RAW(poll, modelled),
    RAW(ppoll, modelled),
    RAW(select, modelled),
    RAW(pselect6, modelled),
    RAW(mmap, memory),
    RAW(munmap, memory),
    RAW(mremap, memory),
    RAW(mprotect, memory),
    RAW(brk, memory),
    RAW(shmat, memory),
};
#undef RAW

}  // namespace

void refuse_raw_call(long number, const long (&arguments)[6]) {
    for (const Refused& each : refused)
        if (each.number == number) unsupported(each.name, each.why);
    if (number == SYS_prctl && arguments[0] == PR_SET_SECCOMP) unsupported("prctl(PR_SET_SECCOMP)", watches);
}

}  // namespace norn::native
