#!/bin/sh
# Installs, updates or removes the program `serena`: sh install.sh --help
# Changes nothing but one file in one directory; asks for no rights, and edits no file of your shell.
set -eu

# Filled in where a version is published (scripts/release/write-installers.ts).
release_version=''
release_base=''
release_sums=''

usage() {
  cat <<'EOF'
usage: install.sh [<version>] [--uninstall] [--help]

Downloads the program `serena` for this machine, checks its hash and puts it into ~/.local/bin.
A published install.sh installs the version it came with, unless another is named.

  --uninstall          remove the program; your configuration and language servers stay

Environment:
  SERENA_VERSION       the version, as the argument
  SERENA_INSTALL_DIR   the directory to install into, in place of ~/.local/bin
  SERENA_BASE_URL      where versions are downloaded from: <this>/v<version>/<file>
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
    MINGW* | MSYS* | CYGWIN*) fail 'This script is not for Windows' 'Use install.ps1 in PowerShell' ;;
    *) fail "There is no program for $(uname -s)" 'Build it from its sources: npm run build' ;;
  esac
}

# Prints `x64` or `arm64`. `$1` is the operating system.
find_cpu() {
  cpu="$(uname -m)"
  # A shell that Rosetta translates is told that it runs on Intel's processor.
  if [ "$1" = darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || say 0)" = 1 ]; then cpu=arm64; fi
  # A 64-bit kernel may run a system of 32-bit programs.
  if [ "$1" = linux ] && has getconf && [ "$(getconf LONG_BIT 2>/dev/null || say 64)" = 32 ]; then cpu="32-bit $cpu"; fi
  case "$cpu" in
    x86_64 | amd64) say x64 ;;
    aarch64 | arm64) say arm64 ;;
    *) fail "There is no program for this processor: $cpu" 'It has to be x86_64 or arm64' ;;
  esac
}

# Prints `-musl` where the C library is musl, and nothing where it is glibc.
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

# Prints a command that prints the SHA-256 of its input, before other words.
find_sha256() {
  if has sha256sum; then
    say sha256sum
  elif has shasum; then
    say 'shasum -a 256'
  elif has openssl; then
    say 'openssl dgst -sha256 -r'
  else
    fail 'Cannot check what would be downloaded: there is no sha256sum, shasum or openssl' \
      'Install one of them: nothing is installed unchecked'
  fi
}

# Downloads `$1` into the file `$2`.
download() {
  if has curl; then
    curl --fail --silent --show-error --location --proto "=$protocols" --proto-redir "=$protocols" \
      --connect-timeout 30 --retry 2 --output "$2" "$1" || return 1
  elif has wget; then
    # BusyBox has a wget of few options; GNU's would try for a quarter of an hour.
    if wget --help 2>&1 | grep -q -e --tries; then
      wget --quiet --tries=3 --timeout=30 --output-document="$2" "$1" || return 1
    else
      wget -q -T 30 -O "$2" "$1" || return 1
    fi
  else
    fail 'Cannot download anything: there is neither curl nor wget' 'Install one of them'
  fi
}

# Prints the hash that `$1`, a list of hashes, has for the file `$2`.
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
    fail 'This script does not know where to download from' \
      'Set SERENA_BASE_URL to the address that has the directories v<version>, or use the install.sh of a published version'
  fi
  case "$base" in
    https://*) protocols=https ;;
    http://127.0.0.1 | http://127.0.0.1[:/]* | http://localhost | http://localhost[:/]*) protocols=http,https ;;
    # What comes over an open line is as good as the hashes in this file, where it has them.
    http://*)
      protocols=http,https
      if [ "$version" != "$release_version" ]; then
        fail "Refused: hashes would come over the same open line as the program: $base" 'Use an https address'
      fi
      ;;
    *) fail "SERENA_BASE_URL is no address: $base" 'It begins with https://' ;;
  esac
}

# Sets `expected` to the hash that `$1` has to have.
find_expected() {
  if [ "$version" = "$release_version" ] && [ -n "$release_sums" ]; then
    expected="$(sum_for "$release_sums" "$1")"
    if [ -z "$expected" ]; then fail "Version $version has no program for this machine ($target)"; fi
    return
  fi
  download "$base/v$version/SHA256SUMS" "$staging/SHA256SUMS" ||
    fail "Cannot download $base/v$version/SHA256SUMS" "Check that there is a version $version"
  expected="$(sum_for "$(cat "$staging/SHA256SUMS")" "$1")"
  if [ -z "$expected" ]; then fail "Version $version has no program for this machine ($target)"; fi
}

# Compares the file `$1`, downloaded as `$2`, with the expected hash.
check_hash() {
  # The command is more than one word.
  # shellcheck disable=SC2086
  found="$($sha256 <"$1")"
  found="${found%% *}"
  if [ "$found" = "$expected" ]; then return; fi
  printf 'error: %s is not what it should be: nothing was installed\nexpected sha256 %s\nfound    sha256 %s\n\n' \
    "$2" "$expected" "$found" >&2
  printf 'hint: Try again; if it stays so, do not use this source, and tell the people who run it\n' >&2
  exit 1
}

# Runs the new program once. `$1` is its path.
check_program() {
  said="$("$1" --version 2>&1)" || said="${said:-it cannot be started}"
  if [ "$said" = "Serena $version" ]; then return; fi
  case "$target" in
    *-musl) fail "The program does not run here: $said" 'Install the C++ library: apk add libstdc++' ;;
    *) fail "The program does not run here: $said" ;;
  esac
}

# Says what is missing for `serena` to be found.
explain_path() {
  case ":$PATH:" in
    *":$directory:"*)
      first="$(command -v serena || true)"
      if [ -n "$first" ] && [ "$first" != "$directory/serena" ]; then say "Another serena comes first on PATH: $first"; fi
      ;;
    *)
      say "$directory is not on your PATH. Add it in the file your shell reads at start, for example:"
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

# The program is put together beside its place, so that it gets there whole or not at all.
make_staging() {
  mkdir -p "$directory" 2>/dev/null ||
    fail "Cannot make the directory $directory" 'Set SERENA_INSTALL_DIR to a directory that you may write to'
  staging="$(mktemp -d "$directory/.serena-install.XXXXXX" 2>/dev/null)" ||
    fail "Cannot write to $directory" 'Set SERENA_INSTALL_DIR to a directory that you may write to'
  trap 'rm -rf "$staging"' EXIT
  trap 'exit 130' HUP INT TERM
}

is_installed() {
  [ -x "$directory/serena" ] && [ "$("$directory/serena" --version 2>/dev/null)" = "Serena $version" ] &&
    "$directory/serena" self-check >/dev/null 2>&1
}

install_program() {
  if [ -z "$version" ]; then
    fail 'This script does not know which version to install' 'Name one: sh install.sh 1.2.3'
  fi
  case "$version" in
    *[!0-9A-Za-z.+-]*) wrong_usage "No version: $version" ;;
  esac
  os="$(find_os)"
  cpu="$(find_cpu "$os")"
  target="$os-$cpu"
  if [ "$os" = linux ]; then target="$target$(find_libc)"; fi
  sha256="$(find_sha256)"
  has tar || fail 'Cannot unpack anything: there is no tar' 'Install it'
  find_base
  if [ -d "$directory/serena" ]; then
    fail "$directory/serena is a directory" 'Set SERENA_INSTALL_DIR to another directory, or move that one away'
  fi
  if is_installed; then
    say "Serena $version is installed already: $directory/serena"
    explain_path
    return
  fi
  make_staging
  archive="serena-$target.tar.gz"
  find_expected "$archive"
  say "Downloading $base/v$version/$archive"
  download "$base/v$version/$archive" "$staging/$archive" ||
    fail "Cannot download $base/v$version/$archive: nothing was installed" 'Check the network, a proxy, the version'
  check_hash "$staging/$archive" "$archive"
  tar -xzf "$staging/$archive" -C "$staging" serena || fail "Cannot unpack $archive: nothing was installed"
  chmod 755 "$staging/serena"
  check_program "$staging/serena"
  mv -f "$staging/serena" "$directory/serena"
  say "Installed Serena $version: $directory/serena"
  explain_path
  say 'Make a client use it: serena setup <client>'
}

uninstall_program() {
  if [ ! -e "$directory/serena" ] && [ ! -L "$directory/serena" ]; then
    say "There is no $directory/serena"
    return
  fi
  case "$("$directory/serena" --version 2>/dev/null || true)" in
    'Serena '* | '') ;;
    *) fail "$directory/serena is another program: left as it is" ;;
  esac
  rm -f "$directory/serena" || fail "Cannot remove $directory/serena"
  say "Removed $directory/serena"
  say "Your configuration, memories and language servers stay in ${SERENA_HOME:-$HOME/.serena}; remove that directory as well if you like"
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
  if [ -z "${HOME:-}${SERENA_INSTALL_DIR:-}" ]; then fail 'HOME is not set' 'Set SERENA_INSTALL_DIR'; fi
  directory="${SERENA_INSTALL_DIR:-$HOME/.local/bin}"
  case "$directory" in
    /*) ;;
    *) directory="$(pwd)/$directory" ;;
  esac
  if [ "$action" = uninstall ]; then uninstall_program; else install_program; fi
}

# In the last line, so that a script that was cut off does nothing.
main "$@"
