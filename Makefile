# `make demo` shows the library at work, `make test` proves it, `make check` does so for what has changed; all install
# what is missing first.

.DEFAULT_GOAL := build
.PHONY: bootstrap build release programs install demo check build-tests test test-pdf test-asan test-tsan fuzz lint format api bench clean

SHELL := /bin/bash

bootstrap:
	@scripts/bootstrap

build: bootstrap
	@scripts/build --whole

release: bootstrap
	@scripts/build -c release

# The command line, and what needs GTK: `webimage transition` and the gallery.
programs: bootstrap
	@scripts/build -c release --product webimage
	@scripts/build -c release --product webimage-decoder
ifndef WEBIMAGE_WITHOUT_GTK
	@scripts/build -c release --product webimage-transition
	@scripts/build -c release --product webimage-gallery
endif

# make install PREFIX=~/.local (zsh passes the tilde on); PROGRAMS names a directory of built programs, which are then not built again.
PREFIX ?= /usr/local
install: $(if $(PROGRAMS),,programs)
	@scripts/install "$(or $(PROGRAMS),.build/release)" "$(DESTDIR)$(patsubst ~/%,$(HOME)/%,$(PREFIX))"

demo: bootstrap
	@scripts/demo

# For the inner loop: the style and the quick tests of what has changed since the last commit.
check: bootstrap
	@scripts/check

build-tests: bootstrap
	@scripts/build --whole --build-tests

test: build-tests
	@scripts/test --skip-build

# The only coder behind a trait. It has its own build directory, so that the other objects are not rebuilt.
test-pdf: bootstrap
	@WEBIMAGE_TESTS=CoderModules WEBIMAGE_WITHOUT_GTK=1 scripts/test --scratch-path .build/pdf --traits PDF --filter PDFCoderTests

test-asan: bootstrap
	@scripts/test --sanitize=address

test-tsan: bootstrap
	@scripts/test --sanitize=thread

# make fuzz CODER=png SECONDS=60; findings are in Fuzz/findings.
fuzz: bootstrap
	@scripts/fuzz $(or $(CODER),all) $(or $(SECONDS),60)

lint: bootstrap
	@scripts/lint

format:
	@swift format -i -r Sources Tests Package.swift $(wildcard Benchmarks/Sources Benchmarks/Package.swift) Fuzz/Sources Fuzz/Package.swift Examples

api: build
	@scripts/public-api > Docs/PublicAPI.txt

bench:
	@scripts/bootstrap --with-benchmarks
	@ONLY=$(ONLY) scripts/bench

clean:
	@rm -rf .build Benchmarks/.build Fuzz/.build Fuzz/findings demo
