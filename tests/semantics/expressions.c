// Expressions (C11 6.5): conversions of results, bit-fields, conditionals, pointers one past the end, literals.
#include <assert.h>
#include <stddef.h>
extern void reach_error(void);
struct b { unsigned u : 3; int s : 5; _Bool f : 1; unsigned long long w : 40; unsigned x : 32; };
struct v { int m[3]; char c; };
static struct v make(int n) { struct v v = { { n, n + 1, n + 2 }, 'c' }; return v; }
static int zero(void) { return 0; }
enum small { S0, S1 = 7 }; enum neg { N = -1 };
int garr[4]; char text[] = "ab" "c\0d" "\x1" "2";
int main(void) {
  struct b b = { 7, -1, 1, 1, 5 };
  assert(b.u - 8 < 0 && (1 ? b.u : b.u) - 8 < 0 && (b.u, b.u) - 8 < 0 && (b.u = 3) - 8 < 0 && b.x - 8 > 0 && (long)b.w - 8L < 0);
  assert((b.u += 6) == 1 && b.u++ == 1 && b.u == 2 && --b.u == 1 && (b.u = 15) == 7 && (b.s = 31) == -1 && (b.f += 3) == 1);
  assert(sizeof(b.u + 0) == 4 && sizeof(+b.f) == 4 && (b.s <<= 3) == -8 && b.s == -8);
  b.s = 15; b.s++; assert(b.s == -16); b.u = 0; b.u--; assert(b.u == 7); b.f++; assert(b.f == 1); b.f--; assert(b.f == 0); b.f--; assert(b.f == 1);
  _Bool t = 0; t--; assert(t == 1); t++; assert(t == 1); t = 256; assert(t == 1); t = (_Bool)&b; assert(t); t = (_Bool)(void *)0; assert(!t);
  char c = 127; c += 1; assert(c == -128); c = -128; c--; assert(c == 127); c = 64; c <<= 1; assert(c == -128); c >>= 7; assert(c == -1); unsigned char uc = 255; uc <<= 1; assert(uc == 254); assert((uc << 1) == 508);
  int i; short s; char cc; i = s = cc = 300; assert(i == 44 && s == 44); unsigned u = s = -1; assert(u == 0xffffffffu); long l = (i = 1) ? (u = 3) : 2; assert(l == 3);
  l = 1; l <<= 40; i = 1; i = i << 31 >> 31; assert(i == -1 && (l >> 40) == 1 && (1u << 31 >> 31) == 1); i = 5; assert(sizeof(i << l) == 4 && sizeof(l << i) == 8);
  int arr[4] = { 1, 2, 3, 4 }; int *end = &arr[4], *stop = arr + 4; assert(end == stop && end - arr == 4 && end[-1] == 4 && &*end == stop && &arr[1] - &arr[3] == -2);
  int mat[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; int sum = 0; for (int (*row)[3] = mat; row < &mat[2]; row++) for (int *p = *row; p < &(*row)[3]; p++) sum += *p; assert(sum == 21 && *mat[1] == 4 && mat[1] - mat[0] == 3 && (char *)&mat[1] - (char *)mat == 12);
  for (int *p = mat[0]; p < mat[1]; p++) sum -= *p; assert(sum == 15);
  assert(make(3).m[1] == 4 && make(5).c == 'c' && (make(1).m + 1)[1] == 3); struct v v = make(1), w; w = v = make(7); assert(w.m[2] == 9 && (v = make(2)).m[0] == 2); v = zero() ? make(1) : make(6); assert(v.m[0] == 6); v = v; assert(v.m[1] == 7);
  struct v in = ({ struct v x = make(8); x.m[0]++; x; }); assert(in.m[0] == 9 && ({ make(4); }).m[2] == 6 && ({ int q = 2; q + 1; }) == 3);
  void *vp = &i; int *ip = zero() ? vp : &arr[1]; assert(*ip == 2); ip = zero() ? 0 : &arr[2]; assert(*ip == 3); ip = 1 ? &arr[3] : (void *)0; assert(*ip == 4); const char *cp = zero() ? "x" : "yz"; assert(cp[1] == 'z');
  assert((zero() ?: 4) == 4 && (i = 3, i ?: 4) == 3); i = 0; int j = i++ ?: 9; assert(i == 1 && j == 9); zero() ? (void)(i = 7) : (void)(i = 8); assert(i == 8);
  assert(sizeof(zero() ? (char)1 : (char)2) == 4 && sizeof(zero() ? 1 : 1L) == 8 && sizeof("abc") == 4 && sizeof(text) == 8 && sizeof((char)1) == 1 && sizeof(arr) == 16 && sizeof(*arr) == 4 && sizeof(&arr) == 8 && sizeof((0, arr)) == 8 && sizeof(make(1)) == 16);
  i = 5; assert(sizeof(i++) == 4 && i == 5); assert(_Alignof(long) == 8 && _Alignof(struct v) == 4 && offsetof(struct v, m[2]) == 8);
  assert(text[2] == 'c' && text[3] == 0 && text[4] == 'd' && text[5] == 1 && text[6] == '2' && text[7] == 0);
  assert('ab' == 24930 && '\377' == -1 && '\x41' == 65 && '\0' == 0 && '\'' == 39 && '"' == 34 && L'\xff' == 255 && u'\xffff' == 65535 && sizeof u'a' == 2 && sizeof 'a' == 4 && sizeof L'a' == 4);
  assert(0x7fffffff + 0u == 2147483647 && sizeof 2147483648 == 8 && sizeof 0x80000000 == 4 && 0x80000000 > 0 && -1 < 0x80000000 == 0 && sizeof 0xffffffffff == 8 && 0b101 == 5 && 010 == 8 && sizeof 1ull == 8 && sizeof 1uL == 8 && 1LLU > -1 == 0 && sizeof 1lu == 8);
  assert(_Generic(2147483648, long: 1, default: 0) && _Generic(0x80000000, unsigned: 1, default: 0) && _Generic(0xffffffffffffffff, unsigned long: 1, default: 0) && _Generic(1u + 1L, long: 1, default: 0) && _Generic('a', int: 1, default: 0) && _Generic((char)1, char: 1, signed char: 2, default: 0) == 1 && _Generic(1 == 1, int: 1, default: 0) && _Generic(L'a', int: 1, default: 0));
  enum small e = S1; e--; assert(e == 6); enum neg n = N; assert(n < 0 && n - 1 == -2 && (e = -1) > 0);
  i = 7; i -= -3; assert(i == 10); i /= 3; assert(i == 3); i %= 2; assert(i == 1); i = -7; assert(i / 2 == -3 && i % 2 == -1 && -7 / 2u == 2147483644); i |= 1 << 3; i ^= ~0; i &= 6; assert(i == 6);
  int *null = 0; assert(!null && null == 0 && &arr[1] > &arr[0] && (long)(&arr[1]) - (long)arr == 4 && (&arr)[1] == end && *(&arr)[0] == 1 && 1[arr] == 2);
  i = 0; (i ? arr[0] : arr[1]) == 2 || (i = 9); assert(i == 0); assert((i = 2) && i == 2); i = (arr[0] = 5, arr[0]++, arr[0]); assert(i == 6);
  unsigned long long big = 18446744073709551615u; assert(big + 1 == 0 && (int)big == -1 && (short)70000 == 4464 && (unsigned char)-1 + 1 == 256); __int128 h = (__int128)big * big; assert((unsigned long)(h >> 64) == 18446744073709551614ul);
  __typeof__(i++) ty = 3; assert(ty == 3 && i == 6); __auto_type at = (short)4; assert(sizeof at == 2); assert(&((struct v *)0)->c == (char *)12);
  reach_error(); return 0; }
void reach_error(void) {}
