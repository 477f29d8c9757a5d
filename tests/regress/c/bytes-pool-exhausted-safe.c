// expect: safe, must
// The pool is full.
static _Alignas(8) char pool[16];
static unsigned used;
static int *take(void) {
  if (used + 4 > sizeof pool) return 0;
  int *p = (int *)(pool + used);
  used += 4;
  return p;
}
int main(void) {
  for (int i = 0; i < 5; i++) {
    int *p = take();
    if (p)
      *p = i;
  }
  return 0;
}
