// expect: safe, must
// An index that nobody knows.
extern int __VERIFIER_nondet_int(void);
static char buffer[8];
static void put(char *p, int i, char v) { *(p + i) = v; }
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 7)
    return 0;
  put(buffer, i, 'x');
  return 0;
}
