// `--record-tree FILE`: a search that writes down its tree of work (explore/tree_recorder.h), with the processor time of tool and target.
#pragma once
#include <cstdio>
#include <memory>
#include <string>

#include "base/result.h"
#include "explore/explorer.h"
#include "target/process_program.h"

namespace heddle {

class Recording {
 public:
  static Result<Recording> open(const std::string& file);  // empty: nothing is recorded

  bool is_on() const { return file_ != nullptr; }

  // The same searches, recorded. `program` and this outlive them.
  Explorer::MakeReduction wrap(Explorer::MakeReduction make, const ProcessProgram& program) const;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace heddle
