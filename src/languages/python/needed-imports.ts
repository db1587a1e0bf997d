import { basename } from 'node:path';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { definitionsAt } from '../../symbols/queries/requests.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { type Place, placeAt } from '../../text/place.ts';
import { offsetAt, positionAt } from '../../text/position.ts';
import {
  absoluteModule,
  guardOf,
  type ModuleBinding,
  moduleBindings,
  type PythonModule,
  relativeModule,
} from './modules.ts';
import { isMoved, type PythonCodeMove, refusedByLines } from './move-code.ts';
import { type FreeName, freeNames } from './names.ts';
import { pythonImports } from './statements.ts';

/** An import that moved code needs in its new module. */
export interface NeededImport {
  /** The module of `from module import clause`, in parts or as written; `undefined` for `import clause`. */
  readonly module: string | undefined;
  readonly clause: string;
  /** The head of the statement around it, such as `if TYPE_CHECKING:`. */
  readonly guard: string | undefined;
}

export interface Needs {
  readonly imports: readonly NeededImport[];
  /** Names of the old module, and where the moved code uses them. */
  readonly ofSource: ReadonlyMap<string, number>;
  /** True if the moved code uses names that the new module defines. */
  readonly usesTarget: boolean;
}

const maxStrings = 200;

/**
 * Returns what the moved code needs, by the names that it does not bind itself.
 *
 * @throws {ExpectedError} `edit.refused` for a name that the new module would not have, or would understand otherwise.
 */
export async function neededImports(scope: SymbolScope, move: PythonCodeMove): Promise<Needs> {
  const free = await namesToProvide(scope, move);
  const found = new NeedsFinder(move);
  for (const one of free) await found.add(one, () => definitionsOf(scope, move, one.offset));
  return found.needs();
}

async function namesToProvide(scope: SymbolScope, move: PythonCodeMove): Promise<FreeName[]> {
  const { source, name } = move;
  const { text, starts } = source.lines;
  const all = (await syntaxTrees.identifiers('python', text)).map(({ name: word, start }) => ({
    name: word,
    offset: offsetAt(text, starts, start) ?? text.length,
  }));
  const names = all.filter((one) => isMoved(move, one.offset));
  const free = freeNames(text, source.statements, names);
  return [...free, ...(await namesInStrings(scope, move))].filter((one) => one.name !== name);
}

/** Returns the names in strings that the language server follows, as in `"Item | None"`. */
async function namesInStrings(scope: SymbolScope, move: PythonCodeMove): Promise<FreeName[]> {
  const { source } = move;
  const { text } = source.lines;
  const found: FreeName[] = [];
  for (const { start, end, code } of source.statements) {
    if (!isMoved(move, start) || /^"+$/.test(code)) continue;
    for (const { 0: name, index } of text.slice(start, end).matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)) {
      const offset = start + index;
      if (code[index] !== '"' || text[offset - 1] === '.' || found.length >= maxStrings) continue;
      if (moduleBindings(source, name).length === 0) continue;
      if ((await definitionsOf(scope, move, offset)).length > 0) found.push({ name, offset, isDoubtful: false });
    }
  }
  return found;
}

/** Returns where the language server leads the name at an offset, without the moved code. */
async function definitionsOf(scope: SymbolScope, move: PythonCodeMove, offset: number): Promise<readonly Place[]> {
  const { source, task } = move;
  const { text, starts } = source.lines;
  const place = placeAt(source.file, positionAt(text, starts, offset));
  return (await definitionsAt(scope, task.active, place)).filter(({ file, range }) => {
    return file !== source.file || !isMoved(move, offsetAt(text, starts, range.start) ?? -1);
  });
}

/** Decides name by name what the new module must import. */
class NeedsFinder {
  readonly #move: PythonCodeMove;
  readonly #imports = new Map<string, NeededImport & { readonly order: number }>();
  readonly #ofSource = new Map<string, number>();
  #usesTarget = false;

  constructor(move: PythonCodeMove) {
    this.#move = move;
  }

  needs(): Needs {
    const imports = [...this.#imports.values()].sort((a, b) => a.order - b.order);
    return { imports, ofSource: this.#ofSource, usesTarget: this.#usesTarget };
  }

  async add({ name, offset, isDoubtful }: FreeName, ask: () => Promise<readonly Place[]>): Promise<void> {
    const { source, target } = this.#move;
    const own = moduleBindings(source, name).filter((one) => !isMoved(this.#move, one.offset));
    const theirs = target === undefined ? [] : moduleBindings(target, name);
    if (own.length + theirs.length === 0) return await this.#requireBuiltin(name, ask);
    if (isDoubtful && (await ask()).length === 0) return;
    if (own.length === 0) this.#refuse(`\`${name}\` means something else in \`${target?.file}\``, target, theirs);
    else if (own.every((one) => one.by !== 'import')) this.#addOwn(name, offset, { own, theirs });
    else this.#addImport(name, { own, theirs });
  }

  /** A name that the module does not bind may come from `import *`. */
  async #requireBuiltin(name: string, ask: () => Promise<readonly Place[]>): Promise<void> {
    const { source } = this.#move;
    const stars = moduleBindings(source, '*');
    if (stars.length === 0) return;
    const locations = await ask();
    if (locations.every(({ file }) => basename(file) === 'builtins.pyi')) return;
    this.#refuse(`\`${name}\` may come from \`import *\``, source, stars);
  }

  #addOwn(name: string, offset: number, { own, theirs }: Bindings): void {
    const { source, target, modules, to } = this.#move;
    if (own.every(({ statement }) => guardOf(source, statement) !== undefined)) {
      this.#refuse(`\`${name}\`, which its code uses, is bound under a condition`, source, own);
    }
    const isVariable = own.some(({ by }) => by === 'value');
    const rebinding = new RegExp(`^(?:global)\\s.*(?<![\\p{L}\\p{N}_])${name}(?![\\p{L}\\p{N}_])`, 'su');
    const writes = source.statements.filter(({ code }) => rebinding.test(code));
    if (isVariable && (own.length > 1 || writes.length > 0)) {
      const at = [...own, ...writes.map(({ start }) => ({ offset: start }))];
      this.#refuse(`\`${name}\`, which its code uses, changes its value`, source, at);
    }
    const isSame = (one: ModuleBinding) =>
      one.by === 'import' && one.member === name && modules.resolve(one.module, to) === source.file;
    if (theirs.length === 0) this.#ofSource.set(name, this.#ofSource.get(name) ?? offset);
    else if (theirs.every(isSame)) this.#ofSource.set(name, this.#ofSource.get(name) ?? offset);
    else this.#refuse(`\`${name}\` means something else in \`${target?.file}\``, target, theirs);
  }

  #addImport(name: string, { own, theirs }: Bindings): void {
    const { source, target, to } = this.#move;
    const needed = own.flatMap((one) => this.#importOf(one));
    const [first] = own;
    if (needed.length < own.length || first === undefined) {
      this.#refuse(`\`${name}\` is bound in more than one way, or under a condition`, source, own);
    }
    const leadsToTarget = own.filter((one) => one.by === 'import' && this.#leadsTo(one, to));
    if (leadsToTarget.length > 0) {
      const isItself = own.length === 1 && first?.by === 'import' && first.member === name;
      if (!isItself) this.#refuse(`\`${name}\` is the module \`${to}\` itself, or another name of it`, source, own);
      this.#usesTarget = true;
      return;
    }
    const known = new Set(theirs.map((one) => (target === undefined ? '' : keyOf(target, one))));
    const isKnown = own.every((one) => known.has(keyOf(source, one)));
    if (theirs.length > 0 && !(isKnown && known.size === new Set(own.map((one) => keyOf(source, one))).size)) {
      this.#refuse(`\`${name}\` means something else in \`${to}\``, target, theirs);
    }
    if (theirs.length > 0 && theirs.every(({ statement }) => statement.indent === 0)) return;
    for (const one of needed) {
      if (one.guard !== undefined) this.#addGuard(one.guard);
      this.#imports.set(`${one.guard} ${one.module} ${one.clause}`, one);
    }
  }

  /** The condition `if TYPE_CHECKING:` is a name as well. */
  #addGuard(guard: string): void {
    const { source, target } = this.#move;
    const name = /^if\s+([\p{L}\p{N}_]+)/u.exec(guard)?.[1] ?? '';
    const own = moduleBindings(source, name);
    this.#addImport(name, { own, theirs: target === undefined ? [] : moduleBindings(target, name) });
  }

  /** Returns the import for a binding in the new module; none for a binding that cannot be repeated there. */
  #importOf(binding: ModuleBinding): (NeededImport & { readonly order: number })[] {
    const { source, toPath } = this.#move;
    const { statement } = binding;
    const guard = guardOf(source, statement);
    const imported = pythonImports(statement).find(({ offset }) => offset === binding.offset);
    if (binding.by !== 'import' || imported === undefined || guard === 'other') return [];
    const head = source.statements.findLast(
      ({ start, indent }) => start < statement.start && indent < statement.indent,
    );
    const shared = { guard: guard === undefined ? undefined : head?.code, order: statement.start };
    const { member, bound, memberOffset, offset } = imported;
    const { text } = source.lines;
    if (member === undefined) {
      const isAlias = memberOffset !== offset;
      const clause = isAlias ? text.slice(memberOffset, offset + bound.length) : dottedAt(text, offset);
      return [{ ...shared, module: undefined, clause }];
    }
    const clause = member === bound ? member : `${member} as ${bound}`;
    const isSamePackage = source.path.package.join('.') === toPath.package.join('.');
    const parts = absoluteModule(imported.module, source.path);
    if (parts === undefined) return [];
    const isKept = isSamePackage || !imported.module.startsWith('.');
    return [
      { ...shared, module: isKept ? imported.module : (relativeModule(parts, toPath) ?? parts.join('.')), clause },
    ];
  }

  #leadsTo(binding: ModuleBinding & { by: 'import' }, file: string): boolean {
    const { modules, source } = this.#move;
    const { module, member } = binding;
    if (member === undefined) return modules.resolve(module, source.file) === file;
    const inside = module.endsWith('.') ? module + member : `${module}.${member}`;
    return [module, inside].some((one) => modules.resolve(one, source.file) === file);
  }

  #refuse(reason: string, module: PythonModule | undefined, at: readonly { offset: number }[]): never {
    const offsets = at.map(({ offset }) => offset);
    throw refusedByLines(this.#move, reason, { module: module ?? this.#move.source, offsets });
  }
}

interface Bindings {
  readonly own: readonly ModuleBinding[];
  readonly theirs: readonly ModuleBinding[];
}

/** Returns a text that is equal for bindings with the same meaning. */
function keyOf({ path, lines }: PythonModule, binding: ModuleBinding): string {
  if (binding.by !== 'import') return `own ${binding.offset}`;
  const whole = binding.member === undefined ? dottedAt(lines.text, binding.offset) : '';
  return JSON.stringify([absoluteModule(binding.module, path), binding.member, whole]);
}

function dottedAt(text: string, offset: number): string {
  return /^[\p{L}\p{N}_.]*/u.exec(text.slice(offset))?.[0] ?? '';
}
