// expect: safe, must [options: --memory-safety-check]
// Each round has a variable of its own, and the pointer is one to it.
int main(void) {
  int *p = 0, s = 0;
  for (int i = 0; i < 2; i++) {
    int x = i;
    p = &x;
    if (i == 1) s = *p;
  }
  return s - s;
}
