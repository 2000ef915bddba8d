# Shortcuts for common commands. The build itself is defined in CMakeLists.txt.
PREFIX ?= /usr/local

.PHONY: all build demo test test-all fuzz bench bench-peers bench-guard \
        bench-guard-renew bench-cost hashes-renew install clean help deps format tidy

all: build

build: deps
	@cmake --preset release --log-level=WARNING > /dev/null
	@cmake --build --preset release

demo: build ## tear down a sand castle with an excavator, and make a film and a picture of it
	@tools/deps film
	@build/erg run sandcastle --time 9 --force --set output.video=true --set view.caption=true
	@build/erg render results/sandcastle --out results/sandcastle/sandcastle.png --quiet
	@echo "the film:    results/sandcastle/video.mp4"
	@echo "the picture: results/sandcastle/sandcastle.png"

test: ## build and run the tests, also with clang and under the sanitizers
	@tools/deps build test picture window screen film
	@tools/deps vtk || echo "erg: no VTK, a test of the files for ParaView is left out" >&2
	@tools/test

test-all: ## the same, the long tests, and each optional part left out
	@tools/deps build test picture window screen film
	@tools/deps vtk || echo "erg: no VTK, a test of the files for ParaView is left out" >&2
	@tools/test --all

FUZZ_S ?= 600
fuzz: ## feed the mesh readers with damaged files, FUZZ_S (600) seconds a format
	@tools/deps build test
	@tools/fuzz $(FUZZ_S)

bench: build ## measure speed on this machine
	@build/erg bench

bench-peers: build ## the same scenes in erg and in other codes
	@tools/deps peers
	@build/erg bench peers --scene all

bench-guard: build ## count instructions and compare with the stored figures
	@tools/deps guard
	@tools/bench-guard

bench-guard-renew: build ## count instructions and store the figures
	@tools/deps guard
	@tools/bench-guard --renew

# From 10,000 to 4 million spheres; the large packs take a while to settle the first time.
COST_N ?= 10000 50000 200000 1000000 4000000
COST_PEERS ?= # files of `erg bench peers --scene pack --json`, whose peers are plotted, too
bench-cost: build ## measure cost against size and draw docs/cost.svg
	@for n in $(COST_N); do build/erg bench pack --n $$n --json || exit 1; done > build/cost.json
	@tools/cost-plot build/cost.json $(COST_PEERS) > build/cost.svg
	@mv build/cost.svg docs/cost.svg

hashes-renew: build ## write test/hashes.txt anew; for changes of a law only
	@cmake --build --preset release --target test_hashes
	@ERG_SOURCE=. ERG_RENEW_HASHES=1 build/test/test_hashes

install: build ## install to PREFIX (/usr/local), below DESTDIR when set
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)"

clean: ## remove every build folder
	@rm -rf build build-*/

# Pictures and the window are optional: if their libraries are not available, erg is built without
# them.
deps: ## install the Debian packages that are missing
	@tools/deps build
	@tools/deps picture || echo "erg: no pictures in this build" >&2
	@tools/deps window || echo "erg: no window in this build" >&2

format: ## lay out the sources with clang-format
	@tools/deps lint
	@git ls-files -co --exclude-standard '*.[ch]' | xargs clang-format -i

tidy: ## look for likely mistakes with clang-tidy
	@tools/deps build test picture window lint
	@cmake --preset clang --log-level=WARNING > /dev/null
	@cmake --build --preset clang --target erg_config
	@run-clang-tidy -quiet -p build-clang '/(src|cli)/'

help: ## this list
	@echo "make                install what is missing and build build/erg"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 20
