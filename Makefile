# Two commands matter: `make demo` plays a whole game by itself, `make test` runs every test.
# Both set up what they need first: Debian's libraries, and .venv from the lock files.

PYTHON ?= python3
BIN    := .venv/bin
SEATS  ?= 4
SPEED  ?= 1
MICROPYTHON := .venv/micropython/node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs

.DEFAULT_GOAL := help
.PHONY: help demo test demo-test chaos fuzz rig-test arm-test install-test appliance-test bundle deb lint format bench bench-phones lock libraries tools clean

help:  ## say what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

demo: .venv/ready  ## play on a simulated table; open the printed address on any phone
	@$(BIN)/companion demo --seats $(SEATS) --speed $(SPEED)

test: .venv/ready-dev tools $(MICROPYTHON)  ## run every test, a real browser included
	@$(BIN)/python -m pytest

demo-test: .venv/ready-dev  ## play the games of cards before cameras, to the end: minutes each
	@$(BIN)/python -m pytest -m cards tests/evenings

chaos: .venv/ready-dev  ## let the machines play for an hour, whatever is legal, in search of what breaks
	@$(BIN)/python -m pytest --hypothesis-profile=chaos --timeout=0 -k "anything_legal or whatever_was_struck or tell_two_tables" tests/companion/games
	@$(BIN)/companion bench line --runs 50

FUZZ_S ?= 300

fuzz: .venv/fuzz/ready  ## let a fuzzer that sees what it reaches talk to the serial line for FUZZ_S seconds
	@PYTHONPATH=.venv/fuzz $(BIN)/python -m tests.fuzz .venv/fuzz/found -max_total_time=$(FUZZ_S) -max_len=600 -artifact_prefix=.venv/fuzz/

# The fuzzer is large, has no wheel for a Pi, and is wanted for this alone.
.venv/fuzz/ready: .venv/ready-dev
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --target .venv/fuzz "atheris>=3"
	@touch $@

RIG := gcc-avr avr-libc arduino-core-avr libsimavr-dev libelf-dev qemu-system-x86 mmdebstrap cpio kmod

rig-test: .venv/ready-dev $(MICROPYTHON)  ## an emulated Arduino, and a real kernel with camera, serial device and bus in software
	@for p in $(RIG); do dpkg -s $$p >/dev/null 2>&1 || { $(call debian,$(RIG)); break; }; done
	@$(BIN)/python -m pytest -m rig tests/hardware
	@$(BIN)/python -m tests.rig.emulate

arm-test: .venv/ready-dev  ## the core of the suite on aarch64, with Debian's Python and PyPI's wheels, emulated
	@for p in mmdebstrap qemu-user-static; do \
	  dpkg -s $$p >/dev/null 2>&1 || { $(call debian,mmdebstrap qemu-user-static); break; }; done
	@$(BIN)/python -m tests.rig.arm

install-test: .venv/ready-dev  ## install, update, cut the power, uninstall: in a fresh Debian that systemd started; as root
	@for p in mmdebstrap systemd-container; do \
	  dpkg -s $$p >/dev/null 2>&1 || { $(call debian,mmdebstrap systemd-container); break; }; done
	@$(BIN)/python -m tests.rig.install
	@$(BIN)/python -m tests.rig.install_deb

MACHINE ?= $(shell uname -m)
BUNDLE  := dist/companion-$(MACHINE)

bundle: .venv/ready-dev  ## a folder with all wheels for MACHINE (aarch64, x86_64), to install without internet
	@$(BIN)/python release/bundle.py --to $(BUNDLE) --machine $(MACHINE)

deb: bundle  ## a Debian package for MACHINE
	@$(BIN)/python release/deb.py --bundle $(BUNDLE) --to dist

appliance-test: .venv/ready-dev  ## install on a fresh Debian, boot it in a container, kill and hang what runs there
	@for p in mmdebstrap systemd-container; do \
	  dpkg -s $$p >/dev/null 2>&1 || { $(call debian,mmdebstrap systemd-container); break; }; done
	@$(BIN)/python -m tests.rig.appliance

lint: .venv/ready-dev  ## ruff, mypy --strict, import-linter
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

format: .venv/ready-dev  ## put the code in order
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

SHARED ?= ../shared

bench: .venv/ready-dev .venv/peers/ready  ## measure rules, serial line and die, then the eyes on the pictures in SHARED, beside what others use
	@$(BIN)/companion bench rules
	@$(BIN)/companion bench line
	@$(BIN)/companion bench die
	@PYTHONPATH=.venv/peers $(BIN)/python -m tests.bench $(SHARED)

# Wanted for the comparison alone, so kept apart from what the product runs on.
.venv/peers/ready:
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --target .venv/peers imagehash PyWavelets scipy
	@touch $@

bench-phones: .venv/ready-dev .venv/peers/node/ready  ## measure phones beside boardgame.io (needs node and npm)
	@$(BIN)/python -m tests.bench.phones --eyes $(SHARED)

# The peer and the client of the driver; kept apart, as the peers of the eyes are.
.venv/peers/node/ready:
	@mkdir -p .venv/peers/node
	@npm --prefix .venv/peers/node install --silent --no-audit --no-fund --ignore-scripts boardgame.io@0.50.2 socket.io-client@4.8.4
	@touch $@

lock: .venv/ready-dev  ## renew the lock files from pyproject.toml
	@$(BIN)/python -m pip -q install uv
	@$(BIN)/uv pip compile -q -U $(COMPILE) --group dev -o requirements-dev.lock
	@$(BIN)/uv pip compile -q -U $(COMPILE) -c requirements-dev.lock -o requirements.lock

COMPILE := --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 \
	--no-annotate pyproject.toml --group build

# --- set-up -------------------------------------------------------------------------------------

# What Debian must bring: python's venv, and the three libraries that opencv-python wants.
LIBRARIES := python3-venv libgl1 libglib2.0-0 libxcb1

# $(call debian,packages): install them as root, or print the one line to run.
define debian
	echo "Installing Debian packages: $(1)"; \
	if [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(1) >/dev/null; \
	else \
	  echo "Please run this once, then try again:"; echo "  sudo apt-get install $(1)"; exit 1; \
	fi
endef

libraries:
	@if ! $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then \
	  echo "$(PYTHON) is older than Python 3.11. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; fi
	@if ! $(PYTHON) -c 'import ensurepip' 2>/dev/null \
	  || ! for l in libGL.so.1 libgthread-2.0.so.0 libxcb.so.1; do /sbin/ldconfig -p | grep -q "$$l" || exit 1; done; \
	then $(call debian,$(LIBRARIES)); fi

# What the tests run that pip does not bring: a browser, Node.js for MicroPython, a C++ compiler, and what
# tells whether the units of systemd/ are right (there on every Debian that systemd started).
tools:
	@wanted=; \
	command -v chromium >/dev/null || wanted="$$wanted chromium"; \
	command -v node >/dev/null || wanted="$$wanted nodejs"; \
	command -v npm >/dev/null || wanted="$$wanted npm"; \
	command -v g++ >/dev/null || wanted="$$wanted g++"; \
	command -v systemd-analyze >/dev/null || wanted="$$wanted systemd"; \
	if [ -n "$$wanted" ]; then $(call debian,$$wanted); fi

# The interpreter that boards run, so that the firmware is tested on it.
$(MICROPYTHON): .venv/ready-dev | tools
	@echo "Adding MicroPython from the npm registry"
	@mkdir -p .venv/micropython
	@npm install --silent --no-audit --no-fund --prefix .venv/micropython @micropython/micropython-webassembly-pyscript@1.27.0
	@touch $@

.venv/ready: requirements.lock pyproject.toml
	@$(MAKE) -s libraries
	@echo "Setting up .venv from requirements.lock (once, about a minute)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv/ready-dev: requirements-dev.lock .venv/ready
	@echo "Adding what the tests need from requirements-dev.lock"
	@$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

clean:  ## remove what was set up
	rm -rf .venv
