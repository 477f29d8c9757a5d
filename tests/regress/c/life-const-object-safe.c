// expect: safe, must [options: --memory-safety-check] [judge: gcc]
// A constant object by a cast.
static int x = 1;
int main(void) {
  int *p = (int *)&x;
  *p = 2;
  return 0;
}
