// std::list: how nodes are linked. The C++ library keeps these functions in its shared object,
// where their accesses to the nodes are not seen. A list is a ring through a header node.
#include <list>

namespace std::__detail {
namespace {

using Node = _List_node_base;

void link(Node* before, Node* after) {
  before->_M_next = after;
  after->_M_prev = before;
}

bool alone(const Node& header) { return header._M_next == &header; }

// The nodes of `from` go to `to`, whatever was there before.
void take_ring(Node& to, Node* first, Node* last) {
  link(&to, first);
  link(last, &to);
}

void make_alone(Node& header) { link(&header, &header); }

}  // namespace

void Node::_M_hook(Node* const position) noexcept {
  Node* before = position->_M_prev;
  link(before, this);
  link(this, position);
}

void Node::_M_unhook() noexcept { link(_M_prev, _M_next); }

// The nodes [first, last) go in front of this one.
void Node::_M_transfer(Node* const first, Node* const last) noexcept {
  if (this == last || first == last) return;
  Node* const tail = last->_M_prev;
  link(first->_M_prev, last);
  link(_M_prev, first);
  link(tail, this);
}

void Node::_M_reverse() noexcept {
  Node* node = this;
  do {
    Node* const next = node->_M_next;
    node->_M_next = node->_M_prev;
    node->_M_prev = next;
    node = next;
  } while (node != this);
}

void Node::swap(Node& a, Node& b) noexcept {
  const bool a_alone = alone(a), b_alone = alone(b);
  Node *const first_a = a._M_next, *const last_a = a._M_prev;
  Node *const first_b = b._M_next, *const last_b = b._M_prev;
  if (b_alone)
    make_alone(a);
  else
    take_ring(a, first_b, last_b);
  if (a_alone)
    make_alone(b);
  else
    take_ring(b, first_a, last_a);
}

}  // namespace std::__detail
