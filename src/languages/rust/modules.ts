import { basename, dirname } from 'node:path/posix';
import type { ReadCode } from '../../text/code-names.ts';
import type { TextLines } from '../../text/text-lines.ts';

/** A module of a crate that has a file of its own. */
export interface RustModule {
  /** From the root: `crate`, and the names below it. */
  readonly path: readonly string[];
  readonly file: string;
  readonly lines: TextLines;
  /** The text without comments and the contents of strings, at the same offsets. */
  readonly code: string;
  /** Modules in files that it declares. */
  readonly children: readonly ChildModule[];
  /** True if it, or a module around it, is only part of some builds. */
  readonly isConditional: boolean;
}

interface ChildModule {
  readonly name: string;
  /** `pub`, `pub(crate)` or the like, or nothing. */
  readonly visibility: string;
  readonly isConditional: boolean;
  readonly end: number;
}

/** A module in braces. Offsets. */
interface InlineModule {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A name that a `use` statement binds: `*` for all names, `_` for none. */
export interface UseLeaf {
  readonly segments: readonly string[];
  readonly bound: string;
  /** Offsets of what is written for it in the statement. */
  readonly start: number;
  readonly end: number;
}

/** A `use` statement. Offsets from the visibility to the semicolon. */
export interface UseStatement {
  readonly start: number;
  readonly end: number;
  readonly visibility: string;
  /** Offset of the path. */
  readonly path: number;
  readonly isTopLevel: boolean;
  /** True if an attribute is written before it. */
  readonly isMarked: boolean;
  readonly leaves: readonly UseLeaf[];
}

const opaque =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\br(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\(?:u\{[^}\n]*\}|x[0-9a-fA-F]{2}|[^\n])|[^'\\\n])'/g;

/** Returns a text of Rust without comments and strings, at the same offsets. */
export function rustCode(text: string): string {
  return text.replace(opaque, (part) => part.replace(/[^\n]/g, ' '));
}

/** Returns how many braces are open at an offset. */
function depthAt(code: string, offset: number): number {
  let depth = 0;
  for (let at = 0; at < offset; at++) {
    if (code[at] === '{') depth++;
    else if (code[at] === '}') depth--;
  }
  return depth;
}

function endOfBraces(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (code[at] === '{') depth++;
    else if (code[at] === '}' && --depth === 0) return at + 1;
  }
  return code.length;
}

const childModule = /((?:#\[[^\]]*\]\s*)*)(\bpub(?:\s*\([^)]*\))?\s+)?\bmod\s+(\w+)\s*;/g;

/** The modules of a crate, as far as its `mod` declarations lead to files at their usual places. */
export class RustCrate {
  readonly #byFile = new Map<string, RustModule>();
  readonly root: string;

  constructor(read: ReadCode, root: string) {
    this.root = root;
    this.#add(read, { file: root, path: ['crate'], isConditional: false });
  }

  /** Returns the crate of a file; `undefined` if none of its package has it, or several. */
  static of(read: ReadCode, file: string): RustCrate | undefined {
    for (let directory = dirname(file); ; directory = dirname(directory)) {
      const at = (path: string) => (directory === '.' ? path : `${directory}/${path}`);
      const manifest = read(at('Cargo.toml'));
      if (manifest !== undefined) {
        // Paths in packages of 2015 begin at the root.
        if (!/^edition\b(?!\s*=\s*"2015")/m.test(manifest.text)) return undefined;
        const roots = ['src/lib.rs', 'src/main.rs'].map(at).filter((root) => read(root) !== undefined);
        const crates = roots.map((root) => new RustCrate(read, root)).filter((crate) => crate.at(file) !== undefined);
        return crates.length === 1 ? crates[0] : undefined;
      }
      if (directory === '.' || directory === '/') return undefined;
    }
  }

  at(file: string): RustModule | undefined {
    return this.#byFile.get(file);
  }

  get modules(): readonly RustModule[] {
    return [...this.#byFile.values()];
  }

  named(path: readonly string[]): RustModule | undefined {
    return this.modules.find((one) => isSamePath(one.path, path));
  }

  /** Returns the module that has to declare a new file; `undefined` for a file that no module can declare. */
  parentOf(file: string): RustModule | undefined {
    if (!file.endsWith('.rs') || /^(?:mod|lib|main)\.rs$/.test(basename(file))) return undefined;
    return this.modules.find((one) => childDirectory(one) === dirname(file));
  }

  /** True if code of module `from` may name the module at a path: each private one on the way is declared above `from`. */
  isReachable(path: readonly string[], from: readonly string[]): boolean {
    return path.every((name, index) => {
      const parent = path.slice(0, index);
      const declared = this.named(parent)?.children.find((child) => child.name === name);
      return declared === undefined || isVisible(declared.visibility, parent, from);
    });
  }

  #add(read: ReadCode, { file, path, isConditional }: Pick<RustModule, 'file' | 'path' | 'isConditional'>): void {
    const lines = read(file);
    if (lines === undefined || this.#byFile.has(file)) return;
    const code = rustCode(lines.text);
    const children: ChildModule[] = [];
    for (const { 0: all, 1: marks = '', 2: visibility = '', 3: name = '', index } of code.matchAll(childModule)) {
      if (depthAt(code, index) > 0 || /#\[\s*path\b/.test(marks)) continue;
      const isPartial = isConditional || /\bcfg\s*\(/.test(marks);
      children.push({ name, visibility: visibility.trim(), isConditional: isPartial, end: index + all.length });
    }
    const own: RustModule = { path, file, lines, code, children, isConditional };
    this.#byFile.set(file, own);
    for (const child of children) {
      const stem = `${childDirectory(own)}/${child.name}`.replace(/^\.\//, '');
      const found = [`${stem}.rs`, `${stem}/mod.rs`].find((one) => read(one) !== undefined);
      if (found === undefined) continue;
      this.#add(read, { file: found, path: [...path, child.name], isConditional: child.isConditional });
    }
  }
}

function childDirectory({ file, path }: Pick<RustModule, 'file' | 'path'>): string {
  const isOfDirectory = path.length === 1 || basename(file) === 'mod.rs';
  return isOfDirectory ? dirname(file) : file.slice(0, -'.rs'.length);
}

function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.join('::') === other.join('::');
}

/** True if a module is another one, or in it. */
export function isInside(path: readonly string[], outer: readonly string[]): boolean {
  return isSamePath(path.slice(0, outer.length), outer);
}

/** True if code of module `from` may name what module `home` declares with a visibility. */
export function isVisible(visibility: string, home: readonly string[], from: readonly string[]): boolean {
  const plain = visibility.replace(/\s+/g, '');
  if (plain === 'pub' || plain === 'pub(crate)') return true;
  if (plain === 'pub(super)') return isInside(from, home.slice(0, -1));
  return (plain === '' || plain === 'pub(self)') && isInside(from, home);
}

/** Returns the path of the module around an offset of a file. */
export function pathAt({ path, code }: RustModule, offset: number): readonly string[] {
  const around = inlineModules(code).filter(({ start, end }) => start <= offset && offset < end);
  return [...path, ...around.map(({ name }) => name)];
}

function inlineModules(code: string): InlineModule[] {
  return [...code.matchAll(/\bmod\s+(\w+)\s*\{/g)].map(({ 0: all, 1: name = '', index }) => {
    return { name, start: index, end: endOfBraces(code, index + all.length - 1) };
  });
}

/** Returns the `use` statements of a text without comments and strings. */
export function useStatements(code: string): UseStatement[] {
  return [...code.matchAll(/(?<![\w#])(pub(?:\s*\([^)]*\))?\s+)?use\s+([^;]+);/g)].map((match) => {
    const { 0: all, 1: visibility = '', 2: tree = '', index } = match;
    const path = index + all.lastIndexOf(tree);
    return {
      start: index,
      end: index + all.length,
      visibility: visibility.trim(),
      path,
      isTopLevel: depthAt(code, index) === 0,
      isMarked: /\]\s*$/.test(code.slice(0, index)),
      leaves: leavesOf(tree, path, []),
    };
  });
}

function leavesOf(text: string, offset: number, prefix: readonly string[]): UseLeaf[] {
  const open = text.indexOf('{');
  if (open < 0) return leafOf(text, offset, prefix);
  const outer = [...prefix, ...segmentsOf(text.slice(0, open))];
  const inside = text.slice(open + 1, text.lastIndexOf('}'));
  const found: UseLeaf[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at <= inside.length; at++) {
    if (inside[at] === '{') depth++;
    else if (inside[at] === '}') depth--;
    else if (at === inside.length || (inside[at] === ',' && depth === 0)) {
      found.push(...leavesOf(inside.slice(start, at), offset + open + 1 + start, outer));
      start = at + 1;
    }
  }
  return found;
}

function leafOf(text: string, offset: number, prefix: readonly string[]): UseLeaf[] {
  const written = text.trim();
  if (written === '') return [];
  const [path = '', alias] = written.split(/\s+as\s+/);
  const own = segmentsOf(path);
  const segments =
    own.at(-1) === 'self' && prefix.length + own.length > 1 ? [...prefix, ...own.slice(0, -1)] : [...prefix, ...own];
  const start = offset + text.indexOf(written);
  return [{ segments, bound: alias ?? segments.at(-1) ?? '', start, end: start + written.length }];
}

/** Returns the names of a path. */
export function segmentsOf(path: string): string[] {
  return path
    .split('::')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/**
 * Returns the path of a name from the root, or as written if it begins with another crate; `here` is the path of the module
 * whose code names it.
 */
export function absolutePath(
  module: RustModule,
  here: readonly string[],
  segments: readonly string[],
  depth = 0,
): readonly string[] {
  const [first = '', ...rest] = segments;
  if (first === 'crate') return segments;
  if (first === 'self') return [...here, ...rest];
  if (first === 'super') {
    const above = here.slice(0, -1);
    return rest[0] === 'super' ? absolutePath(module, above, rest) : [...above, ...rest];
  }
  if (declares(module, first)) return [...here, ...segments];
  const leaf = useStatements(module.code)
    .filter(({ isTopLevel }) => isTopLevel)
    .flatMap(({ leaves }) => leaves)
    .find(({ bound }) => bound === first);
  if (leaf === undefined || depth > 3 || leaf.segments[0] === first) return segments;
  return [...absolutePath(module, here, leaf.segments, depth + 1), ...rest];
}

const item = (name: string) =>
  new RegExp(
    `\\b(?:fn|struct|enum|union|trait|type|static|const|mod)\\s+(?:mut\\s+)?${RegExp.escape(name)}(?![\\w])`,
    'g',
  );

/** True if the top level of a module declares a name. */
export function declares({ code }: RustModule, name: string): boolean {
  return [...code.matchAll(item(name))].some(({ index }) => depthAt(code, index) === 0);
}
