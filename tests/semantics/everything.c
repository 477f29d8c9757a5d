// What C means, by assertions: conversions, layout, initialisers, pointers, control flow. The end calls reach_error().
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <stdlib.h>
extern void reach_error(void);
struct P { int x; char c; short s; };
struct Q { struct P p[3]; long l; unsigned b1 : 3; int b2 : 5; _Bool f : 1; };
union U { int i; unsigned char b[4]; short s[2]; float fl; };
enum E { A, B = 5, C, D = -1 };
static int counter(void) { static int n = 10; return n++; }
static struct P mk(int x) { struct P p = { x, 'c', -2 }; return p; }
static int sum(struct P p) { p.x += 1; return p.x + p.c + p.s; }
static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*table[2])(int, int) = { add, sub };
static int arr2[3][4] = { {1, 2, 3, 4}, {5, 6}, [2] = { [3] = 9 } };
static char str[] = "hello\n";
static const char *names[] = { "zero", "one", "two" };
static struct Q gq = { .p = { {1, 'a', 2}, [2] = { .s = 7 } }, .l = 1L << 40, .b1 = 5, .b2 = -3, .f = 1 };
int g1 = 3, *gp = &g1;
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
static int vla(int n) { int a[n]; for (int i = 0; i < n; i++) a[i] = i * i; int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s + (int)sizeof a; }
int main(void) {
  unsigned char uc = 200; signed char sc = (signed char)200; short sh = -1; unsigned short us = 65535; int i = -5; unsigned u = 4000000000u; long l = -1; unsigned long ul = 1ul << 63;
  assert(uc + uc == 400); assert(sc == -56); assert((unsigned short)sh == us); assert(i / 2 == -2 && i % 2 == -1); assert(u > 0 && (int)u == -294967296);
  assert(-1 < 0u == 0); assert(l < 1); assert(ul > l == 0); assert((i >> 1) == -3); assert((u >> 31) == 1); assert(sizeof(struct P) == 8 && sizeof(struct Q) == 40);
  assert(offsetof(struct Q, l) == 24); assert((char)300 == 44); assert(!5 == 0 && !!5 == 1); assert(~0 == -1);
  uc += 100; assert(uc == 44); uc--; assert(uc-- == 43 && uc == 42); assert(++uc == 43);
  i = 5; int j = i++ + 3; assert(i == 6 && j == 8); j = (i = 7, i + 1); assert(j == 8);
  assert(counter() == 10 && counter() == 11 && counter() == 12);
  struct P p = mk(4); assert(sum(p) == 5 + 'c' - 2 && p.x == 4); struct P q = p; q.x = 9; assert(p.x == 4 && q.c == 'c');
  assert(fact(4) == 24); assert(table[0](3, 4) == 7 && table[1](3, 4) == -1); int (*fp)(int, int) = sub; assert(fp(1, 1) == 0);
  assert(arr2[0][3] == 4 && arr2[1][1] == 6 && arr2[1][2] == 0 && arr2[2][3] == 9); arr2[i - 6][j - 6] = 77; assert(arr2[1][2] == 77);
  assert(sizeof str == 7 && str[5] == '\n' && str[6] == 0); assert(names[2][1] == 'w'); assert(strlen("abc") == 3);
  assert(gq.p[0].x == 1 && gq.p[2].s == 7 && gq.p[1].x == 0 && gq.l == 1099511627776L && gq.b1 == 5 && gq.b2 == -3 && gq.f);
  gq.b1 = 9; assert(gq.b1 == 1); gq.b2 = 16; assert(gq.b2 == -16); gq.b1 += 3; assert(gq.b1 == 4); assert(gq.b1 - 5 < 0);
  union U un; un.i = 0x01020304; assert(un.b[0] == 4 && un.b[3] == 1 && un.s[1] == 0x0102); un.b[1] = 0xff; assert(un.i == 0x0102ff04);
  *gp = 8; assert(g1 == 8); int **pp = &gp; **pp = 9; assert(g1 == 9); int a = 1, b = 2; swap(&a, &b); assert(a == 2 && b == 1);
  int arr[5] = { 1, 2, 3 }; int *ap = arr; assert(*ap++ == 1 && *ap == 2 && ap[1] == 3 && ap - arr == 1); assert(*(arr + 2) == 3 && 2[arr] == 3); ap += 2; *ap = 11; assert(arr[3] == 11);
  struct P ps[3] = { {1}, {2}, {3} }; struct P *sp = ps; sp++; assert(sp->x == 2 && (sp + 1)->x == 3 && (*sp).c == 0); sp->s = 5; assert(ps[1].s == 5); assert(sp - ps == 1);
  assert(vla(4) == 14 + 16);
  int k = 0; for (k = 0; k < 10; k++) { if (k == 3) continue; if (k == 6) break; } assert(k == 6);
  int w = 0; do { w++; } while (w < 5); assert(w == 5); while (w) w--; assert(!w);
  int r = 0; switch (k) { case 1: r = 1; case 6: r = 6; case 7: r += 10; break; default: r = 99; } assert(r == 16); switch (k) { default: r = 1; break; case 100 ... 200: r = 2; } assert(r == 1);
  k = 0; again: k++; if (k < 4) goto again; assert(k == 4);
  int x = 0; (void)(x && (k = 100)); assert(k == 4); (void)(!x || (k = 100)); assert(k == 4); x = k > 3 ? 10 : 20; assert(x == 10); assert((0 ?: 7) == 7 && (3 ?: 7) == 3);
  int se = ({ int t = 4; t * t; }); assert(se == 16); struct P cl = (struct P){ .s = 3, .x = 1 }; assert(cl.s == 3 && cl.c == 0); int *cp = (int[]){ 4, 5, 6 }; assert(cp[2] == 6);
  _Bool bo = 5; assert(bo == 1); bo = 0.0 ? 1 : 0; enum E e = C; assert(e == 6 && D == -1); assert(_Generic(1L, int: 1, long: 2, default: 3) == 2);
  long long big = 1; big <<= 40; assert(big / 3 == 366503875925LL); unsigned long long m = ~0ull; assert(m % 10 == 5); assert((m >> 63) == 1); assert((int)(char)-1 == -1); assert((unsigned char)-1 == 255);
  __int128 h = 1; h <<= 100; assert((long)(h >> 98) == 4);
  int *hp = malloc(sizeof(int)); *hp = 5; assert(*hp == 5); free(hp); struct P *hs = calloc(2, sizeof *hs); assert(hs[1].x == 0); hs[1].x = 3; assert(hs[1].x == 3 && hs->x == 0);
  memset(&p, 0, sizeof p); assert(p.x == 0 && p.c == 0); memcpy(&p, &q, sizeof p); assert(p.x == 9);
  int big_arr[2][3][2] = { 1, 2, 3, 4, 5, 6, 7 }; assert(big_arr[0][2][1] == 6 && big_arr[1][0][0] == 7); int (*row)[2] = big_arr[0]; assert(row[1][0] == 3); row++; assert((*row)[1] == 4);
  char *cc = (char *)&g1; *cc = 1; assert(g1 == 1); cc[1] = 1; assert(g1 == 257); long addr = (long)&g1; int *back = (int *)addr; *back = 12; assert(g1 == 12);
  assert((u & 0xff) == (4000000000u & 255)); x = 5; x <<= 2; x |= 1; x ^= 3; x %= 7; assert(x == ((((5 << 2) | 1) ^ 3) % 7)); short s2 = 32767; s2++; assert(s2 == -32768);
  assert("abc"[1] == 'b'); assert('\x41' == 'A' && '\101' == 'A' && '\'' == 39); assert(07 + 0x1F + 0b11 == 41);
  reach_error(); return 0; }
void reach_error(void) {}
