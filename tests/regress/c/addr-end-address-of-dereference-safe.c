// expect: safe, must
// &*p and &p[i] read nothing.
int main(void) {
  int a[2] = {1, 2};
  int *p = a + 2;
  int *q = &*p;
  int v = 0;
  return v == 99 && q == p;
}
