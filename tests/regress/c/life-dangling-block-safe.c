// expect: safe, must [options: --memory-safety-check]
// A local of a block that has been left.
int main(void) {
  int *p;
  int x = 1; p = &x;
  return *p == 7;
}
