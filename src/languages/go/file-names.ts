const systems =
  'aix|android|darwin|dragonfly|freebsd|hurd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|zos';
const architectures = '386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm';
const constraint = /^\/\/(?:go:build| ?\+build)[ \t]/m;
const ending = new RegExp(`(?<platforms>(?:_(?:${systems}|${architectures}))*)(?:_test)?\\.go$`);

/** True for the name of a file that Go compiles for one operating system or architecture only. */
export function isForOnePlatform(name: string): boolean {
  return (ending.exec(name)?.groups?.platforms ?? '') !== '';
}

/** Returns the part of a file name that decides which builds contain the file, such as `_linux_test.go`. */
export function buildEnding(name: string): string {
  return ending.exec(name)?.[0] ?? '';
}

/** Returns the package of a file that only some build configurations compile; `undefined` for other files. */
export function conditionalPackage(file: string, text: string): string | undefined {
  if (!constraint.test(text) && !isForOnePlatform(file.slice(file.lastIndexOf('/') + 1))) return undefined;
  return /^package[ \t]+(\w+)/m.exec(text)?.[1];
}
