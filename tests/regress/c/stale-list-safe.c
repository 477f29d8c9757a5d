// expect: safe, must [judge: none]
// A pointer to a local that is kept in memory until its function runs again. A list takes its node back before that.
#include <assert.h>

struct node {
  struct node *next;
  int value;
};

struct node *head;

void visit(int value) {
  struct node node;
  node.value = value;
  node.next = head;
  head = &node;
  for (struct node *at = head; at; at = at->next) {
    assert(at->value == value);
  }
  head = node.next;
}

int main(void) {
  visit(1);
  visit(2);
  visit(3);
  return 0;
}
