// expect: unsafe
// &*p and &p[i] read nothing.
int main(void) {
  int a[2] = {1, 2};
  int *p = a + 2;
  int *q = &*p;
  int v = *q;
  return v == 99 && q == p;
}
