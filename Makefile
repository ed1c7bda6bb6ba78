# hoist: the targets that people type. CMake does the work; `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
CTEST := ctest --output-on-failure --timeout 300 -j$(JOBS)

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t18

.PHONY: deps
deps: ## install the Debian packages that build and quick tier need
	@scripts/deps.sh install quick

.PHONY: deps-viewer
deps-viewer: ## install what renders pages for their tests and benches (chromium)
	@scripts/deps.sh install viewer

.PHONY: need-build need-test need-quick
need-build:
	@scripts/deps.sh need build
need-test:
	@scripts/deps.sh need test
need-quick:
	@scripts/deps.sh need quick
need-full:
	@scripts/deps.sh need full
need-fuzz:
	@scripts/deps.sh need fuzz
need-bench:
	@scripts/deps.sh need bench

.PHONY: build
build: need-build ## build the command at build/bin/hoist
	@scripts/build.sh release --target hoist_tool -- -DBUILD_TESTING=OFF
	@mkdir -p build/bin
	@ln -sf ../release/tools/hoist/hoist build/bin/hoist

.PHONY: demo
demo: build ## check, explain, draw and run what is in examples
	@scripts/demo.sh

.PHONY: test
test: need-test ## smoke tier: does hoist work on this machine? (2 minutes, after a build of 4)
	@scripts/test.sh smoke

.PHONY: test-quick
test-quick: need-quick ## what a change should pass: sanitizers, layers, format, tidy (about 13 minutes on two cores)
	@scripts/test.sh quick

.PHONY: test-full
test-full: need-full ## full tier: both compilers, tsan, cross builds, failed allocations, corpus
	@scripts/test.sh full

.PHONY: test-long
test-long: need-full ## long tier: exhaustive, soak, and a fresh Debian root
	@scripts/test.sh long

.PHONY: coverage
coverage: need-test ## which lines and branches the tests run, per folder
	@scripts/coverage.sh

.PHONY: mutate
mutate: need-test ## do the tests notice small wrong changes? prints those that they do not
	@scripts/mutate.py $(MUTATE)

.PHONY: bench
bench: need-bench ## ratios against peers, measured side by side
	@scripts/build.sh release -- -DBUILD_TESTING=ON -DHOIST_BENCH=ON
	@scripts/bench.sh

.PHONY: fuzz
fuzz: need-fuzz ## every fuzz target for 30 seconds
	@scripts/fuzz.py --seconds 30

.PHONY: fuzz-long
fuzz-long: need-fuzz ## every fuzz target to its bar; appends to fuzz/log.tsv
	@scripts/fuzz.py --bar --log fuzz/log.tsv

.PHONY: format
format: ## lay out all sources with clang-format
	@git ls-files '*.c' '*.h' | xargs clang-format -i

.PHONY: docs
docs: ## write man pages, completions and rule tables from the command's own tables
	@scripts/build.sh dev --target hoist-docgen
	@scripts/build.sh dev --target hoist-neff-docgen
	@scripts/build.sh dev --target hoist-darwinn-docgen
	@scripts/docs.sh write
	@scripts/python_abi.py write

.PHONY: pictures
pictures: build ## draw docs/pictures, which README shows, of what is in examples
	@scripts/pictures.sh write

.PHONY: wheel
wheel: ## build/wheel/*.whl: the Python package with the library inside (ARCH=aarch64: by a cross build)
	@scripts/deps.sh need wheel
	@scripts/wheel.sh $(ARCH)

.PHONY: dist
dist: ## build/dist/hoist-VERSION.tar.gz of the last commit, with SHA256SUMS
	@scripts/dist.sh

.PHONY: deb
deb: ## build/deb/*.deb: the Debian packages of the last commit, seen by lintian
	@scripts/deps.sh need deb
	@scripts/deb.sh

.PHONY: site
site: need-build ## build/site: all documents as one static site, with the reference of C and Python
	@scripts/deps.sh need site
	@scripts/build.sh release --target hoist_tool
	@scripts/build.sh release --target hoist_shared
	@scripts/site.sh

.PHONY: install
install: need-build ## install to $(DESTDIR)$(PREFIX)
	@scripts/build.sh install -- -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DBUILD_TESTING=OFF
	@DESTDIR=$(DESTDIR) cmake --install build/install >/dev/null
	@echo "installed to $(DESTDIR)$(PREFIX)"

.PHONY: uninstall
uninstall: ## remove what `make install` has put into $(DESTDIR)$(PREFIX)
	@scripts/uninstall.sh build/install/install_manifest.txt "$(DESTDIR)"

.PHONY: clean
clean: ## remove build/
	rm -rf build
