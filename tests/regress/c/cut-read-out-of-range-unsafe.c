// expect: unsafe
// A read behind the object has no value that one may rely on.
static int a[3] = {1, 2, 3};
static int get(const int *p, int i) { return p[i]; }
int main(void) {
  int v = get(a, 3);
  return v == 12345;
}
