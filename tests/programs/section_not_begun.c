// norn: cannot check __VERIFIER_atomic_end
// The end of a section that was never begun.
extern void __VERIFIER_atomic_end(void);

int main(void) {
    __VERIFIER_atomic_end();
    return 0;
}
