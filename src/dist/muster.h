// Do all ranks have the same program, libraries and input files? They may run on different machines, in different directories.
//
// Rank 0 sends a Welcome; everybody else answers with what they start from, and the first difference is told with the rank's name.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dist/archive.h"
#include "dist/messages.h"
#include "target/process_program.h"

namespace heddle {

struct Ingredient {
  std::string name;  // for the user
  std::string hash;
};

struct Welcome {
  std::string program;  // the file; of a source file, what rank 0 compiled
  std::string hash;     // of it
  std::vector<std::string> environment;
};

struct Muster {
  std::string host;
  std::vector<std::string> words;  // the command line
  std::vector<Ingredient> ingredients;
  std::optional<Error> error;      // it cannot even start
};

// The program's file, arguments that name files, and the libraries it has loaded. REQUIRES the program has been started.
Muster muster(const std::vector<std::string>& words, const ProcessOptions& options, const ProcessProgram& program);
Muster muster(const std::vector<std::string>& words, const Error& error);

// Nothing: the rank can work.
std::optional<Error> refuse(const Muster& ours, int rank, const Muster& theirs);

template <class Archive> void describe(Archive& a, Ingredient& i) { a(i.name)(i.hash); }
template <class Archive> void describe(Archive& a, Welcome& w) { a(w.program)(w.hash)(w.environment); }
template <class Archive> void describe(Archive& a, Muster& m) { a(m.host)(m.words)(m.ingredients)(m.error); }

}  // namespace heddle
