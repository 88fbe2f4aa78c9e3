#include "report/dwarf_types.h"

#include <dwarf.h>
#include <fmt/format.h>

namespace heddle {
namespace {

constexpr int kDeepest = 16;

std::optional<std::uint64_t> number(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute storage;
  Dwarf_Word value = 0;
  if (!dwarf_attr_integrate(die, attribute, &storage) || dwarf_formudata(&storage, &value) != 0) return std::nullopt;
  return value;
}

Dwarf_Die without_qualifiers(Dwarf_Die type) {
  for (int i = 0; i < kDeepest; ++i) {
    switch (dwarf_tag(&type)) {
      case DW_TAG_typedef:
      case DW_TAG_const_type:
      case DW_TAG_volatile_type:
      case DW_TAG_atomic_type:
        break;
      default:
        return type;
    }
    std::optional<Dwarf_Die> next = type_of(&type);
    if (!next) return type;
    type = *next;
  }
  return type;
}

bool is_record(Dwarf_Die* type) {
  const int tag = dwarf_tag(type);
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

struct Member {
  std::string name;  // empty: a base class or an anonymous member
  std::uint64_t offset = 0;
  Dwarf_Die type{};
};

std::optional<Member> member_at(Dwarf_Die* record, std::uint64_t offset) {
  Dwarf_Die child;
  if (dwarf_child(record, &child) != 0) return std::nullopt;
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    const std::uint64_t begin = number(&child, DW_AT_data_member_location).value_or(0);
    std::optional<Dwarf_Die> type = type_of(&child);
    if (!type || offset < begin || offset >= begin + byte_size_of(&*type)) continue;
    const char* name = tag == DW_TAG_member ? dwarf_diename(&child) : nullptr;
    return Member{name ? name : "", begin, *type};
  } while (dwarf_siblingof(&child, &child) == 0);
  return std::nullopt;
}

std::string path_within(Dwarf_Die type, std::uint64_t offset, int depth) {
  type = without_qualifiers(type);
  if (depth > kDeepest) return "";
  if (dwarf_tag(&type) == DW_TAG_array_type) {
    std::optional<Dwarf_Die> element = type_of(&type);
    const std::uint64_t size = element ? byte_size_of(&*element) : 0;
    if (size == 0) return "";
    return fmt::format("[{}]{}", offset / size, path_within(*element, offset % size, depth + 1));
  }
  if (!is_record(&type)) return "";
  std::optional<Member> member = member_at(&type, offset);
  if (!member || member->name.starts_with('_')) return "";
  const std::string rest = path_within(member->type, offset - member->offset, depth + 1);
  return member->name.empty() ? rest : "." + member->name + rest;
}

}  // namespace

std::optional<Dwarf_Die> type_of(Dwarf_Die* die) {
  Dwarf_Attribute storage;
  Dwarf_Die type;
  if (!dwarf_attr_integrate(die, DW_AT_type, &storage) || !dwarf_formref_die(&storage, &type)) return std::nullopt;
  return type;
}

std::uint64_t byte_size_of(Dwarf_Die* type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

std::string member_path(Dwarf_Die* type, std::uint64_t offset) { return path_within(*type, offset, 0); }

}  // namespace heddle
