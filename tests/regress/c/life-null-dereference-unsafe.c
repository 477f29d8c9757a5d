// expect: unsafe, must [options: --memory-safety-check]
// A null pointer.
int main(void) {
  int x = 0, *p = 0;
  return *p;
}
