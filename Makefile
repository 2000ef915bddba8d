# The front door. The building itself is in CMakeLists.txt; this file remembers the commands.
PREFIX ?= /usr/local

.PHONY: all build demo test test-all bench bench-peers install clean help deps format tidy

all: build

build: deps
	@cmake --preset release --log-level=WARNING > /dev/null
	@cmake --build --preset release

demo: build ## run the hourglass and say what was written
	@build/erg run hourglass --force

test: ## build and run the tests, also with clang and under the sanitizers
	@tools/deps build test
	@tools/test

test-all: ## the same, the long tests, and each optional part left out
	@tools/deps build test
	@tools/test --all

bench: build ## measure speed on this machine
	@build/erg bench

bench-peers: build ## the same scenes in erg and in other codes
	@tools/deps peers
	@build/erg bench peers --scene all

install: build ## install to PREFIX (/usr/local), below DESTDIR when set
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

clean: ## remove every build folder
	@rm -rf build build-*/

deps: ## install the Debian packages that are missing
	@tools/deps build

format: ## lay out the sources with clang-format
	@tools/deps lint
	@git ls-files -co --exclude-standard '*.[ch]' | xargs clang-format -i

tidy: ## look for likely mistakes with clang-tidy
	@tools/deps build test lint
	@cmake --preset clang --log-level=WARNING > /dev/null
	@cmake --build --preset clang --target erg_config
	@run-clang-tidy -quiet -p build-clang '/(src|cli)/'

help: ## this list
	@echo "make                install what is missing and build build/erg"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 20
