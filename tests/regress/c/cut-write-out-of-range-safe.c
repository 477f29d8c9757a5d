// expect: safe, must
// A write through a pointer behind the object.
static int a[4];
static void set(int *p, int i) { p[i] = 1; }
int main(void) {
  set(a, 3);
  return 0;
}
