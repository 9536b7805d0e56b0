// A turning board with four Hall switches on an Arduino Uno, Nano or any other board with four free pins.
// The switches pull pins 2, 3, 4 and 5 to ground, clockwise; the first is quarter 0.

#include <HallBoard.h>

// Six hex digits of your own: two boards at one table must not share them.
const char NAME[] = "R-A0B1C2";
const uint8_t PINS[] = {2, 3, 4, 5};

// A wire always takes what it is given; a board with USB of its own would wait for a host that sleeps.
void send(const char* line, size_t length) {
#if defined(USBCON)
  if (static_cast<size_t>(Serial.availableForWrite()) < length) return;
#endif
  Serial.write(line, length);
}

// No two starts may have the same number: noise of an open pin and what the memory woke up with.
uint16_t bootNumber() {
  uint16_t number = 0;
  for (uint8_t bit = 0; bit < 32; ++bit) {
    number = static_cast<uint16_t>(number << 1 | number >> 15) ^ static_cast<uint16_t>(analogRead(A0)) ^
             static_cast<uint16_t>(micros());
  }
  return number;
}

table_line::HallBoard board;
table_line::Voice* voice;

void setup() {
  Serial.begin(115200);
  for (uint8_t pin : PINS) pinMode(pin, INPUT_PULLUP);
  static table_line::Voice only(NAME, "uno-hall", bootNumber(), board, send);
  voice = &only;
}

void loop() {
  const uint32_t now_ms = millis();
  uint8_t on = 0;
  for (uint8_t quarter = 0; quarter < 4; ++quarter) {
    if (digitalRead(PINS[quarter]) == LOW) on |= 1 << quarter;
  }
  const char* said = board.sense(on, now_ms);
  if (said != nullptr && strcmp(said, "TURN") == 0) voice->tell("TURN", board.turned(), now_ms);
  if (said != nullptr) voice->changed();
  while (Serial.available()) voice->hear(static_cast<char>(Serial.read()), now_ms);
  voice->speak(now_ms);
}
