// std::map and std::set: the red-black tree. The C++ library keeps these functions in its shared
// object, where their accesses to the nodes are not seen.
//
// Rebalancing is that of the textbook (Cormen, Leiserson, Rivest, Stein: Introduction to
// Algorithms, chapter 13), with null pointers for leaves. The header node is no node of the tree:
// its parent is the root, its left and right are the first and the last node; the root's parent is
// the header, which is red.
#include <bits/stl_tree.h>

namespace std {
namespace {

using Node = _Rb_tree_node_base;
using Link = Node* Node::*;

constexpr Link kLeft = &Node::_M_left, kRight = &Node::_M_right;

Link opposite(Link side) { return side == kLeft ? kRight : kLeft; }
bool is_red(const Node* node) { return node && node->_M_color == _S_red; }
bool is_black(const Node* node) { return !is_red(node); }
Link side_of(const Node* child, const Node* parent) {
  return child == parent->_M_left ? kLeft : kRight;
}

// `now` takes the place below `parent` that `before` had. Says nothing to `now`.
void replace_child(Node* parent, const Node* before, Node* now, Node& header) {
  if (header._M_parent == before)
    header._M_parent = now;
  else
    parent->*side_of(before, parent) = now;
}

// The child of `top` on the other side comes up, `top` goes down to `side`.
void rotate(Node* top, Link side, Node& header) {
  Node* const riser = top->*opposite(side);
  Node* const middle = riser->*side;
  top->*opposite(side) = middle;
  if (middle) middle->_M_parent = top;
  riser->_M_parent = top->_M_parent;
  replace_child(top->_M_parent, top, riser, header);
  riser->*side = top;
  top->_M_parent = riser;
}

void attach(bool left, Node* node, Node* parent, Node& header) {
  node->_M_parent = parent;
  node->_M_left = nullptr;
  node->_M_right = nullptr;
  node->_M_color = _S_red;
  if (parent == &header) {
    header._M_parent = header._M_left = header._M_right = node;
  } else if (left) {
    parent->_M_left = node;
    if (parent == header._M_left) header._M_left = node;
  } else {
    parent->_M_right = node;
    if (parent == header._M_right) header._M_right = node;
  }
}

// INVARIANT `node` is red; all is well but that its parent may be red, too.
void repair_after_insertion(Node* node, Node& header) {
  while (node != header._M_parent && is_red(node->_M_parent)) {
    Node* parent = node->_M_parent;
    Node* const grandparent = parent->_M_parent;
    const Link side = side_of(parent, grandparent);
    Node* const uncle = grandparent->*opposite(side);
    if (is_red(uncle)) {
      parent->_M_color = uncle->_M_color = _S_black;
      grandparent->_M_color = _S_red;
      node = grandparent;
      continue;
    }
    if (node == parent->*opposite(side)) {
      rotate(parent, side, header);
      parent = node;
    }
    parent->_M_color = _S_black;
    grandparent->_M_color = _S_red;
    rotate(grandparent, opposite(side), header);
    break;
  }
  header._M_parent->_M_color = _S_black;
}

// INVARIANT paths through `node`, which may be a leaf, are one black node short of those beside it.
void repair_after_erasure(Node* node, Node* parent, Node& header) {
  while (node != header._M_parent && is_black(node)) {
    const Link side = node == parent->_M_left ? kLeft : kRight;
    Node* sibling = parent->*opposite(side);
    if (is_red(sibling)) {
      sibling->_M_color = _S_black;
      parent->_M_color = _S_red;
      rotate(parent, side, header);
      sibling = parent->*opposite(side);
    }
    if (is_black(sibling->_M_left) && is_black(sibling->_M_right)) {
      sibling->_M_color = _S_red;
      node = parent;
      parent = node->_M_parent;
      continue;
    }
    if (is_black(sibling->*opposite(side))) {
      (sibling->*side)->_M_color = _S_black;
      sibling->_M_color = _S_red;
      rotate(sibling, opposite(side), header);
      sibling = parent->*opposite(side);
    }
    sibling->_M_color = parent->_M_color;
    parent->_M_color = _S_black;
    (sibling->*opposite(side))->_M_color = _S_black;
    rotate(parent, side, header);
    return;
  }
  if (node) node->_M_color = _S_black;
}

// The first and the last node, before `node`, which has at most one child, leaves the tree.
void move_ends(const Node* node, Node& header) {
  if (header._M_left == node)
    header._M_left = node->_M_right ? Node::_S_minimum(node->_M_right) : node->_M_parent;
  if (header._M_right == node)
    header._M_right = node->_M_left ? Node::_S_maximum(node->_M_left) : node->_M_parent;
}

void adopt(Node* parent, Link side, Node* child) {
  parent->*side = child;
  child->_M_parent = parent;
}

// A node with two children: its successor takes its place and colour, so that iterators to the
// successor stay valid.
void unlink_inner(Node* node, Node& header) {
  Node* const successor = Node::_S_minimum(node->_M_right);
  Node* const orphan = successor->_M_right;
  Node* orphans_parent = successor;
  const bool lost_black = is_black(successor);
  if (successor != node->_M_right) {
    orphans_parent = successor->_M_parent;
    orphans_parent->_M_left = orphan;
    if (orphan) orphan->_M_parent = orphans_parent;
    adopt(successor, kRight, node->_M_right);
  }
  adopt(successor, kLeft, node->_M_left);
  replace_child(node->_M_parent, node, successor, header);
  successor->_M_parent = node->_M_parent;
  successor->_M_color = node->_M_color;
  if (lost_black) repair_after_erasure(orphan, orphans_parent, header);
}

void unlink_outer(Node* node, Node& header) {
  Node* const orphan = node->_M_left ? node->_M_left : node->_M_right;
  Node* const parent = node->_M_parent;
  move_ends(node, header);
  replace_child(parent, node, orphan, header);
  if (orphan) orphan->_M_parent = parent;
  if (is_black(node)) repair_after_erasure(orphan, parent, header);
}

// Up while we come from `side`; the node above is the neighbour.
template <class N>
N* first_above_from(N* node, Link from) {
  N* parent = node->_M_parent;
  while (node == parent->*from) {
    node = parent;
    parent = parent->_M_parent;
  }
  // The root's parent is the header and the header's is the root: from a root without that child
  // the walk ends one too far.
  return node->*from != parent ? parent : node;
}

template <class N>
N* successor(N* node) {
  if (!node->_M_right) return first_above_from(node, kRight);
  return Node::_S_minimum(node->_M_right);
}

template <class N>
N* predecessor(N* node) {
  const bool is_header = node->_M_color == _S_red && node->_M_parent->_M_parent == node;
  if (is_header) return node->_M_right;
  if (node->_M_left) return Node::_S_maximum(node->_M_left);
  N* parent = node->_M_parent;
  while (node == parent->_M_left) {
    node = parent;
    parent = parent->_M_parent;
  }
  return parent;
}

}  // namespace

Node* _Rb_tree_increment(Node* node) noexcept { return successor(node); }
const Node* _Rb_tree_increment(const Node* node) noexcept { return successor(node); }
Node* _Rb_tree_decrement(Node* node) noexcept { return predecessor(node); }
const Node* _Rb_tree_decrement(const Node* node) noexcept { return predecessor(node); }

void _Rb_tree_insert_and_rebalance(const bool left, Node* node, Node* parent,
                                   Node& header) noexcept {
  attach(left, node, parent, header);
  repair_after_insertion(node, header);
}

Node* _Rb_tree_rebalance_for_erase(Node* const node, Node& header) noexcept {
  if (node->_M_left && node->_M_right)
    unlink_inner(node, header);
  else
    unlink_outer(node, header);
  return node;
}

}  // namespace std
