// Statements (C11 6.8): switch in all shapes, jumps in and out of blocks, scopes.
#include <assert.h>
extern void reach_error(void);
static int sw(long long x) { switch (x) { int dead; case 1: return 10; case 2 ... 4: return 20; default: return 30; case 0x100000001: return 40; case -1: return 50; } }
static int conv(unsigned char x) { switch (x) { case 1: return 1; case 256 + 1: return 2; case -1: return 3; default: return 4; } }
static int unsign(unsigned x) { switch (x) { case -1: return 1; case 5 ... 7: return 2; } return 3; }
static int duff(int n) { int count = 0, k = (n + 3) / 4; switch (n % 4) { case 0: do { count++; case 3: count++; case 2: count++; case 1: count++; } while (--k > 0); } return count; }
static int nested(int a, int b) { int r = 0; switch (a) { case 1: switch (b) { case 1: r = 1; break; default: r = 2; } r += 10; break; case 2: for (;;) { if (b) break; b = 1; continue; } r = 5; } return r; }
static int into(int c) { int n = 0; if (c) goto in; n = 100; { int x; x = 1; n += x; in: x = 5; n += x; } return n; }
static int out(int c) { for (int i = 0; i < 4; i++) { int a[2] = { i, c }; int *p = a; for (;;) { struct { int q; } s = { p[0] }; if (s.q == c) goto done; break; } if (i == 3) return -1; continue; done: return p[1] * 10; } return -2; }
static int back(void) { int n = 0; again: { int x = n; int *p = &x; *p += 1; n = x; if (n < 3) goto again; } return n; }
static int kept(void) { int n = 0, r = 0; { again:; if (n == 2) goto use; int x = 4; int *p = &x; x += n; n++; goto again; use: r = x; } return r; }
static int expr(int c) { int r = ({ int t = 1; if (c) goto away; t + 1; }); return r; away: return 7; }
static int lab(int n) { switch (n) { l1: case 1: return 1; case 2: goto l1; default: { case 3: n = 30; } } return n; }
int main(void) {
  assert(sw(1) == 10 && sw(3) == 20 && sw(5) == 30 && sw(0x100000001) == 40 && sw(-1) == 50 && conv(1) == 1 && conv(255) == 4 && unsign(0xffffffff) == 1 && unsign(6) == 2 && unsign(8) == 3);
  for (int n = 1; n < 9; n++) assert(duff(n) == n);
  assert(nested(1, 1) == 11 && nested(1, 2) == 12 && nested(2, 0) == 5 && nested(3, 0) == 0 && into(1) == 5 && into(0) == 106 && out(2) == 20 && out(9) == -1 && back() == 3 && kept() == 5 && expr(0) == 2 && expr(1) == 7 && lab(1) == 1 && lab(2) == 1 && lab(3) == 30 && lab(4) == 30);
  int i = 0; while (1) { if (++i > 3) break; else continue; } assert(i == 4); do continue; while (i-- > 0); assert(i == -1); for (i = 0, i++; i < 5; i += 2); assert(i == 5); for (int i = 0; i < 2; i++) { int i = 9; assert(i == 9); } if (i) ; else i = 0; ; switch (i) i = 1; assert(i == 5); switch (i) default: i = 2; assert(i == 2);
  int x = 1; { int x = 2; { extern int gx; assert(gx == 8); } assert(x == 2); } assert(x == 1); typedef int T; { T T = 3; assert(T == 3); } T k = 4; assert(k == 4); asm volatile("" : "+r"(k) : "r"(i++) : "memory"); assert(k == 4 && i == 3);
  reach_error(); return 0; }
int gx = 8;
void reach_error(void) {}
