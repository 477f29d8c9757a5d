// expect: safe, must
// A member behind a null pointer.
struct s {
  int a, b;
};
static struct s one;
extern int __VERIFIER_nondet_int(void);
int main(void) {
  struct s *p = __VERIFIER_nondet_int() ? &one : 0;
  if (p)
    p->b = 1;
  return 0;
}
