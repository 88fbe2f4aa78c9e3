#include "report/symbolizer.h"

#include "report/debug_module.h"

namespace heddle {

Symbolizer::Symbolizer(std::vector<std::string> module_paths) : paths_(std::move(module_paths)), modules_(paths_.size()) {}
Symbolizer::~Symbolizer() = default;

DebugModule* Symbolizer::module_of(Address address) {
  const std::size_t index = wire::index_of(address);
  if (wire::region_of(address) != wire::Region::Module || index >= paths_.size()) return nullptr;
  if (!modules_[index]) modules_[index] = std::make_unique<DebugModule>(paths_[index]);
  return modules_[index].get();
}

std::vector<SourceFrame> Symbolizer::code(Address pc) {
  auto [it, fresh] = code_.try_emplace(pc);
  if (!fresh) return it->second;
  if (DebugModule* module = module_of(pc)) {
    it->second = module->code(wire::offset_of(pc));
  } else {
    it->second = {SourceFrame{"?", "", 0, plain_code_name(pc), false}};
  }
  return it->second;
}

// Module 0 is the program itself, and thread 0 runs main.
std::string Symbolizer::name_of_data(Address address) {
  if (DebugModule* module = module_of(address)) return module->data(wire::offset_of(address));
  DebugModule* program = module_of(wire::make_address(wire::Region::Module, 0, 0));
  if (program != nullptr && wire::region_of(address) == wire::Region::Stack && wire::index_of(address) == 0)
    if (std::string local = program->main_local(wire::offset_of(address)); !local.empty()) return local;
  return plain_data_name(address);
}

std::string Symbolizer::data(Address address) {
  auto [it, fresh] = data_.try_emplace(address);
  if (fresh) it->second = name_of_data(address);
  return it->second;
}

}  // namespace heddle
