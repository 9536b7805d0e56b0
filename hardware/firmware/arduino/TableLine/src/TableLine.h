// TLP/1, the Table Line Protocol, for boards that are programmed in C++: header only, no heap.
//
// A sketch gives `Voice` the time and the bytes that came, and sends what it says. Nothing ever waits:
// what the port does not take is lost, and the next heartbeat tells all again. Runs on an Uno (2 kB of
// memory), an ESP32, and any desktop, where it is tested with the same lines as the Python ends.

#ifndef TABLE_LINE_H
#define TABLE_LINE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace table_line {

constexpr const char* kFirmware = "1.1.0";
constexpr uint8_t kLineMax = 120;  // with "$" and newline
constexpr uint16_t kHeartbeatMs = 1000;
constexpr uint16_t kHelloMs = 10000;
constexpr uint16_t kQuietMs = 2000;
constexpr uint16_t kRepeatsMs[] = {250, 1000};  // after the first time

// CRC-16/CCITT-FALSE; of "123456789" it is 0x29B1.
inline uint16_t crc16(const char* body, size_t length) {
  uint16_t crc = 0xFFFF;
  for (size_t at = 0; at < length; ++at) {
    crc ^= static_cast<uint16_t>(static_cast<uint8_t>(body[at])) << 8;
    for (uint8_t bit = 0; bit < 8; ++bit) {
      crc = crc & 0x8000 ? static_cast<uint16_t>(crc << 1) ^ 0x1021 : static_cast<uint16_t>(crc << 1);
    }
  }
  return crc;
}

// Writes "$body*CRC\n" into `line` (kLineMax + 1 bytes). False if the body is too long.
inline bool frame(const char* body, char* line) {
  const size_t length = strlen(body);
  if (length + 7 > kLineMax) return false;
  snprintf(line, kLineMax + 1, "$%s*%04X\n", body, crc16(body, length));
  return true;
}

// What the host may say; anything else is kNone.
enum class Verb : uint8_t { kNone, kWho, kState, kConfigure, kZero, kLed, kPing, kOther };

struct Order {
  Verb verb;
  bool is_ours;       // false: to everybody
  uint16_t number;    // for the ACK
  const char* fields; // the rest, comma-separated, in the line that was given
};

// Reads a line without its newline, in place. kNone for what is no order for `name`: modem commands,
// damaged lines, lines for others, our own words echoed.
inline Order read_order(char* line, const char* name) {
  const Order none = {Verb::kNone, false, 0, ""};
  char* body = strrchr(line, '$');
  if (body == nullptr) return none;
  ++body;
  size_t length = strlen(body);
  if (length && body[length - 1] == '\r') body[--length] = 0;
  if (length < 12 || length + 2 > kLineMax || body[length - 5] != '*') return none;
  char crc[5];
  snprintf(crc, sizeof crc, "%04X", crc16(body, length - 5));
  if (strcmp(crc, body + length - 4) != 0) return none;
  body[length - 5] = 0;
  char* part[6];
  part[0] = body;
  for (uint8_t at = 1; at < 6; ++at) {
    char* comma = strchr(part[at - 1], ',');
    if (comma == nullptr) return none;
    *comma = 0;
    part[at] = comma + 1;
  }
  char* rest = strchr(part[5], ',');
  if (rest != nullptr) *rest++ = 0;
  const bool is_ours = strcmp(part[1], name) == 0;
  if (strcmp(part[0], "1") != 0 || (!is_ours && strcmp(part[1], "*") != 0)) return none;
  struct Named { const char* name; Verb verb; };
  const Named named[] = {{"WHO", Verb::kWho},   {"STATE", Verb::kState}, {"CFG", Verb::kConfigure},
                         {"ZERO", Verb::kZero}, {"LED", Verb::kLed},     {"PING", Verb::kPing}};
  Verb verb = Verb::kOther;
  for (const Named& one : named) {
    if (strcmp(one.name, part[5]) == 0) verb = one.verb;
  }
  return {verb, is_ours, static_cast<uint16_t>(atol(part[3])), rest == nullptr ? "" : rest};
}

// What a die or a rotor is to `Voice`.
class Device {
 public:
  virtual const char* kind() const = 0;                         // "die" or "rotor"
  virtual uint8_t positions() const = 0;                        // faces or quarters
  virtual void status(char* fields, size_t size) const = 0;     // of the ST line, without its first comma
  virtual bool set(const char*, const char*) { return false; }  // settle, sign, led
  virtual bool zero() { return false; }
};

// Everything that a device says, through `send(line, length)`, which must not wait.
class Voice {
 public:
  using Send = void (*)(const char* line, size_t length);

  Voice(const char* name, const char* hardware, uint16_t boot, Device& device, Send send)
      : name_(name), hardware_(hardware), boot_(boot ? boot : 1), device_(device), send_(send) {}

  // Takes in one byte from the host.
  void hear(char byte, uint32_t now_ms) {
    if (byte != '\n') {
      if (heard_ < kLineMax) in_[heard_++] = byte;
      else is_overrun_ = true;
      return;
    }
    in_[heard_] = 0;
    const bool is_whole = !is_overrun_;
    heard_ = 0;
    is_overrun_ = false;
    if (is_whole) obey(read_order(in_, name_), now_ms);
  }

  // Says what is due: call it at least every 20 ms.
  void speak(uint32_t now_ms) {
    if (!has_spoken_) {
      has_spoken_ = true;
      send_("\n", 1);
      hello(now_ms);
    }
    if (result_left_ && static_cast<int32_t>(now_ms - result_ms_) >= 0) repeat_result(now_ms);
    if (wants_status_ || now_ms - beat_ms_ >= heartbeat_ms_) status(now_ms);
    if (!is_known_ && now_ms - hello_ms_ >= kHelloMs) hello(now_ms);
  }

  // Says a result such as "ROLL", "4,2,98,1360": three times, so that one lost line loses nothing.
  void tell(const char* type, const char* fields, uint32_t now_ms) {
    strncpy(type_, type, sizeof type_ - 1);
    strncpy(result_, fields, sizeof result_ - 1);
    result_left_ = 2;
    result_ms_ = now_ms + kRepeatsMs[0];
    result_from_ms_ = now_ms;
    say(type_, result_, now_ms);
  }

  // The status changed: it is said at the next `speak`.
  void changed() { wants_status_ = true; }

  void say(const char* type, const char* fields, uint32_t now_ms) {
    char body[kLineMax - 6], line[kLineMax + 1];
    const int size = snprintf(body, sizeof body, "1,%s,%04X,%u,%lu,%s%s%s", name_, boot_, seq_,
                              static_cast<unsigned long>(now_ms), type, *fields ? "," : "", fields);
    ++seq_;
    if (size < 0 || static_cast<size_t>(size) >= sizeof body || !frame(body, line)) return;
    if (now_ms - spoke_ms_ >= kQuietMs) send_("\n", 1);  // ends what another may have left half written
    spoke_ms_ = now_ms;
    send_(line, strlen(line));
  }

 private:
  void hello(uint32_t now_ms) {
    char fields[80];
    snprintf(fields, sizeof fields, "kind=%s,fw=%s,hw=%s,proto=1,%s=%u,hb=%u", device_.kind(), kFirmware,
             hardware_, strcmp(device_.kind(), "die") == 0 ? "faces" : "pos", device_.positions(), heartbeat_ms_);
    hello_ms_ = now_ms;
    say("HELLO", fields, now_ms);
  }

  void status(uint32_t now_ms) {
    char fields[48];
    device_.status(fields, sizeof fields);
    wants_status_ = false;
    beat_ms_ = now_ms;
    say("ST", fields, now_ms);
  }

  void repeat_result(uint32_t now_ms) {
    --result_left_;
    result_ms_ = result_from_ms_ + kRepeatsMs[1];
    say(type_, result_, now_ms);
  }

  void obey(const Order& order, uint32_t now_ms) {
    if (order.verb == Verb::kNone) return;
    is_known_ = true;
    bool is_done = true;
    switch (order.verb) {
      case Verb::kWho: hello(now_ms); break;
      case Verb::kState: wants_status_ = true; break;
      case Verb::kConfigure: is_done = configure(order.fields); break;
      case Verb::kZero: is_done = device_.zero(); break;
      case Verb::kLed: is_done = device_.set("led", order.fields); break;
      case Verb::kPing: break;
      default: is_done = false;
    }
    if (!order.is_ours) return;
    char fields[12];
    snprintf(fields, sizeof fields, "%u,%s", order.number, is_done ? "OK" : "ERR");
    say("ACK", fields, now_ms);
  }

  bool configure(const char* fields) {
    while (*fields) {
      const char* end = strchr(fields, ',');
      const size_t length = end == nullptr ? strlen(fields) : static_cast<size_t>(end - fields);
      char pair[32];
      if (length < sizeof pair) {
        memcpy(pair, fields, length);
        pair[length] = 0;
        if (!set(pair)) return false;
      }
      fields += length + (end != nullptr);
    }
    return true;
  }

  bool set(char* pair) {
    char* value = strchr(pair, '=');
    if (value == nullptr) return true;
    *value++ = 0;
    if (strcmp(pair, "hb") == 0) {
      const long wanted_ms = atol(value);
      if (wanted_ms < 50 || wanted_ms > 60000) return false;
      heartbeat_ms_ = static_cast<uint16_t>(wanted_ms);
      return true;
    }
    const bool is_known = strcmp(pair, "settle") == 0 || strcmp(pair, "sign") == 0;
    return !is_known || device_.set(pair, value);
  }

  const char* name_;
  const char* hardware_;
  uint16_t boot_;
  Device& device_;
  Send send_;
  uint16_t seq_ = 0, heartbeat_ms_ = kHeartbeatMs;
  uint32_t beat_ms_ = 0, hello_ms_ = 0, spoke_ms_ = 0, result_ms_ = 0, result_from_ms_ = 0;
  uint8_t heard_ = 0, result_left_ = 0;
  bool is_overrun_ = false, is_known_ = false, has_spoken_ = false, wants_status_ = true;
  char type_[6] = "", result_[40] = "", in_[kLineMax + 1] = "";
};

}  // namespace table_line

#endif  // TABLE_LINE_H
