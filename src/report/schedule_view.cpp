#include "report/schedule_view.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "report/wording.h"

namespace heddle {
namespace {

constexpr std::size_t kShortestFold = 4;  // fewer steps than this are shown as they are
constexpr std::size_t kNearTheEnd = 6;
constexpr std::size_t kNarrowest = 20;    // a column with less room says too little
constexpr std::size_t kGap = 2;
constexpr std::size_t kNever = ~std::size_t{0};

// In tables the file's name is enough; the report above it has the path. An offset into a shared library helps nobody.
std::string short_place(const SourceFrame& frame) {
  if (frame.file.empty()) return frame.fallback.find(".so") != std::string::npos ? "" : frame.fallback;
  return fmt::format("{}:{}", std::filesystem::path(frame.file).filename().string(), frame.line);
}

class Rows {
 public:
  explicit Rows(const TraceFile& trace) : trace_(trace), places_(trace.places), stacks_(trace.trace.events.size()) {
    for (const Stack& stack : trace.trace.stacks)
      if (stack.owner == wire::StackRecord::OfEvent && stack.owner_index < stacks_.size()) stacks_[stack.owner_index] = &stack;
    // What happened after the bug showed does not explain it.
    find_earlier_side();
    end_ = trace.finding.step > 0 ? std::min<std::size_t>(trace.finding.step, events().size()) : events().size();
  }

  const std::vector<Event>& events() const { return trace_.trace.events; }
  std::size_t end() const { return end_; }

  // Folds every maximal stretch of one thread for which `dull` holds, if it is long enough to be worth it.
  template <class Dull>
  std::vector<ScheduleRow> fold(Dull dull) {
    std::vector<ScheduleRow> rows;
    for (std::size_t i = 0; i < end_;) {
      std::size_t j = i;
      while (j < end_ && dull(j) && events()[j].thread == events()[i].thread && (j == i || j != earlier_after_)) ++j;
      if (j - i >= kShortestFold) {
        rows.push_back({ScheduleRow::Folded, i + 1, events()[i].thread, fmt::format("... {} steps", j - i), ""});
        i = j;
      } else {
        rows.push_back(row(i));
        ++i;
      }
      add_earlier_side(rows, i);
    }
    return rows;
  }

  ScheduleRow row(std::size_t i) {
    const Event& event = events()[i];
    const std::vector<Address> stack = stacks_[i] && !stacks_[i]->frames.empty() ? stacks_[i]->frames : std::vector<Address>{event.pc};
    return {ScheduleRow::Step, i + 1, event.thread, step_text(event, places_), short_place(user_frame(stack, places_))};
  }

  // What the threads were at when it ended: where they are stuck, or the operation that is the bug.
  void add_final(std::vector<ScheduleRow>& rows) {
    if (trace_.trace.end == wire::End::Deadlock || trace_.trace.end == wire::End::TimeoutLimit) {
      for (std::uint32_t i = 0; i < trace_.trace.pending.size(); ++i) add_stuck(rows, i);
    } else if (!trace_.finding.involved.empty()) {
      rows.push_back(involved_row(trace_.finding.involved.front()));
    }
  }

  bool is_involved(Address object) const {
    return std::any_of(trace_.finding.involved.begin(), trace_.finding.involved.end(),
                       [&](const Involved& i) { return i.object == object && object != 0; });
  }

 private:
  // Stacks are recorded as the run goes: those of events before the one of the earlier access say when that happened.
  void find_earlier_side() {
    if (trace_.finding.involved.size() < 2) return;
    const Involved& earlier = trace_.finding.involved[1];
    std::size_t events_before = 0;
    for (const Stack& stack : trace_.trace.stacks) {
      if (stack.owner == wire::StackRecord::OfEvent) events_before = stack.owner_index + std::size_t{1};
      if (stack.owner == wire::StackRecord::OfReportOther && stack.thread == earlier.thread && stack.frames == earlier.stack)
        earlier_after_ = events_before;
    }
  }

  void add_earlier_side(std::vector<ScheduleRow>& rows, std::size_t events_shown) {
    if (events_shown == earlier_after_) rows.push_back(involved_row(trace_.finding.involved[1]));
  }

  ScheduleRow involved_row(const Involved& involved) {
    const bool about_memory = involved.object != 0 && involved.role != kind_name(trace_.finding.kind);
    const std::string verb = involved.role.substr(0, involved.role.find(" of "));  // "write of 4 bytes"
    const std::string what = about_memory ? fmt::format("{} {}", verb, places_.data(involved.object)) : involved.role;
    return {ScheduleRow::Final, 0, involved.thread, what, short_place(user_frame(involved.stack, places_))};
  }

  void add_stuck(std::vector<ScheduleRow>& rows, std::uint32_t i) {
    const Pending& pending = trace_.trace.pending[i];
    const auto stack = recorded_stack(trace_.trace, wire::StackRecord::OfPending, i, pending.pc);
    rows.push_back({ScheduleRow::Final, 0, pending.thread, "stuck: " + pending_text(pending, places_),
                    short_place(user_frame(stack, places_))});
  }

  const TraceFile& trace_;
  RecordedPlaces places_;
  std::vector<const Stack*> stacks_;
  std::size_t end_ = 0;
  std::size_t earlier_after_ = kNever;  // number of events before the earlier side of a two-sided finding
};

// Objects that more than one thread used: the others cannot be what the threads quarrel about.
std::set<Address> shared_objects(const std::vector<Event>& events) {
  std::map<Address, int> first_user;
  std::set<Address> shared;
  for (const Event& event : events) {
    const auto [it, fresh] = first_user.try_emplace(event.object, event.thread);
    if (!fresh && it->second != event.thread) shared.insert(event.object);
  }
  return shared;
}

// --- drawing -------------------------------------------------------------------------------------------------------

std::string cut(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width > 2 ? width - 2 : 0) + "..";
}

std::size_t cell_width(const ScheduleRow& row) { return row.text.size() + (row.place.empty() ? 0 : kGap + row.place.size()); }

struct Column {
  int thread;
  std::size_t width;
};

// As wide as the text needs; where that is too much, the widest give way first.
std::vector<Column> columns_of(const std::vector<ScheduleRow>& rows, std::size_t room) {
  std::map<int, std::size_t> needed;
  for (const ScheduleRow& row : rows) {
    std::size_t& width = needed[row.thread];
    width = std::max({width, cell_width(row), thread_name(row.thread).size()});
  }
  std::vector<Column> columns;
  std::size_t total = 0;
  for (const auto& [thread, width] : needed) {
    columns.push_back({thread, width});
    total += width + kGap;
  }
  while (total > room) {
    auto widest = std::max_element(columns.begin(), columns.end(), [](const Column& a, const Column& b) { return a.width < b.width; });
    if (widest->width <= kNarrowest) return {};
    --widest->width;
    --total;
  }
  return columns;
}

std::string number(const ScheduleRow& row) { return row.step > 0 ? fmt::format("{}", row.step) : ""; }

std::string paint(const ScheduleRow& row, const std::string& text, const Style& style) {
  if (row.kind == ScheduleRow::Final) return style.bad(text);
  return row.kind == ScheduleRow::Folded ? style.dim(text) : text;
}

// A cell is "text  place"; where both do not fit side by side, the place goes to a line of its own.
std::vector<std::string> cell_lines(const ScheduleRow& row, std::size_t width) {
  if (row.place.empty()) return {cut(row.text, width)};
  if (cell_width(row) <= width) return {row.text + std::string(width - cell_width(row) + kGap, ' ') + row.place};
  return {cut(row.text, width), "  " + cut(row.place, width - 2)};
}

std::string draw_table(const std::vector<ScheduleRow>& rows, const std::vector<Column>& columns, std::size_t step_width,
                       const Style& style, const std::string& indent) {
  std::string header = indent + fmt::format("{:>{}}", "step", step_width);
  std::map<int, std::size_t> offset;
  std::size_t at = 0;
  for (const Column& column : columns) {
    offset[column.thread] = at;
    at += column.width + kGap;
    header += std::string(kGap, ' ') + fmt::format("{:<{}}", thread_name(column.thread), column.width);
  }
  header.erase(header.find_last_not_of(' ') + 1);
  std::string out = style.bold(header) + "\n";
  for (const ScheduleRow& row : rows) {
    const auto column = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.thread == row.thread; });
    std::string label = number(row);
    for (const std::string& line : cell_lines(row, column->width)) {
      out += indent + fmt::format("{:>{}}", label, step_width) + std::string(kGap + offset[row.thread], ' ') + paint(row, line, style) + "\n";
      label.clear();
    }
  }
  return out;
}

std::string draw_list(const std::vector<ScheduleRow>& rows, std::size_t step_width, const Style& style, const std::string& indent) {
  std::string out;
  int last = -1;
  for (const ScheduleRow& row : rows) {
    if (row.thread != last) out += indent + style.bold(thread_name(row.thread)) + "\n";
    last = row.thread;
    const std::string text = row.place.empty() ? row.text : row.text + "  " + row.place;
    out += indent + fmt::format("{:>{}}", number(row), step_width) + "  " + paint(row, text, style) + "\n";
  }
  return out;
}

// The file that all rows are in, or nothing if they are in several.
std::string common_file(const std::vector<ScheduleRow>& rows) {
  std::string common;
  for (const ScheduleRow& row : rows) {
    if (row.place.empty()) continue;
    const std::size_t colon = row.place.rfind(':');
    const std::string file = colon == std::string::npos ? "" : row.place.substr(0, colon);
    if (file.empty() || (!common.empty() && common != file)) return "";
    common = file;
  }
  return common;
}

}  // namespace

std::vector<ScheduleRow> whole_schedule(const TraceFile& trace) {
  Rows rows(trace);
  const std::set<Address> shared = shared_objects(rows.events());
  std::vector<ScheduleRow> result = rows.fold([&](std::size_t i) {
    const Event& event = rows.events()[i];
    return !shared.contains(event.object) && wire::op_class(event.op) != wire::OpClass::Thread && !rows.is_involved(event.object);
  });
  rows.add_final(result);
  return result;
}

std::vector<ScheduleRow> end_of_schedule(const TraceFile& trace, std::size_t most_rows) {
  Rows rows(trace);
  std::vector<ScheduleRow> result = rows.fold([&](std::size_t i) {
    return i + kNearTheEnd < rows.end() && !rows.is_involved(rows.events()[i].object);
  });
  if (result.size() > most_rows) {
    const std::size_t dropped = result.size() - most_rows;
    result.erase(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(dropped));
    if (result.front().step > 1)
      result.insert(result.begin(), {ScheduleRow::Folded, 1, 0, fmt::format("... {} steps", result.front().step - 1), ""});
  }
  rows.add_final(result);
  return result;
}

std::string draw(const std::vector<ScheduleRow>& all_rows, const Style& style, const std::string& indent) {
  std::vector<ScheduleRow> rows = all_rows;
  const std::string file = common_file(rows);
  for (ScheduleRow& row : rows) row.place.erase(0, std::min(file.size(), row.place.size()));
  std::size_t step_width = 4;
  for (const ScheduleRow& row : rows) step_width = std::max(step_width, number(row).size());
  const std::size_t used = indent.size() + step_width;
  const std::size_t width = static_cast<std::size_t>(std::max(style.width, 0));
  const std::vector<Column> columns = columns_of(rows, width > used ? width - used : 0);
  const std::string note = file.empty() ? "" : style.dim(fmt::format("{}(:12 is line 12 of {})", indent, file)) + "\n";
  return note + (columns.empty() ? draw_list(rows, step_width, style, indent) : draw_table(rows, columns, step_width, style, indent));
}

}  // namespace heddle
