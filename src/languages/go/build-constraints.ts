const systems =
  'aix|android|darwin|dragonfly|freebsd|hurd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|zos';
const architectures = '386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm';
const ending = new RegExp(`(?<platforms>(?:_(?:${systems}|${architectures}))*)(?:_test)?\\.go$`);

/** Returns the part of a file name that decides which builds contain the file, such as `_linux_test.go`. */
export function buildEnding(name: string): string {
  return ending.exec(name)?.[0] ?? '';
}

const constraint = /^\/\/(?:go:build| ?\+build)[ \t].*$/gm;

/** Returns the lines of a Go file that limit the builds that contain it. */
export function constraintLines(text: string): readonly string[] {
  return text.match(constraint) ?? [];
}

/** Returns what limits the builds that contain a Go file, as a clause; `undefined` for a file of every build. */
export function whyLeftOut(path: string, text: string): string | undefined {
  const [line] = constraintLines(text);
  if (line !== undefined) return `not every build has its file (\`${line.trim()}\`)`;
  const platforms = ending.exec(path)?.groups?.platforms ?? '';
  return platforms === '' ? undefined : `not every build has its file (\`…${buildEnding(path)}\`)`;
}

/** Returns the package of a Go file that not every build contains; `undefined` for other files. */
export function conditionalPackage(path: string, text: string): string | undefined {
  const platforms = ending.exec(path)?.groups?.platforms ?? '';
  if (platforms === '' && constraintLines(text).length === 0) return undefined;
  return /^package[ \t]+(\w+)/m.exec(text)?.[1];
}
