#!/bin/sh
# Installs, updates or removes the program `serena`: sh install.sh --help
# Changes one file in one directory only; needs no root privileges, and edits no file of your shell.
set -eu

# Set when a version is published (scripts/release/write-installers.ts).
release_version=''
release_base=''
release_sums=''

usage() {
  cat <<'EOF'
usage: install.sh [<version>] [--uninstall] [--help]

Downloads `serena` for this platform, verifies its hash and installs it into ~/.local/bin.
A published install.sh installs its own version by default.

  --uninstall          remove the program, keeping your configuration and language servers

Environment:
  SERENA_VERSION       version to install
  SERENA_INSTALL_DIR   directory to install into, instead of ~/.local/bin
  SERENA_BASE_URL      base URL of downloads: <base URL>/v<version>/<file>
EOF
}

say() {
  printf '%s\n' "$*"
}

fail() {
  printf 'error: %s\n' "$1" >&2
  shift
  if [ $# -gt 0 ]; then printf '\n' >&2; fi
  for hint in "$@"; do printf 'hint: %s\n' "$hint" >&2; done
  exit 1
}

wrong_usage() {
  printf 'error: %s\n\n' "$1" >&2
  usage >&2
  exit 2
}

has() {
  command -v "$1" >/dev/null 2>&1
}

# Prints `linux` or `darwin`.
find_os() {
  case "$(uname -s)" in
    Linux) say linux ;;
    Darwin) say darwin ;;
    MINGW* | MSYS* | CYGWIN*) fail 'this script is not for Windows' 'use install.ps1 in PowerShell' ;;
    *) fail "unsupported operating system: $(uname -s)" 'build it from source: npm run build' ;;
  esac
}

# Prints `x64` or `arm64`. `$1` is the operating system.
find_cpu() {
  cpu="$(uname -m)"
  # Under Rosetta, uname reports an Intel processor.
  if [ "$1" = darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || say 0)" = 1 ]; then cpu=arm64; fi
  # A 64-bit kernel may run a 32-bit userland.
  if [ "$1" = linux ] && has getconf && [ "$(getconf LONG_BIT 2>/dev/null || say 64)" = 32 ]; then cpu="32-bit $cpu"; fi
  case "$cpu" in
    x86_64 | amd64) say x64 ;;
    aarch64 | arm64) say arm64 ;;
    *) fail "unsupported processor: $cpu" 'supported are x86_64 and arm64' ;;
  esac
}

# Prints `-musl` if the C library is musl, and nothing if it is glibc.
find_libc() {
  if has ldd; then
    case "$(ldd --version 2>&1 || true)" in
      *musl*) say -musl && return ;;
      *GLIBC* | *glibc* | *'GNU libc'* | *'Free Software Foundation'*) return ;;
    esac
  fi
  for loader in /lib/ld-musl-*.so.1; do
    if [ -e "$loader" ] && [ ! -e /lib64/ld-linux-x86-64.so.2 ] && [ ! -e /lib/ld-linux-aarch64.so.1 ]; then say -musl; fi
  done
}

# Prints a command that prints the SHA-256 of its input as the first word.
find_sha256() {
  if has sha256sum; then
    say sha256sum
  elif has shasum; then
    say 'shasum -a 256'
  elif has openssl; then
    say 'openssl dgst -sha256 -r'
  else
    fail 'cannot verify downloads: sha256sum, shasum and openssl are missing' \
      'install one of them; nothing is installed without verification'
  fi
}

# Downloads `$1` into the file `$2`.
download() {
  if has curl; then
    curl --fail --silent --show-error --location --proto "=$protocols" --proto-redir "=$protocols" \
      --connect-timeout 30 --retry 2 --output "$2" "$1" || return 1
  elif has wget; then
    # BusyBox's wget has few options; GNU's would retry for 15 minutes by default.
    if wget --help 2>&1 | grep -q -e --tries; then
      wget --quiet --tries=3 --timeout=30 --output-document="$2" "$1" || return 1
    else
      wget -q -T 30 -O "$2" "$1" || return 1
    fi
  else
    fail 'cannot download: curl and wget are missing' 'install one of them'
  fi
}

# Prints the hash of the file `$2` in `$1`, a list of hashes.
sum_for() {
  say "$1" | while read -r sum file; do
    if [ "$file" = "$2" ]; then say "$sum"; fi
  done
}

# Sets `base` and `protocols`.
find_base() {
  base="${SERENA_BASE_URL:-$release_base}"
  base="${base%/}"
  if [ -z "$base" ]; then
    fail 'no base URL to download from' \
      'set SERENA_BASE_URL to the URL with the directories v<version>, or use the install.sh of a published version'
  fi
  case "$base" in
    https://*) protocols=https ;;
    http://127.0.0.1 | http://127.0.0.1[:/]* | http://localhost | http://localhost[:/]*) protocols=http,https ;;
    # Plain HTTP is acceptable only if the hashes are in this file.
    http://*)
      protocols=http,https
      if [ "$version" != "$release_version" ]; then
        fail "refused: hashes and program would be downloaded over plain HTTP: $base" 'use an https URL'
      fi
      ;;
    *) fail "SERENA_BASE_URL is not a valid URL: $base" 'it must begin with https://' ;;
  esac
}

# Sets `archive` and `expected` to the name and the hash of the smallest archive that this machine can unpack.
find_archive() {
  sums="$release_sums"
  if [ "$version" != "$release_version" ] || [ -z "$sums" ]; then
    download "$base/v$version/SHA256SUMS" "$staging/SHA256SUMS" ||
      fail "cannot download $base/v$version/SHA256SUMS" "check that version $version exists"
    sums="$(cat "$staging/SHA256SUMS")"
  fi
  for extension in tar.xz tar.gz; do
    if [ "$extension" = tar.xz ] && ! has xz; then continue; fi
    archive="serena-$target.$extension"
    expected="$(sum_for "$sums" "$archive")"
    if [ -n "$expected" ]; then return; fi
  done
  fail "version $version has no program for this platform ($target)"
}

# Unpacks the program from the archive `$1`.
unpack() {
  case "$1" in
    *.xz) xz -dc "$1" | tar -xf - -C "$staging" serena ;;
    *) tar -xzf "$1" -C "$staging" serena ;;
  esac
}

# Compares the file `$1`, downloaded as `$2`, with the expected hash.
check_hash() {
  # The command has several words.
  # shellcheck disable=SC2086
  found="$($sha256 <"$1")"
  found="${found%% *}"
  if [ "$found" = "$expected" ]; then return; fi
  printf 'error: the hash of %s does not match: nothing was installed\nexpected sha256 %s\nfound    sha256 %s\n\n' \
    "$2" "$expected" "$found" >&2
  printf 'hint: retry; if the error persists, do not use this source, and report it to its operator\n' >&2
  exit 1
}

# Runs the new program once. `$1` is its path.
check_program() {
  output="$("$1" --version 2>&1)" || output="${output:-it cannot be started}"
  if [ "$output" = "Serena $version" ]; then return; fi
  case "$target" in
    *-musl) fail "the program does not run on this machine: $output" 'install the C++ library: apk add libstdc++' ;;
    darwin-*)
      fail "the program does not run on this machine: $output" \
        'if its release was not signed: unpack its archive and run: codesign --force --sign - serena'
      ;;
    *) fail "the program does not run on this machine: $output" ;;
  esac
}

# Explains how to find `serena` on PATH.
explain_path() {
  case ":$PATH:" in
    *":$directory:"*)
      first="$(command -v serena || true)"
      if [ -n "$first" ] && [ "$first" != "$directory/serena" ]; then say "Another serena precedes it on PATH: $first"; fi
      ;;
    *)
      say "$directory is not on your PATH. Add it in your shell's startup file, for example:"
      # shellcheck disable=SC2016
      case "${SHELL:-}" in
        */fish) say "  fish_add_path $directory" ;;
        */zsh) say "  echo 'export PATH=\"$directory:\$PATH\"' >> ~/.zshrc" ;;
        */bash) say "  echo 'export PATH=\"$directory:\$PATH\"' >> ~/.bashrc" ;;
        *) say "  export PATH=\"$directory:\$PATH\"" ;;
      esac
      ;;
  esac
}

# Creates a staging directory in the target directory, so that the final move is atomic.
make_staging() {
  mkdir -p "$directory" 2>/dev/null ||
    fail "cannot create the directory $directory" 'set SERENA_INSTALL_DIR to a writable directory'
  staging="$(mktemp -d "$directory/.serena-install.XXXXXX" 2>/dev/null)" ||
    fail "cannot write to $directory" 'set SERENA_INSTALL_DIR to a writable directory'
  trap 'rm -rf "$staging"' EXIT
  trap 'exit 130' HUP INT TERM
}

is_installed() {
  [ -x "$directory/serena" ] && [ "$("$directory/serena" --version 2>/dev/null)" = "Serena $version" ] &&
    "$directory/serena" self-check >/dev/null 2>&1
}

install_program() {
  if [ -z "$version" ]; then
    fail 'no version to install' 'pass one: sh install.sh 1.2.3'
  fi
  case "$version" in
    *[!0-9A-Za-z.+-]*) wrong_usage "Invalid version: $version" ;;
  esac
  os="$(find_os)"
  cpu="$(find_cpu "$os")"
  target="$os-$cpu"
  if [ "$os" = linux ]; then target="$target$(find_libc)"; fi
  sha256="$(find_sha256)"
  has tar || fail 'cannot unpack: tar is missing' 'install tar'
  find_base
  if [ -d "$directory/serena" ]; then
    fail "$directory/serena is a directory" 'set SERENA_INSTALL_DIR to another directory, or move that one away'
  fi
  if is_installed; then
    say "Serena $version is already installed: $directory/serena"
    explain_path
    return
  fi
  make_staging
  find_archive
  say "Downloading $base/v$version/$archive"
  download "$base/v$version/$archive" "$staging/$archive" ||
    fail "cannot download $base/v$version/$archive: nothing was installed" 'check the network, the proxy and the version'
  check_hash "$staging/$archive" "$archive"
  unpack "$staging/$archive" || fail "cannot unpack $archive: nothing was installed"
  chmod 755 "$staging/serena"
  check_program "$staging/serena"
  mv -f "$staging/serena" "$directory/serena"
  say "Installed Serena $version: $directory/serena"
  explain_path
  say 'Next, configure a client: serena setup <client>'
}

uninstall_program() {
  if [ ! -e "$directory/serena" ] && [ ! -L "$directory/serena" ]; then
    say "$directory/serena does not exist"
    return
  fi
  case "$("$directory/serena" --version 2>/dev/null || true)" in
    'Serena '* | '') ;;
    *) fail "$directory/serena is a different program: it was not removed" ;;
  esac
  rm -f "$directory/serena" || fail "cannot remove $directory/serena"
  say "Removed $directory/serena"
  say "Your configuration, memories and language servers stay in ${SERENA_HOME:-$HOME/.serena}; to delete them too, remove that directory"
}

main() {
  version="${SERENA_VERSION:-$release_version}"
  action=install
  for argument in "$@"; do
    case "$argument" in
      --help | -h) usage && exit 0 ;;
      --uninstall) action=uninstall ;;
      -*) wrong_usage "Unknown option: $argument" ;;
      *) version="$argument" ;;
    esac
  done
  version="${version#v}"
  if [ -z "${HOME:-}${SERENA_INSTALL_DIR:-}" ]; then fail 'HOME is not set' 'set SERENA_INSTALL_DIR'; fi
  directory="${SERENA_INSTALL_DIR:-$HOME/.local/bin}"
  case "$directory" in
    /*) ;;
    *) directory="$(pwd)/$directory" ;;
  esac
  if [ "$action" = uninstall ]; then uninstall_program; else install_program; fi
}

# At the end, so that a truncated download does nothing.
main "$@"
