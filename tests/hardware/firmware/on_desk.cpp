// The C++ library on this computer, a step at a time: "1230 0001 24312C…" is the time in ms, which switches
// are on (the last digit is quarter 0), and what came from the host in hex; answered by what is said, in hex.
// With "crc" as its only word it answers each line with its checksum instead.

#include <HallBoard.h>

#include <iostream>
#include <string>

static std::string said;

static void send(const char* line, size_t length) {
  char hex[3];
  for (size_t at = 0; at < length; ++at) {
    snprintf(hex, sizeof hex, "%02X", static_cast<unsigned char>(line[at]));
    said += hex;
  }
}

int main(int count, char** words) {
  std::string line;
  if (count == 2) {
    char framed[table_line::kLineMax + 1];
    while (std::getline(std::cin, line)) {
      std::cout << (table_line::frame(line.c_str(), framed) ? framed : "too long\n") << std::flush;
    }
    return 0;
  }
  table_line::HallBoard board;
  table_line::Voice voice(words[1], "bench", static_cast<uint16_t>(atol(words[2])), board, send);
  while (std::getline(std::cin, line)) {
    const uint32_t now_ms = static_cast<uint32_t>(std::stoul(line));
    const size_t first = line.find(' '), second = line.find(' ', first + 1);
    const std::string switches = line.substr(first + 1, second - first - 1), came = line.substr(second + 1);
    const char* news = board.sense(static_cast<uint8_t>(std::stoul(switches, nullptr, 2)), now_ms);
    if (news != nullptr && strcmp(news, "TURN") == 0) voice.tell("TURN", board.turned(), now_ms);
    if (news != nullptr) voice.changed();
    for (size_t at = 0; at + 1 < came.size(); at += 2) {
      voice.hear(static_cast<char>(std::stoul(came.substr(at, 2), nullptr, 16)), now_ms);
    }
    voice.speak(now_ms);
    std::cout << said << std::endl;
    said.clear();
  }
}
