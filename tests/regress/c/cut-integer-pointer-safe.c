// expect: safe [judge: sanitizers]
// A number as an address.
int main(void) {
  int x = 0;
  int *p = (int *)(unsigned long)&x;
  *p = 1;
  return 0;
}
