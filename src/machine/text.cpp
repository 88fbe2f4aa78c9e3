#include "machine/text.h"

#include <Zydis/Zydis.h>

#include <array>

#include "machine/image.h"

namespace heddle::machine {

std::vector<std::string> instruction_texts(const std::string& elf_path,
                                           const std::vector<std::uint64_t>& addresses) {
  std::vector<std::string> texts(addresses.size());
  const Result<Image> image = Image::open(elf_path);
  if (!image) return texts;
  ZydisDecoder decoder;
  ZydisFormatter formatter;
  ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_ATT);
  for (std::size_t n = 0; n < addresses.size(); ++n) {
    const std::span<const std::uint8_t> bytes = image->bytes(addresses[n]);
    ZydisDecodedInstruction i;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
    std::array<char, 256> text{};
    if (!ZYAN_SUCCESS(
            ZydisDecoderDecodeFull(&decoder, bytes.data(), bytes.size(), &i, operands.data())))
      continue;
    if (ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &i, operands.data(),
                                                     i.operand_count_visible, text.data(),
                                                     text.size(), addresses[n], nullptr)))
      texts[n] = text.data();
  }
  return texts;
}

}  // namespace heddle::machine
