// A pure virtual call.
// EXPECT: bug abort|exception
struct Base {
  Base() { indirect(); }
  void indirect() { pure(); }
  virtual void pure() = 0;
};
struct Derived : Base {
  void pure() override {}
};

int main() { Derived derived; }
