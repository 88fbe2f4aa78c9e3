#include "report/record.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>

#include "replay/build_id.h"
#include "report/symbolizer.h"

namespace heddle {
namespace {

std::string absolute(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path full = std::filesystem::absolute(path, failed);
  return failed ? path : full.lexically_normal().string();
}

// Of modules that are not instrumented no build id is kept: a new libc does not make a recording useless.
ModuleFact module_fact(const wire::Module& module, bool is_program) {
  ModuleFact fact{module.path, ""};
  if (!is_program && !module.instrumented) return fact;
  if (Result<std::string> id = build_id(fact.path)) fact.build_id = *id;
  return fact;
}

std::vector<std::string> module_paths(const RunFacts& facts) {
  std::vector<std::string> paths;
  for (const ModuleFact& module : facts.modules) paths.push_back(module.path);
  return paths;
}

// Input from a file is remembered by name and hash, input from a pipe by its bytes.
void record_input(const ProcessProgram& program, const ProcessOptions& asked, RunFacts& facts) {
  if (program.input_fd() < 0) return;
  const std::string open_file = fmt::format("/proc/self/fd/{}", program.input_fd());
  std::error_code failed;
  std::string path = asked.input_file.empty() ? std::filesystem::read_symlink(open_file, failed).string() : absolute(asked.input_file);
  if (Result<std::string> hash = file_hash(path)) {
    facts.input_file = path;
    facts.input_hash = *hash;
  } else {
    std::ifstream file(open_file, std::ios::binary);
    facts.input_text.assign(std::istreambuf_iterator<char>(file), {});
  }
}

TraceFile trace_file_of(const Confirmed& confirmed, const std::string& algorithm, const RunFacts& facts, Places& places) {
  TraceFile trace;
  trace.heddle_version = heddle_version();
  trace.algorithm = algorithm;
  trace.facts = facts;
  trace.facts.timeouts = confirmed.trace.timeouts.limit;
  if (confirmed.visible) trace.facts.visible = *confirmed.visible;
  trace.finding = confirmed.finding;
  trace.trace = confirmed.trace;
  record_places(trace, places);
  return trace;
}

}  // namespace

RunFacts run_facts(const ProcessProgram& program, const ProcessOptions& asked) {
  RunFacts facts;
  facts.program = absolute(program.path());
  facts.arguments = asked.arguments;
  std::error_code ignored;
  facts.directory = std::filesystem::current_path(ignored).string();
  facts.environment = environment_facts(environ);
  record_input(program, asked, facts);
  facts.options = program.options();
  facts.max_steps = asked.max_steps;
  facts.visible = program.visible_ranges();
  facts.threads = program.thread_names();
  const std::vector<wire::Module> modules = program.modules();
  for (std::size_t i = 0; i < modules.size(); ++i) facts.modules.push_back(module_fact(modules[i], i == 0));
  return facts;
}

std::vector<Case> record_findings(const std::vector<Confirmed>& findings, const std::string& algorithm, const RunFacts& facts, const std::string& trace_dir) {
  Symbolizer symbols(module_paths(facts));
  std::vector<Case> cases;
  for (const Confirmed& confirmed : findings) {
    Case& c = cases.emplace_back(Case{trace_file_of(confirmed, algorithm, facts, symbols), "", ""});
    Result<std::string> saved = save_trace_file(trace_dir, c.trace);
    if (saved) {
      c.file = *saved;
    } else {
      c.save_error = saved.error().what + "; " + saved.error().next;
    }
  }
  return cases;
}

}  // namespace heddle
