// expect: unsafe
// A local array by a pointer that walks.
int main(void) {
  int a[3] = {1, 2, 3}, sum = 0;
  int *end = a + 4;
  for (int *p = a; p != end; p++)
    sum += *p;
  return sum == 77;
}
