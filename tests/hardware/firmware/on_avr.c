// An Arduino Uno in simavr: on_avr FIRMWARE.elf. Its serial port is a pseudo-terminal whose name is printed on
// a line of its own; a line "2 0" on standard input pulls pin 2 to ground, "2 1" lets it go. Runs in real time.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#define SLICE_CYCLES 16000  // a millisecond at 16 MHz

static int terminal;
static int may_send = 1;
static int levels[8] = {1, 1, 1, 1, 1, 1, 1, 1};

static void said(struct avr_irq_t* irq, uint32_t value, void* param) {
  (void)irq, (void)param;
  const char byte = (char)value;
  if (write(terminal, &byte, 1) < 0 && errno != EAGAIN && errno != EIO) exit(1);
}

static void ready(struct avr_irq_t* irq, uint32_t value, void* param) {
  (void)irq, (void)value, (void)param;
  may_send = 1;
}

static void full(struct avr_irq_t* irq, uint32_t value, void* param) {
  (void)irq, (void)value, (void)param;
  may_send = 0;
}

// Drives pins 2 to 5, which are of port D; again and again, for a pull-up that is switched on lifts them.
static void drive(avr_t* avr) {
  for (int pin = 2; pin <= 5; ++pin) {
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), pin), (uint32_t)levels[pin]);
  }
}

int main(int count, char** words) {
  elf_firmware_t firmware = {0};
  if (count != 2 || elf_read_firmware(words[1], &firmware) != 0) return 2;
  avr_t* avr = avr_make_mcu_by_name("atmega328p");
  if (avr == NULL) return 2;
  avr_init(avr);
  firmware.frequency = 16000000;
  avr_load_firmware(avr, &firmware);
  avr->log = LOG_ERROR;

  int slave;
  char name[128];
  if (openpty(&terminal, &slave, name, NULL, NULL) != 0) return 2;
  struct termios raw;
  tcgetattr(slave, &raw);
  cfmakeraw(&raw);
  tcsetattr(slave, TCSANOW, &raw);
  fcntl(terminal, F_SETFL, O_NONBLOCK);
  fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
  printf("%s\n", name);
  fflush(stdout);

  uint32_t flags = 0;
  avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
  flags &= ~(uint32_t)AVR_UART_FLAG_STDIO;
  avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
  avr_irq_t* uart = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), 0);
  avr_irq_register_notify(uart + UART_IRQ_OUTPUT, said, NULL);
  avr_irq_register_notify(uart + UART_IRQ_OUT_XON, ready, NULL);
  avr_irq_register_notify(uart + UART_IRQ_OUT_XOFF, full, NULL);

  struct timespec began;
  clock_gettime(CLOCK_MONOTONIC, &began);
  char line[64];
  size_t held = 0;
  for (avr_cycle_count_t end = SLICE_CYCLES;; end += SLICE_CYCLES) {
    while (avr->cycle < end) {
      const int state = avr_run(avr);
      if (state == cpu_Done || state == cpu_Crashed) return 1;
    }
    drive(avr);
    char byte;
    while (may_send && read(terminal, &byte, 1) == 1) avr_raise_irq(uart + UART_IRQ_INPUT, (uint8_t)byte);
    ssize_t got;
    while ((got = read(STDIN_FILENO, &byte, 1)) == 1) {
      if (byte != '\n') {
        if (held < sizeof line - 1) line[held++] = byte;
        continue;
      }
      line[held] = 0;
      held = 0;
      int pin, level;
      if (sscanf(line, "%d %d", &pin, &level) == 2 && pin >= 2 && pin <= 5) levels[pin] = level;
    }
    if (got == 0) return 0;  // whoever started us is done
    struct timespec due = began;
    const uint64_t ns = (uint64_t)(avr->cycle * 125 / 2);
    due.tv_sec += (time_t)(ns / 1000000000);
    due.tv_nsec += (long)(ns % 1000000000);
    if (due.tv_nsec >= 1000000000) due.tv_sec += 1, due.tv_nsec -= 1000000000;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
  }
}
