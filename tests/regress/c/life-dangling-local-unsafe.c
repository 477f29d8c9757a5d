// expect: unsafe, must [options: --memory-safety-check] [judge: none]
// A local of a call that has returned.
static int *where(void) {
  int x = 1;
  int *p = &x;
  return p;
}
int main(void) {
  int *p = where();
  return *p == 7;
}
