// A turning board of four Hall switches: which of them are on goes in, states and turns come out.

#ifndef HALL_BOARD_H
#define HALL_BOARD_H

#include "TableLine.h"

namespace table_line {

constexpr uint8_t kBounceMs = 8;
constexpr uint16_t kSettlesMs = 400;
constexpr uint16_t kUnfinishedMs = 3000;

class HallBoard : public Device {
 public:
  const char* kind() const override { return "rotor"; }
  uint8_t positions() const override { return 4; }

  void status(char* fields, size_t size) const override {
    char quarter[2] = {quarter_ < 0 ? '-' : static_cast<char>('0' + quarter_), 0};
    snprintf(fields, size, "%c,%s,-,%lu,%ld,1", state_, quarter, static_cast<unsigned long>(turns_),
             static_cast<long>(net_));
  }

  bool set(const char* key, const char* value) override {
    if (strcmp(key, "settle") != 0) return strcmp(key, "sign") == 0 && strcmp(value, "1") == 0;
    const long wanted_ms = atol(value);
    if (wanted_ms < 100 || wanted_ms > 2000) return false;
    settles_ms_ = static_cast<uint16_t>(wanted_ms);
    return true;
  }

  // Takes in the switches, bit 0 for quarter 0, clockwise. Returns nullptr, "ST" or "TURN".
  const char* sense(uint8_t on, uint32_t now_ms) {
    if (on != raw_) {
      raw_ = on;
      raw_ms_ = now_ms;
    }
    if (now_ms - raw_ms_ < kBounceMs) return nullptr;
    if (on != taken_) {
      taken_ = on;
      since_ms_ = raw_ms_;
    }
    const uint32_t rested_ms = now_ms - since_ms_;
    const int8_t at = quarter_of(on);
    if (at == kTwo) return become('E');
    if (at == kNone) {
      if (state_ == 'L') left_ms_ = since_ms_;
      return become(rested_ms >= kUnfinishedMs || quarter_ < 0 ? 'X' : 'M');
    }
    follow(at);
    return rested_ms >= settles_ms_ ? arrive(at, now_ms) : nullptr;
  }

  // The fields of the last TURN.
  const char* turned() const { return turned_; }

 private:
  static constexpr int8_t kNone = -1, kTwo = -2;

  static int8_t quarter_of(uint8_t on) {
    switch (on & 0x0F) {
      case 0: return kNone;
      case 1: return 0;
      case 2: return 1;
      case 4: return 2;
      case 8: return 3;
      default: return kTwo;
    }
  }

  // The order of the switches tells the way; a half round goes on as it came.
  void follow(int8_t at) {
    if (seen_ >= 0 && at != seen_) {
      const int8_t step = static_cast<int8_t>((at - seen_ + 4) % 4);
      const int8_t signed_step = step == 3 ? -1 : step == 2 && way_ < 0 ? -2 : step;
      way_ = static_cast<int16_t>(way_ + signed_step);
    }
    seen_ = at;
  }

  const char* arrive(int8_t at, uint32_t now_ms) {
    const int8_t start = quarter_;
    const int16_t way = way_;
    quarter_ = at;
    way_ = 0;
    const char* said = become('L');
    if (start < 0 || way == 0) return said;
    ++turns_;
    net_ += way;
    snprintf(turned_, sizeof turned_, "%lu,%d,%d,%d,%lu", static_cast<unsigned long>(turns_), start, at, way,
             static_cast<unsigned long>(now_ms - left_ms_));
    return "TURN";
  }

  const char* become(char state) {
    if (state == state_) return nullptr;
    state_ = state;
    return "ST";
  }

  char state_ = 'X';
  int8_t quarter_ = -1, seen_ = -1;
  int16_t way_ = 0;
  uint8_t raw_ = 0, taken_ = 0;
  uint16_t settles_ms_ = kSettlesMs;
  uint32_t turns_ = 0, raw_ms_ = 0, since_ms_ = 0, left_ms_ = 0;
  int32_t net_ = 0;
  char turned_[40] = "";
};

}  // namespace table_line

#endif  // HALL_BOARD_H
