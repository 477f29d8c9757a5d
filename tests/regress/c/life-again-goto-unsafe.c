// expect: unsafe [options: --memory-safety-check] [judge: none]
// A block that is entered again by a jump has new variables.
int main(void) {
  int *p = 0, n = 0, r = 0;
again: {
    int x = n;
    if (n) r = *p;
    p = &x;
  }
  if (n++ == 0) goto again;
  return r && 0;
}
