// norn: failed reach-error
// The error is to reach the function of that name, even if it does nothing.
static void reach_error(void) {}  // found here

int main(void) {
    reach_error();
    return 0;
}
