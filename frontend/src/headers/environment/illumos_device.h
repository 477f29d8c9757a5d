/* Lists of illumos, exact and not atomic; and the shapes of its drivers. */
#ifndef __MONABS_ILLUMOS_DEVICE_H
#define __MONABS_ILLUMOS_DEVICE_H
typedef struct list_node {
  struct list_node *list_next;
  struct list_node *list_prev;
} list_node_t;
typedef struct list {
  size_t list_size;
  size_t list_offset;
  struct list_node list_head;
} list_t;
#define __MONABS_NODE(list, object) ((list_node_t *)((char *)(object) + (list)->list_offset))
#define __MONABS_OBJECT(list, node) ((void *)((char *)(node) - (list)->list_offset))
static inline void list_create(list_t *list, size_t size, size_t offset) {
  list->list_size = size;
  list->list_offset = offset;
  list->list_head.list_next = list->list_head.list_prev = &list->list_head;
}
#define list_destroy(list) ASSERT(list_is_empty(list))
static inline int list_is_empty(list_t *list) { return list->list_head.list_next == &list->list_head; }
static inline void __monabs_list_insert(list_node_t *node, list_node_t *before, list_node_t *after) {
  node->list_prev = before;
  node->list_next = after;
  before->list_next = node;
  after->list_prev = node;
}
static inline void list_insert_head(list_t *list, void *object) {
  __monabs_list_insert(__MONABS_NODE(list, object), &list->list_head, list->list_head.list_next);
}
static inline void list_insert_tail(list_t *list, void *object) {
  __monabs_list_insert(__MONABS_NODE(list, object), list->list_head.list_prev, &list->list_head);
}
static inline void list_remove(list_t *list, void *object) {
  list_node_t *node = __MONABS_NODE(list, object);
  ASSERT(node->list_next != NULL);
  node->list_prev->list_next = node->list_next;
  node->list_next->list_prev = node->list_prev;
  node->list_next = node->list_prev = NULL;
}
static inline void *list_head(list_t *list) {
  return list_is_empty(list) ? NULL : __MONABS_OBJECT(list, list->list_head.list_next);
}
static inline void *list_tail(list_t *list) {
  return list_is_empty(list) ? NULL : __MONABS_OBJECT(list, list->list_head.list_prev);
}
static inline void *list_next(list_t *list, void *object) {
  list_node_t *node = __MONABS_NODE(list, object);
  return node->list_next == &list->list_head ? NULL : __MONABS_OBJECT(list, node->list_next);
}
static inline void *list_prev(list_t *list, void *object) {
  list_node_t *node = __MONABS_NODE(list, object);
  return node->list_prev == &list->list_head ? NULL : __MONABS_OBJECT(list, node->list_prev);
}
static inline void *list_remove_head(list_t *list) {
  void *object = list_head(list);
  if (object)
    list_remove(list, object);
  return object;
}
static inline void *list_remove_tail(list_t *list) {
  void *object = list_tail(list);
  if (object)
    list_remove(list, object);
  return object;
}
#define list_link_active(node) ((node)->list_next != NULL)
#define list_link_init(node) ((void)((node)->list_next = (node)->list_prev = NULL))

/* Drivers. */
#define DDI_SUCCESS 0
#define DDI_FAILURE (-1)
#define DDI_INTR_CLAIMED 1
#define DDI_INTR_UNCLAIMED 0
#define DEVO_REV 4
#define CB_REV 1
#define D_MP 0x20
typedef enum { DDI_ATTACH, DDI_RESUME } ddi_attach_cmd_t;
typedef enum { DDI_DETACH, DDI_SUSPEND } ddi_detach_cmd_t;
typedef enum { DDI_INFO_DEVT2DEVINFO, DDI_INFO_DEVT2INSTANCE } ddi_info_cmd_t;
struct uio;
struct cb_ops {
  int (*cb_open)(dev_t *, int, int, cred_t *);
  int (*cb_close)(dev_t, int, int, cred_t *);
  int (*cb_read)(dev_t, struct uio *, cred_t *);
  int (*cb_write)(dev_t, struct uio *, cred_t *);
  int (*cb_ioctl)(dev_t, int, intptr_t, int, cred_t *, int *);
  int cb_flag;
  int cb_rev;
};
struct dev_ops {
  int devo_rev;
  int devo_refcnt;
  int (*devo_getinfo)(dev_info_t *, ddi_info_cmd_t, void *, void **);
  int (*devo_attach)(dev_info_t *, ddi_attach_cmd_t);
  int (*devo_detach)(dev_info_t *, ddi_detach_cmd_t);
  struct cb_ops *devo_cb_ops;
};
#endif
