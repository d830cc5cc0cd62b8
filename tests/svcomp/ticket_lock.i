# 0 "ticket_lock.c"
# 1 "ticket_lock.c"
# 1 "threads.h" 1
typedef unsigned long int pthread_t;
typedef union { char size[56]; long int alignment; } pthread_attr_t;
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));
# 2 "ticket_lock.c" 2

void reach_error() { ((void)sizeof((0) ? 1 : 0), __extension__({ if (0) ; else __assert_fail("0", "ticket_lock.c", 3, "reach_error"); })); }
extern void __VERIFIER_assume(int);

volatile unsigned next_ticket, now_serving;
int counter;

static unsigned __VERIFIER_atomic_fetch_and_increment_next(void) {
    unsigned ticket = next_ticket;
    next_ticket = ticket + 1;
    return ticket;
}

void *work(void *unused) {
    unsigned ticket = __VERIFIER_atomic_fetch_and_increment_next();
    __VERIFIER_assume(now_serving == ticket);
    int seen = counter;
    counter = seen + 1;
    now_serving++;
    return 0;
}
# 40 "ticket_lock.c"
int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; ++i) pthread_create(&threads[i], ((void *)0), work, ((void *)0));
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], ((void *)0));
    if (counter != 3) reach_error();
    return 0;
}
