// expect: safe, must [options: --memory-safety-check]
// An array whose length is not constant ends there for pointers, too.
extern int __VERIFIER_nondet_int(void);

static void set(int *p, int i) {
  p[i] = 1;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 4) {
    return 0;
  }
  int a[n];
  set(a, n - 1);
  return 0;
}
