import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { requestDefinition } from '../../lsp/features/locations.ts';
import { moveRefused } from '../../symbols/edits/moves.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { namePlace, preOrder, type SymbolNode } from '../../symbols/model/symbol.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { type Place, placeAt, placeKey } from '../../text/place.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import {
  absolutePath,
  declares,
  isInside,
  isVisible,
  type RustModule,
  type UseLeaf,
  type UseStatement,
  useStatements,
} from './modules.ts';
import { hasPrivateField, type RustItemMove } from './moved-item.ts';

/** What a moved item needs in its new module. */
export interface RustNeeds {
  /** Statements. */
  readonly imports: readonly string[];
  /** Its text, with paths that hold there. */
  readonly code: string;
  /** Names that its old module imports and does not name itself. */
  readonly leftImports: readonly string[];
  /** Offsets in its old file of declarations that it has to see there, and their names. */
  readonly widened: ReadonlyMap<number, string>;
}

/** A name in the moved code. */
interface MovedName {
  readonly name: string;
  readonly offset: number;
  /** True if nothing with `.` or `::` is before it. */
  readonly isFirst: boolean;
}

const maxNames = 600;

/**
 * Returns what the code of an item needs in its new module.
 *
 * @throws {ExpectedError} `edit.refused` for what is not visible there, or not understood; `server.*`.
 */
export async function neededByItem(scope: SymbolScope, move: RustItemMove): Promise<RustNeeds> {
  const names = await namesOf(move);
  if (names.length > maxNames) throw moveRefused(move.name, `its code has more than ${maxNames} names`);
  const finder = new NeedsFinder(scope, move);
  await finder.addGlobs();
  for (const one of names) await finder.add(one);
  await finder.addTraits(names);
  await finder.addFormatted();
  return { imports: finder.imports, code: finder.code(), leftImports: finder.leftImports(), widened: finder.widened };
}

async function namesOf({ source, span, name }: RustItemMove): Promise<MovedName[]> {
  const { text, starts } = source.lines;
  const all = await syntaxTrees.identifiers('rust', text);
  return all.flatMap((one) => {
    const offset = offsetAt(text, starts, one.start) ?? -1;
    if (offset < span.start || offset >= span.end || one.name === name) return [];
    const before = source.code.slice(0, offset);
    return [{ name: one.name, offset, isFirst: !/(?:::|(?<!\.)\.)\s*$/.test(before) }];
  });
}

/** Decides name by name what the new module must import. */
class NeedsFinder {
  readonly #scope: SymbolScope;
  readonly #move: RustItemMove;
  readonly #uses: readonly UseStatement[];
  readonly #leaves: readonly UseLeaf[];
  readonly #paths = new Map<string, string>();
  readonly #widened = new Map<number, string>();

  constructor(scope: SymbolScope, move: RustItemMove) {
    this.#scope = scope;
    this.#move = move;
    this.#uses = useStatements(move.source.code).filter(({ isTopLevel }) => isTopLevel);
    this.#leaves = this.#uses.flatMap(({ leaves }) => leaves);
  }

  async addGlobs(): Promise<void> {
    for (const { bound, segments, start } of this.#leaves) if (bound === '*') await this.#need(segments, bound, start);
  }

  get imports(): readonly string[] {
    const { target } = this.#move;
    const known = target === undefined ? [] : useStatements(target.code).filter(({ isTopLevel }) => isTopLevel);
    const present = new Set(
      known.flatMap(({ leaves }) =>
        leaves.map((leaf) =>
          clause(target === undefined ? [] : absolutePath(target, target.path, leaf.segments), leaf.bound),
        ),
      ),
    );
    const missing = [...this.#paths.values()].filter((path) => !present.has(path));
    return missing.map((path) => `use ${path};`).sort();
  }

  leftImports(): string[] {
    const { source, span } = this.#move;
    const uses = useStatements(source.code);
    const isInUse = (offset: number) => uses.some(({ start, end }) => start <= offset && offset < end);
    const rest = (name: string) =>
      [...source.code.matchAll(new RegExp(`(?<!\\w)${RegExp.escape(name)}(?!\\w)`, 'g'))].filter(
        ({ index }) => !isInUse(index) && (index < span.start || index >= span.end),
      );
    const needed = this.#leaves.filter(({ bound }) => bound !== '*' && bound !== '_' && this.#paths.has(bound));
    return needed.filter(({ bound }) => rest(bound).length === 0).map(({ bound }) => bound);
  }

  /** Names in strings: `"{LIMIT}"`. */
  async addFormatted(): Promise<void> {
    const { source, span } = this.#move;
    const text = source.lines.text.slice(span.start, span.end);
    for (const { 1: name = '' } of text.matchAll(/\{([A-Za-z_]\w*)(?=[:}])/g)) {
      if (!declares(source, name) || this.#paths.has(name)) continue;
      await this.#requireVisibleHere(name);
      await this.#need([...source.path, name], name, undefined);
    }
  }

  /** Returns the moved text; `self` and `super` lead to the same modules as before. */
  code(): string {
    const { source, span, name } = this.#move;
    const moved = source.lines.text.slice(span.start, span.end);
    const code = source.code.slice(span.start, span.end);
    if (/\bmod\s+\w+\s*\{|\bmacro_rules\s*!/.test(code)) throw moveRefused(name, 'modules or macros are in it');
    if (/#\[[^\]]*\b(?!feature\b|since\b|note\b|reason\b|must_use\b|doc\b|rename_all\b)\w+\s*=\s*"/.test(moved))
      throw moveRefused(name, 'strings in its attributes may name other code');
    let [text, shift] = [moved, 0];
    for (const { 0: found, index } of code.matchAll(/(?<![\w:])(?:self|(?:super\s*::\s*)*super)\s*::\s*/g)) {
      const segments = found
        .split('::')
        .map((one) => one.trim())
        .filter((one) => one !== '');
      const path = `${absolutePath(source, source.path, segments).join('::')}::`;
      text = text.slice(0, index + shift) + path + text.slice(index + shift + found.length);
      shift += path.length - found.length;
    }
    return text;
  }

  async add({ name, offset, isFirst }: MovedName): Promise<void> {
    const { source, span } = this.#move;
    const leaf = this.#leaves.find(({ bound }) => bound === name);
    const isDeclared = declares(source, name);
    const places = await this.#definitionsAt(offset);
    const isLocal = places.some(({ file, range }) => {
      const at = file === source.file ? offsetAt(source.lines.text, source.lines.starts, range.start) : undefined;
      return at !== undefined && span.start <= at && at < span.end;
    });
    if (isLocal) return;
    for (const place of places) await this.#requireVisible(name, place, true);
    if (places.length === 0) await this.#requireVisibleHere(name);
    if (!isFirst) return;
    if (!isDeclared && leaf === undefined) {
      const ofCrate = places.filter(({ file }) => this.#move.crate.at(file) !== undefined);
      const nodes = await Promise.all(ofCrate.map((place) => this.#nodeAt(place)));
      // Fields in a pattern or a new value need no import.
      if (nodes.some((node) => node?.parent === undefined) && !this.#leaves.some(({ bound }) => bound === '*'))
        throw moveRefused(this.#move.name, `where \`${name}\` comes from, which its code uses, is not understood`);
      return;
    }
    if (isDeclared) await this.#need([...source.path, name], name, offset);
    else if (leaf !== undefined) await this.#need(leaf.segments, leaf.bound, offset);
  }

  /** Imports the traits whose methods the moved code may call. */
  async addTraits(names: readonly MovedName[]): Promise<void> {
    const members = names.filter(({ isFirst }) => !isFirst).map(({ name }) => name);
    if (members.length === 0) return;
    const calls = new RegExp(`\\bfn\\s+(?:${[...new Set(members)].map((one) => RegExp.escape(one)).join('|')})\\b`);
    const { source } = this.#move;
    for (const leaf of this.#leaves) {
      const { bound, segments } = leaf;
      if (bound === '*' || this.#paths.has(bound)) continue;
      for (const place of await this.#definitionsAt(nameIn(source, leaf))) {
        const text = this.#textOf(place.file);
        const line = text.split('\n')[place.range.start.line] ?? '';
        if (/\btrait\b/.test(line) && calls.test(text)) await this.#need(segments, bound, undefined);
      }
    }
    for (const trait of await this.#ownTraits(calls))
      await this.#need([...source.path, trait.name], trait.name, undefined);
  }

  async #ownTraits(calls: RegExp): Promise<SymbolNode[]> {
    const { source, name } = this.#move;
    const roots = await this.#scope.files.treeOf(source.file, this.#scope.call);
    return roots.filter(
      (one) =>
        one.kind === kinds.interface &&
        one.name !== name &&
        one.children.some((child) => calls.test(`fn ${child.name}`)),
    );
  }

  /** `offset` is where the moved code has the name. */
  async #need(segments: readonly string[], bound: string, offset: number | undefined): Promise<void> {
    if (this.#paths.has(bound)) return;
    const { source, toPath, crate, target, name } = this.#move;
    const isOwn = isInside(segments, source.path);
    const named = isOwn ? segments : absolutePath(source, source.path, segments);
    const own = [...source.path, name];
    // The item itself, such as an enumeration whose members it imports.
    const path = isInside(named, own) ? [...toPath, ...named.slice(source.path.length)] : named;
    if (path.length === toPath.length + 1 && isInside(path, [...toPath, name])) return;
    const home = path.slice(0, -1);
    if (home.join('::') === toPath.join('::')) return;
    if (path[0] === 'crate' && !crate.isReachable(home, toPath)) {
      if (this.#isOffered(bound)) return await this.#need([...source.path, bound], bound, offset);
      throw moveRefused(name, `\`${path.join('::')}\`, which its code uses, is private to another module`);
    }
    if (target !== undefined && bound !== '*' && bound !== '_') {
      const known = await this.#isKnown(target, path, { bound, offset });
      if (known === 'same') return;
      if (known === 'other') throw moveRefused(name, `\`${bound}\` means something else in \`${target.file}\``);
    }
    this.#paths.set(bound === '*' || bound === '_' ? `${bound} ${path.join('::')}` : bound, clause(path, bound));
  }

  /** True if the new module may import a name from the old one, which imports it itself. */
  #isOffered(bound: string): boolean {
    const { source, toPath } = this.#move;
    return this.#uses.some(
      ({ visibility, leaves }) =>
        isVisible(visibility, source.path, toPath) && visibility !== '' && leaves.some((leaf) => leaf.bound === bound),
    );
  }

  /** Returns what a name means in the new module, if that has it: two paths may lead to one item. */
  async #isKnown(
    target: RustModule,
    path: readonly string[],
    { bound, offset }: { bound: string; offset: number | undefined },
  ): Promise<'same' | 'other' | undefined> {
    const leaf = useStatements(target.code)
      .filter(({ isTopLevel }) => isTopLevel)
      .flatMap(({ leaves }) => leaves)
      .find((one) => one.bound === bound);
    if (leaf === undefined)
      return declares(target, bound) && path.join('::') !== [...target.path, bound].join('::') ? 'other' : undefined;
    if (absolutePath(target, target.path, leaf.segments).join('::') === path.join('::')) return 'same';
    if (offset === undefined) return 'other';
    const [own, theirs] = [await this.#definitionsAt(offset), await this.#definitionsAt(nameIn(target, leaf), target)];
    const keys = new Set(own.map(placeKey));
    return keys.size > 0 && theirs.length > 0 && theirs.every((place) => keys.has(placeKey(place))) ? 'same' : 'other';
  }

  /** What the server does not resolve may be any declaration of the old file with the name. */
  async #requireVisibleHere(name: string): Promise<void> {
    const { source, span } = this.#move;
    const { text, starts } = source.lines;
    const tree = await this.#scope.files.treeOf(source.file, this.#scope.call);
    for (const node of preOrder(tree).filter((one) => one.name === name)) {
      const offset = offsetAt(text, starts, node.selectionRange.start) ?? 0;
      if (offset < span.start || offset >= span.end) await this.#requireVisible(name, namePlace(node), false);
    }
  }

  async #requireVisible(name: string, place: Place, mayWiden: boolean): Promise<void> {
    const { source, crate, toPath, span } = this.#move;
    const module = crate.at(place.file);
    if (module === undefined) return;
    const line = module.code.split('\n')[place.range.start.line] ?? '';
    if (/\bmacro_rules\s*!/.test(line)) throw moveRefused(this.#move.name, `its code uses the macro \`${name}\``);
    const node = await this.#nodeAt(place);
    if (node === undefined || isAlwaysVisible(node)) return;
    const { character } = place.range.start;
    const before = /[^,{(;}]*$/.exec(line.slice(0, character))?.[0] ?? '';
    const visibility = /\bpub(?:\s*\([^)]*\))?/.exec(lineHead(line, before, character))?.[0] ?? '';
    if (!isVisible(visibility, module.path, toPath)) {
      const isWhole = /^\s*(?:(?:default|const|static|mut|fn|async|unsafe|struct|enum|type|trait|union|mod)\s+)*$/;
      if (!mayWiden || module !== source || !isWhole.test(line.slice(0, character))) throw this.#hidden(node, place);
      const lineStart = source.lines.starts[place.range.start.line] ?? 0;
      this.#widened.set(lineStart + line.search(/\S/), name);
    }
    const { text, starts } = module.lines;
    const declared = module.code.slice(
      offsetAt(text, starts, node.range.start) ?? 0,
      offsetAt(text, starts, node.range.end) ?? 0,
    );
    const isTuple = node.kind === kinds.struct && /\bstruct\s+\w+[^{;]*\(/.test(declared);
    const isBuilt = new RegExp(`\\b(?:${RegExp.escape(name)}|Self)\\s*\\(|\\.\\d`).test(
      source.code.slice(span.start, span.end),
    );
    if (isTuple && isBuilt && hasPrivateField(declared) && !isVisible('', module.path, toPath))
      throw this.#hidden(node, place);
  }

  async #nodeAt({ file, range: { start } }: Place): Promise<SymbolNode | undefined> {
    const tree = await this.#scope.files.treeOf(file, this.#scope.call);
    return preOrder(tree).find(
      ({ selectionRange }) =>
        selectionRange.start.line === start.line && selectionRange.start.character === start.character,
    );
  }

  /** Returns what must be visible to the crate: offsets in the old file of where `pub(crate)` comes, and names. */
  get widened(): ReadonlyMap<number, string> {
    return this.#widened;
  }

  #hidden({ name }: SymbolNode, { file, range }: Place) {
    return moveRefused(
      this.#move.name,
      `its code uses \`${name}\` (\`${file}\`, line ${range.start.line + 1}), which the other module does not see`,
      [`make \`${name}\` \`pub(crate)\` first`],
    );
  }

  #textOf(file: string): string {
    try {
      return isAbsolute(file) ? readFileSync(file, 'utf8') : this.#scope.files.textOf(file).text;
    } catch {
      return '';
    }
  }

  async #definitionsAt(offset: number, { file, lines } = this.#move.source): Promise<readonly Place[]> {
    const { files, call } = this.#scope;
    const place = placeAt(file, positionAt(lines.text, lines.starts, offset));
    return await files.ask(this.#move.task.active, call, async (server) => {
      await files.show(server, file, call);
      return (await requestDefinition(server, place, files.limits(call))).locations;
    });
  }
}

/** `pub` may be written with a list in parentheses, which looks like the beginning of fields. */
function lineHead(line: string, before: string, character: number): string {
  const start = character - before.length;
  const opened = /\bpub\s*\($/.exec(line.slice(0, start));
  return opened === null ? before : line.slice(opened.index, character);
}

/** True for what is as visible as the type or trait around it. */
function isAlwaysVisible({ parent }: SymbolNode): boolean {
  if (parent === undefined) return false;
  const isOpen = parent.kind === kinds.enum || parent.kind === kinds.enumMember || parent.kind === kinds.interface;
  return isOpen || / for /.test(parent.name);
}

/** Returns the offset of the last name of a path in a `use` statement. */
function nameIn({ code }: RustModule, { start, end }: UseLeaf): number {
  return start + Math.max(code.slice(start, end).search(/\w+(?:\s+as\s+\w+)?$/), 0);
}

function clause(path: readonly string[], bound: string): string {
  const written = path.join('::');
  return bound === path.at(-1) ? written : `${written} as ${bound}`;
}
