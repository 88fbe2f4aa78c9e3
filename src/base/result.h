// Result<T>: a value, or an Error that says what happened, why, and what to do next (the blame rule of docs/architecture.md).
#pragma once
#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace heddle {

// Exit codes of the command line, part of the contract with users.
enum class ExitCode : int {
  Ok = 0,
  Bug = 1,
  Usage = 2,
  Incomplete = 3,
  Nondeterminism = 4,
  Unsupported = 5,
  Internal = 70,
};

struct Error {
  std::string what;                   // one line: what happened and why
  std::string next;                   // what to do or try; may be empty
  ExitCode code = ExitCode::Usage;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() & { HEDDLE_CHECK(ok(), "value of a failed Result"); return std::get<0>(state_); }
  const T& value() const& { HEDDLE_CHECK(ok(), "value of a failed Result"); return std::get<0>(state_); }
  T&& value() && { HEDDLE_CHECK(ok(), "value of a failed Result"); return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Error& error() const { HEDDLE_CHECK(!ok(), "error of a good Result"); return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

struct Nothing {};
using Status = Result<Nothing>;

}  // namespace heddle
