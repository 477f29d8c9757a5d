// expect: unsafe
// A member behind a null pointer.
struct s {
  int a, b;
};
static struct s one;
extern int __VERIFIER_nondet_int(void);
int main(void) {
  struct s *p = __VERIFIER_nondet_int() ? &one : 0;
  if (1)
    p->b = 1;
  return 0;
}
