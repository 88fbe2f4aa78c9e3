// A pure virtual call.
// EXPECT: bug abort|exception
struct Base {
  Base();
  virtual void pure() = 0;
};

__attribute__((noinline)) static void call(Base* object) { object->pure(); }

Base::Base() { call(this); }

struct Derived : Base {
  void pure() override {}
};

int main() { Derived derived; }
