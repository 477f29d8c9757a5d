// expect: safe, must [options: --memory-safety-check]
// A null pointer.
int main(void) {
  int x = 0, *p = &x;
  return *p;
}
