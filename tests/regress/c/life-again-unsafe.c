// expect: unsafe [options: --memory-safety-check] [judge: none]
// Each round has a variable of its own, wherever it is: the pointer is one to the variable of the round before.
int main(void) {
  int *p = 0, s = 0;
  for (int i = 0; i < 2; i++) {
    int x = i;
    if (i == 1) s = *p;
    p = &x;
  }
  return s - s;
}
