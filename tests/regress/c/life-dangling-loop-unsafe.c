// expect: unsafe, must [options: --memory-safety-check]
// A local of the previous round.
int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) {
    if (p)
      *p = 1;
    int x = 0;
    p = &x;
  }
  return 0;
}
