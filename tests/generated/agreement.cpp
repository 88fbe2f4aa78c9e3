#include "agreement.h"

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <memory>

#include <fmt/format.h>

#include "base/check.h"
#include "explore/reduction/bounded.h"
#include "explore/reduction/dfs.h"
#include "explore/reduction/dpor.h"
#include "explore/reduction/optimal.h"
#include "explore/reduction/source.h"
#include "target/scripted/scripted_program.h"

namespace heddle::generated {
namespace {

struct Variant {
  const char* name;
  std::function<std::unique_ptr<Reduction>()> make;
  bool optimal = false;
};

const Variant kVariants[] = {
    {"optimal", [] { return std::make_unique<Optimal>(); }, true},
    {"optimal with late plans", [] { return std::make_unique<Optimal>(1); }, true},
    {"source", [] { return std::make_unique<Source>(); }},
    {"dpor with sleep sets", [] { return std::make_unique<Dpor>(true); }},
    {"dpor without sleep sets", [] { return std::make_unique<Dpor>(false); }},
    {"dpor, aggressive", [] { return std::make_unique<Dpor>(true, Update::Aggressive); }},
    {"dpor without sleep sets, aggressive", [] { return std::make_unique<Dpor>(false, Update::Aggressive); }},
};

// Within other bounds than that of time-outs `optimal` may run more than once for a trace.
std::vector<Variant> variants_within(const reference::Bounds& bounds) {
  const std::optional<std::uint32_t> most = bounds.preemptions;
  std::vector<Variant> variants = {{"dfs", [=] { return std::make_unique<Dfs>(most); }}};
  if (most) {
    variants.push_back({"dpor, source, optimal", [=] { return std::make_unique<BoundedSearch>("optimal", *most); }});
  } else {
    variants.insert(variants.end(), std::begin(kVariants), std::end(kVariants));
    if (bounds.max_steps)
      for (Variant& v : variants) v.optimal = false;
  }
  return variants;
}

std::string judge(const Variant& variant, const reference::Observations& all, Program& program, std::uint64_t limit,
                  std::uint32_t max_steps = 0) {
  const auto reduction = variant.make();
  const auto seen = reference::search(program, *reduction, 20 * limit, max_steps);
  if (!seen) return fmt::format("{} does not end\n", variant.name);
  std::string text = seen->difference(all);
  if (variant.optimal && seen->executions != all.traces.size())
    text += fmt::format("{} runs for {} traces\n", seen->executions, all.traces.size());
  if (variant.optimal && seen->blocked) text += fmt::format("{} redundant runs\n", seen->blocked);
  return text.empty() ? text : fmt::format("{}:\n{}", variant.name, text);
}

}  // namespace

Agreement compare(const scripted::Script& script, std::uint64_t limit) {
  scripted::ScriptedProgram program(script);
  const auto all = reference::enumerate(program, limit);
  if (!all) return {Judgement::TooBig, {}, 0, 0};
  Agreement a{Judgement::Agree, {}, all->executions, all->traces.size()};
  for (const Variant& variant : kVariants) a.text += judge(variant, *all, program, limit);
  if (!a.text.empty()) a.judgement = Judgement::Disagree;
  return a;
}

Agreement compare_within(const reference::Bounds& bounds, const scripted::Script& script, std::uint64_t limit) {
  scripted::ScriptedProgram program(script);
  program.limit_timeouts(bounds.timeouts);
  const auto all = reference::enumerate(program, limit, bounds);
  if (!all) return {Judgement::TooBig, {}, 0, 0};
  Agreement a{Judgement::Agree, {}, all->executions, all->traces.size()};
  for (const Variant& variant : variants_within(bounds)) a.text += judge(variant, *all, program, limit, bounds.max_steps);
  if (!a.text.empty()) a.judgement = Judgement::Disagree;
  return a;
}

Agreement compare_isolated(const scripted::Script& script, std::uint64_t limit, const reference::Bounds& bounds) {
  return isolated([&] { return bounds.preemptions || bounds.max_steps || bounds.timeouts ? compare_within(bounds, script, limit) : compare(script, limit); });
}

Agreement isolated(const std::function<Agreement()>& compare_them) {
  int ends[2];
  HEDDLE_CHECK(pipe(ends) == 0, "no pipe");
  const pid_t child = fork();
  HEDDLE_CHECK(child >= 0, "no process");
  if (child == 0) {
    alarm(20);  // one that does not end disagrees as well
    dup2(ends[1], STDERR_FILENO);
    const Agreement a = compare_them();
    const ssize_t written = write(ends[1], a.text.data(), a.text.size());
    _exit(written < 0 ? 70 : static_cast<int>(a.judgement));
  }
  close(ends[1]);
  Agreement a;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) a.text.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  const bool told = WIFEXITED(status) && WEXITSTATUS(status) <= static_cast<int>(Judgement::Disagree);
  a.judgement = told ? static_cast<Judgement>(WEXITSTATUS(status)) : Judgement::Disagree;
  return a;
}

std::string as_issue(const scripted::Script& script, const std::string& text, const char* expectation) {
  return fmt::format("// {}\nTEST(Issue, NAME_ME) {{\n{}  {}(s);\n}}\n", text.substr(0, text.find('\n')), scripted::as_cpp(script), expectation);
}

}  // namespace heddle::generated
