// expect: unsafe, must [options: --signed-overflow-check]
// A signed shift to the left whose result does not fit.

int main(void) {
  int a = 2;
  int b = a << 30;
  return b == 0;
}
