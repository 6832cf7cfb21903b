/* extent.h - how many elements of each parameter's memory a kernel touches at least. Part of
 * text.h.
 *
 * The kernel's integers are computed for its first and for its last iteration. An access whose
 * index and whose condition are known there is made for certain. Where sizes are parameters the
 * result is a text in postfix form: numbers, "@3" for the value of parameter 3, "+ - * / % < > l g
 * = ! & | m M" on the two before (l: <=, g: >=, !: differs, m: the lesser, M: the greater; / and %
 * of what is not negative), and "?", which takes one value and ends without a result where that is
 * 0. Several texts are separated by ';': the greatest result counts. runtime/checks/extent.c
 * computes them at each launch. Neither part of the tree may include the other, so the language
 * stands in both, and so does its arithmetic.
 */
#ifndef GEN_KERNEL_EXTENT_H
#define GEN_KERNEL_EXTENT_H

#include "base/string_map.h"
#include "kernel/postfix.h"
#include "kernel/text.h"

/* Fills `least` and `least_of` of the parameters. The tree is understood. */
void kernel_extent_read(kernel_facts *f, const kernel_tree *t, arena *a);

/* "xnumel" of xindex = xoffset + tl.arange(0, XBLOCK), which takes each value below it in one
 * program of the grid or in another; NULL of another assignment. */
const char *kernel_extent_numel(const kernel_tree *t, const tree_statement *s, arena *a);

/* The last variable of each name. */
string_map *kernel_extent_index(const kernel_tree *t, arena *a);

/* Is the text one of the list, which may be NULL. */
bool kernel_extent_has(const char *list, const char *text);

#endif
