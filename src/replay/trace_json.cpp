#include "replay/trace_json.h"

#include <fmt/format.h>

#include "model/views.h"
#include "replay/address_text.h"

namespace heddle {
namespace {

using nlohmann::json;

// --- small values --------------------------------------------------------------------------------------------------

bool is_utf8(const std::string& bytes) {
  try {
    (void)json(bytes).dump();
    return true;
  } catch (const json::type_error&) {
    return false;
  }
}

// JSON holds text only; arguments and output may be any bytes. Those that are no UTF-8 are kept as Latin-1.
json text_to_json(const std::string& bytes) {
  if (is_utf8(bytes)) return bytes;
  std::string wide;
  for (unsigned char c : bytes) {
    if (c < 0x80) {
      wide += static_cast<char>(c);
    } else {
      wide += static_cast<char>(0xc0 | (c >> 6));
      wide += static_cast<char>(0x80 | (c & 0x3f));
    }
  }
  return json{{"latin1", wide}};
}

std::string text_from_json(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  const std::string wide = value.at("latin1").get<std::string>();
  std::string bytes;
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const auto c = static_cast<unsigned char>(wide[i]);
    if (c < 0x80) {
      bytes += static_cast<char>(c);
    } else {
      if (++i >= wide.size()) throw BadTrace("bad text");
      bytes += static_cast<char>((c << 6) | (static_cast<unsigned char>(wide[i]) & 0x3f));
    }
  }
  return bytes;
}

json texts_to_json(const std::vector<std::string>& texts) {
  json list = json::array();
  for (const std::string& text : texts) list.push_back(text_to_json(text));
  return list;
}

std::vector<std::string> texts_from_json(const json& list) {
  std::vector<std::string> texts;
  for (const json& value : list) texts.push_back(text_from_json(value));
  return texts;
}

Address address_from_json(const json& value) {
  if (auto address = parse_address(value.get_ref<const std::string&>())) return *address;
  throw BadTrace("bad address " + value.get<std::string>());
}

json stack_to_json(const std::vector<Address>& frames) {
  json list = json::array();
  for (Address pc : frames) list.push_back(address_text(pc));
  return list;
}

std::vector<Address> stack_from_json(const json& list) {
  std::vector<Address> frames;
  for (const json& value : list) frames.push_back(address_from_json(value));
  return frames;
}

json set_to_json(const wire::SmallSet& set) {
  json list = json::array();
  for (int i = set.next(); i >= 0; i = i < 127 ? set.next(i + 1) : -1) list.push_back(i);
  return list;
}

wire::SmallSet set_from_json(const json& list) {
  wire::SmallSet set;
  for (const json& value : list) {
    const int i = value.get<int>();
    if (i < 0 || i > 127) throw BadTrace("bad set member");
    set.add(i);
  }
  return set;
}

Op op_from_json(const json& value) {
  const std::string& name = value.get_ref<const std::string&>();
  for (int i = 0; i < wire::kOpCount; ++i)
    if (name == wire::op_name(static_cast<Op>(i))) return static_cast<Op>(i);
  throw BadTrace("unknown operation " + name);
}

// --- the run -------------------------------------------------------------------------------------------------------

// One line an event: thread, operation, alternative, outcome, size, object, argument, code, enabled threads.
json event_to_json(const Event& e) {
  return json::array({e.thread, wire::op_name(e.op), e.alternative, e.outcome, e.size, address_text(e.object),
                      address_text(second_object(e)), address_text(e.pc), set_to_json(e.enabled)});
}

Event event_from_json(const json& list) {
  Event e;
  e.thread = list.at(0).get<std::uint8_t>();
  e.op = op_from_json(list.at(1));
  e.alternative = list.at(2).get<std::uint8_t>();
  e.outcome = list.at(3).get<std::uint8_t>();
  e.size = list.at(4).get<std::uint32_t>();
  e.object = address_from_json(list.at(5));
  e.argument = address_from_json(list.at(6));
  e.pc = address_from_json(list.at(7));
  e.enabled = set_from_json(list.at(8));
  return e;
}

json pending_to_json(const Pending& p) {
  return json{{"thread", p.thread},
              {"op", wire::op_name(p.op)},
              {"enabled", p.enabled},
              {"holder", p.holder},
              {"size", p.size},
              {"object", address_text(p.object)},
              {"argument", address_text(second_object(p))},
              {"pc", address_text(p.pc)},
              {"alternatives", set_to_json(p.alternatives)}};
}

Pending pending_from_json(const json& value) {
  Pending p;
  p.thread = value.at("thread");
  p.op = op_from_json(value.at("op"));
  p.enabled = value.at("enabled");
  p.holder = value.at("holder");
  p.size = value.at("size");
  p.object = address_from_json(value.at("object"));
  p.argument = address_from_json(value.at("argument"));
  p.pc = address_from_json(value.at("pc"));
  p.alternatives = set_from_json(value.at("alternatives"));
  return p;
}

json trace_to_json(const Trace& trace) {
  json events = json::array();
  for (const Event& event : trace.events) events.push_back(event_to_json(event));
  json pending = json::array();
  for (const Pending& p : trace.pending) pending.push_back(pending_to_json(p));
  // Steps of a loop have equal stacks: each is written once and referred to by number.
  std::map<std::vector<Address>, std::size_t> numbers;
  json frames = json::array(), stacks = json::array();
  for (const Stack& s : trace.stacks) {
    const auto [it, fresh] = numbers.try_emplace(s.frames, numbers.size());
    if (fresh) frames.push_back(stack_to_json(s.frames));
    stacks.push_back({static_cast<int>(s.owner), s.thread, s.owner_index, it->second});
  }
  return json{{"end", static_cast<int>(trace.end)},
              {"events", events},
              {"pending", pending},
              {"frames", frames},
              {"stacks", stacks},
              {"threads", trace.threads},
              {"unjoined", trace.unjoined},
              {"exit_status", trace.exit_status},
              {"output", text_to_json(trace.output)}};
}

Trace trace_from_json(const json& value) {
  Trace trace;
  trace.end = static_cast<wire::End>(value.at("end").get<int>());
  for (const json& event : value.at("events")) trace.events.push_back(event_from_json(event));
  for (const json& pending : value.at("pending")) trace.pending.push_back(pending_from_json(pending));
  for (const json& stack : value.at("stacks"))
    trace.stacks.push_back(Stack{static_cast<wire::StackRecord::Owner>(stack.at(0).get<int>()), stack.at(1), stack.at(2),
                                 stack_from_json(value.at("frames").at(stack.at(3).get<std::size_t>()))});
  trace.threads = value.at("threads");
  trace.unjoined = value.at("unjoined");
  trace.exit_status = value.at("exit_status");
  trace.output = text_from_json(value.at("output"));
  return trace;
}

// --- the finding ---------------------------------------------------------------------------------------------------

constexpr FindingKind kLastKind = FindingKind::UncaughtExit;

FindingKind kind_from_json(const json& value) {
  const std::string& name = value.get_ref<const std::string&>();
  for (int i = 0; i <= static_cast<int>(kLastKind); ++i)
    if (name == kind_name(static_cast<FindingKind>(i))) return static_cast<FindingKind>(i);
  throw BadTrace("unknown kind of finding " + name);
}

json finding_to_json(const Finding& finding) {
  json involved = json::array();
  for (const Involved& i : finding.involved)
    involved.push_back({{"thread", i.thread},
                        {"role", i.role},
                        {"object", address_text(i.object)},
                        {"size", i.size},
                        {"stack", stack_to_json(i.stack)}});
  json choices = json::array();
  for (Choice c : finding.choices) choices.push_back({c.thread, c.alternative});
  return json{{"kind", kind_name(finding.kind)}, {"message", text_to_json(finding.message)}, {"involved", involved},
              {"choices", choices},              {"signature", finding.signature},           {"step", finding.step},
              {"lap", finding.lap},              {"maybe_ordered_by", text_to_json(finding.maybe_ordered_by)}};
}

Finding finding_from_json(const json& value) {
  Finding finding;
  finding.kind = kind_from_json(value.at("kind"));
  finding.message = text_from_json(value.at("message"));
  finding.signature = value.at("signature");
  finding.step = value.at("step");
  finding.lap = value.value("lap", 0u);
  if (value.contains("maybe_ordered_by")) finding.maybe_ordered_by = text_from_json(value.at("maybe_ordered_by"));
  for (const json& i : value.at("involved"))
    finding.involved.push_back(
        Involved{i.at("thread"), i.at("role"), address_from_json(i.at("object")), i.at("size"), stack_from_json(i.at("stack"))});
  for (const json& c : value.at("choices")) finding.choices.push_back(Choice{c.at(0), c.at(1)});
  return finding;
}

// --- what the run depends on ---------------------------------------------------------------------------------------

json options_to_json(const RunFacts& facts) {
  const wire::Options& o = facts.options;
  json visible = json::array();
  for (const wire::VisibleRange& range : facts.visible) visible.push_back({address_text(range.address), range.size});
  return json{{"executor", o.executor == wire::Executor::Fork ? "fork" : "rollback"},
              {"visibility", o.visibility == wire::Visibility::All ? "all" : "racy"},
              {"detect_races", o.detect_races != 0},
              {"spurious_wakeups", o.spurious_wakeups != 0},
              {"weak_cas_fails", o.weak_cas_fails != 0},
              {"observe_output", o.observe_output != 0},
              {"await_spins", o.await_spins != 0},
              {"captures_states", o.state != wire::StateMode::None},
              {"unbuffered", o.unbuffered != 0},
              {"patch", o.patch != 0},
              {"cpus", o.cpus},
              {"random_seed", o.random_seed},
              {"hang_ms", o.hang_ms},
              {"memory_mb", o.memory_mb},
              {"max_steps", facts.max_steps},
              {"timeouts", facts.timeouts},
              {"allowed_exits", facts.allowed_exits},
              {"visible", visible}};
}

void options_from_json(const json& value, RunFacts& facts) {
  wire::Options& o = facts.options;
  o.executor = value.at("executor") == "fork" ? wire::Executor::Fork : wire::Executor::Rollback;
  o.visibility = value.at("visibility") == "all" ? wire::Visibility::All : wire::Visibility::Racy;
  o.detect_races = value.at("detect_races").get<bool>();
  o.spurious_wakeups = value.at("spurious_wakeups").get<bool>();
  o.weak_cas_fails = value.at("weak_cas_fails").get<bool>();
  o.observe_output = value.value("observe_output", false);
  o.await_spins = value.at("await_spins").get<bool>();
  o.state = value.value("captures_states", false) ? wire::StateMode::Exact : wire::StateMode::None;
  o.unbuffered = value.value("unbuffered", o.state != wire::StateMode::None);  // those that captured states always were
  o.patch = value.value("patch", true);
  o.cpus = value.at("cpus");
  o.random_seed = value.at("random_seed");
  o.hang_ms = value.at("hang_ms");
  o.memory_mb = value.value("memory_mb", o.memory_mb);
  facts.max_steps = value.at("max_steps");
  facts.timeouts = value.value("timeouts", 0u);
  facts.allowed_exits = value.at("allowed_exits").get<std::vector<int>>();
  for (const json& range : value.at("visible"))
    facts.visible.push_back(wire::VisibleRange{address_from_json(range.at(0)), range.at(1)});
}

json facts_to_json(const RunFacts& facts) {
  json environment = json::object();
  for (const auto& [name, value] : facts.environment) environment[name] = text_to_json(value);
  json modules = json::array();
  for (const ModuleFact& m : facts.modules) modules.push_back({{"path", text_to_json(m.path)}, {"build_id", m.build_id}});
  json threads = json::array();
  for (const wire::ThreadName& t : facts.threads) threads.push_back({t.parent, t.child});
  return json{{"program", text_to_json(facts.program)},
              {"arguments", texts_to_json(facts.arguments)},
              {"directory", text_to_json(facts.directory)},
              {"environment", environment},
              {"input_file", text_to_json(facts.input_file)},
              {"input_hash", facts.input_hash},
              {"input_text", text_to_json(facts.input_text)},
              {"options", options_to_json(facts)},
              {"modules", modules},
              {"threads", threads}};
}

RunFacts facts_from_json(const json& value) {
  RunFacts facts;
  facts.program = text_from_json(value.at("program"));
  facts.arguments = texts_from_json(value.at("arguments"));
  facts.directory = text_from_json(value.at("directory"));
  for (const auto& [name, text] : value.at("environment").items()) facts.environment[name] = text_from_json(text);
  facts.input_file = text_from_json(value.at("input_file"));
  facts.input_hash = value.at("input_hash");
  facts.input_text = text_from_json(value.at("input_text"));
  options_from_json(value.at("options"), facts);
  for (const json& m : value.at("modules"))
    facts.modules.push_back(ModuleFact{text_from_json(m.at("path")), m.at("build_id")});
  for (const json& t : value.at("threads")) {
    wire::ThreadName name;
    name.parent = t.at(0);
    name.child = t.at(1);
    facts.threads.push_back(name);
  }
  return facts;
}

// --- source places -------------------------------------------------------------------------------------------------

json places_to_json(const RecordedPlaces& places) {
  json code = json::object();
  for (const auto& [pc, frames] : places.frames) {
    json list = json::array();
    for (const SourceFrame& f : frames)
      list.push_back({text_to_json(f.function), text_to_json(f.file), f.line, text_to_json(f.fallback), f.inlined});
    code[address_text(pc)] = list;
  }
  json data = json::object();
  for (const auto& [address, name] : places.names) data[address_text(address)] = text_to_json(name);
  return json{{"code", code}, {"data", data}};
}

RecordedPlaces places_from_json(const json& value) {
  RecordedPlaces places;
  for (const auto& [pc, list] : value.at("code").items()) {
    std::vector<SourceFrame>& frames = places.frames[address_from_json(pc)];
    for (const json& f : list)
      frames.push_back(SourceFrame{text_from_json(f.at(0)), text_from_json(f.at(1)), f.at(2), text_from_json(f.at(3)), f.at(4)});
  }
  for (const auto& [address, name] : value.at("data").items()) places.names[address_from_json(address)] = text_from_json(name);
  return places;
}

}  // namespace

json body_to_json(const TraceFile& trace) {
  return json{{"algorithm", trace.algorithm},
              {"facts", facts_to_json(trace.facts)},
              {"finding", finding_to_json(trace.finding)},
              {"run", trace_to_json(trace.trace)},
              {"places", places_to_json(trace.places)}};
}

TraceFile body_from_json(const json& body) {
  TraceFile trace;
  trace.algorithm = body.at("algorithm");
  trace.facts = facts_from_json(body.at("facts"));
  trace.finding = finding_from_json(body.at("finding"));
  trace.trace = trace_from_json(body.at("run"));
  trace.places = places_from_json(body.at("places"));
  return trace;
}

}  // namespace heddle
