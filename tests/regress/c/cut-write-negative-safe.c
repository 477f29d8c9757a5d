// expect: safe, must
// A write in front of the object.
static void set(int *p, int i) { p[i] = 1; }
int main(void) {
  int a[4];
  set(a + 1, -1);
  return 0;
}
