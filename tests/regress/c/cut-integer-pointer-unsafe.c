// expect: unsafe [judge: sanitizers]
// A number as an address.
int main(void) {
  int x = 0;
  int *p = (int *)16;
  *p = 1;
  return 0;
}
