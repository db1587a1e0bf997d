import { moduleBindings, type PythonModule } from '../../../languages/python/modules.ts';
import { type PythonImport, type PythonStatement, pythonImports } from '../../../languages/python/statements.ts';
import { type Place, placeAt } from '../../../text/place.ts';
import { offsetAt, positionAt } from '../../../text/position.ts';
import type { SymbolScope } from '../../model/scope.ts';
import { editLimits } from '../../queries/all-references.ts';
import { referenceLocations } from '../../queries/references.ts';
import { definitionsAt } from './definitions-at.ts';
import { keepName, moveRefused } from './move-rule.ts';
import { isMoved, type PythonCodeMove, refusedByLines } from './python-code-move.ts';

/** A statement that imports the moved symbol from its old module. */
export interface ImportUse {
  readonly module: PythonModule;
  readonly statement: PythonStatement;
  readonly items: readonly PythonImport[];
}

/** The name as an attribute of its old module, such as `shop.prices.price`. Offsets. */
export interface AttributeUse {
  readonly module: PythonModule;
  readonly statement: PythonStatement;
  readonly start: number;
  readonly end: number;
}

/** Where a symbol is used outside its own code. */
export interface PythonUses {
  /** Offsets in its own file. */
  readonly own: readonly number[];
  readonly imports: readonly ImportUse[];
  readonly attributes: readonly AttributeUse[];
}

const chainBefore = /(?:[\p{L}\p{N}_]+[ \t]*\.[ \t]*)+$/u;

/**
 * Returns all uses of the symbol that a move changes.
 *
 * @throws {ExpectedError} `edit.refused` if uses may be missing, or for a use of a form that is not understood;
 *   `server.*`.
 */
export async function pythonUses(scope: SymbolScope, move: PythonCodeMove): Promise<PythonUses> {
  const { task, name, source } = move;
  const locations = await referenceLocations(scope, task.target.symbol, { limits: editLimits });
  if (scope.gaps.length > 0) {
    const reasons = scope.gaps.map((gap) => `${gap.missing}: ${gap.reason}`).join('; ');
    throw moveRefused(name, `it may have uses that are not known. ${reasons}`, [
      'pass `re_export` to keep the old name as well',
    ]);
  }
  const found = new UseSorter(scope, move, new Set(locations.map(({ file }) => file)));
  for (const location of locations) await found.add(location);
  const own = found.own.filter((offset) => !isMoved(move, offset));
  const exported = exportedAt(source, name);
  return { own: [...own, ...exported], imports: found.imports, attributes: found.attributes };
}

/** Returns where `__all__` of a module names a symbol. */
function exportedAt({ statements, lines: { text } }: PythonModule, name: string): number[] {
  const lists = statements.filter(({ code, indent }) => indent === 0 && /^__all__\b/.test(code));
  return lists
    .filter(({ start, end }) => new RegExp(`["']${name}["']`).test(text.slice(start, end)))
    .map(({ start }) => start);
}

class UseSorter {
  readonly own: number[] = [];
  readonly attributes: AttributeUse[] = [];
  readonly #imports = new Map<PythonStatement, ImportUse>();
  readonly #scope: SymbolScope;
  readonly #move: PythonCodeMove;
  readonly #files: ReadonlySet<string>;

  constructor(scope: SymbolScope, move: PythonCodeMove, files: ReadonlySet<string>) {
    this.#scope = scope;
    this.#move = move;
    this.#files = files;
  }

  get imports(): readonly ImportUse[] {
    return [...this.#imports.values()];
  }

  async add({ file, range }: Place): Promise<void> {
    const { source, name, modules } = this.#move;
    const module = modules.get(file);
    const offset = module && offsetAt(module.lines.text, module.lines.starts, range.start);
    if (module === undefined || offset === undefined || !/\.pyi?$/.test(file)) {
      throw moveRefused(name, `\`${file}\` uses it, and is not changed by this tool`);
    }
    const statement = module.statements.find(({ start, end }) => start <= offset && offset < end);
    const imported =
      statement && pythonImports(statement).find((one) => one.memberOffset === offset || one.offset === offset);
    const chain = chainBefore.exec(module.lines.text.slice(Math.max(0, offset - 200), offset))?.[0];
    if (statement !== undefined && imported !== undefined) this.#addImport(module, { statement, imported });
    else if (statement !== undefined && chain !== undefined)
      await this.#addAttribute(module, { statement, chain, offset });
    else if (/[.)\]]\s*$/.test(module.lines.text.slice(0, offset)))
      this.#refuse('this use is not understood', module, offset);
    else if (file === source.file) this.own.push(offset);
    else this.#requireImported(module, offset);
  }

  #addImport(
    module: PythonModule,
    { statement, imported }: { statement: PythonStatement; imported: PythonImport },
  ): void {
    const { source, modules, name } = this.#move;
    const from = modules.resolve(imported.module, module.file);
    if (imported.member === name && from === source.file) {
      const known = this.#imports.get(statement)?.items ?? [];
      const items = known.some(({ memberOffset }) => memberOffset === imported.memberOffset)
        ? known
        : [...known, imported];
      this.#imports.set(statement, { module, statement, items });
      // What another file passes on is still there after its own import is corrected.
    } else if (from === undefined || !this.#files.has(from) || from === source.file) {
      this.#refuse('where this import leads is not understood', module, imported.offset);
    }
  }

  async #addAttribute(
    module: PythonModule,
    { statement, chain, offset }: { statement: PythonStatement; chain: string; offset: number },
  ): Promise<void> {
    const { source, task, name } = this.#move;
    const { text, starts } = module.lines;
    const last = /([\p{L}\p{N}_]+)[ \t]*\.[ \t]*$/u.exec(chain);
    const position = positionAt(text, starts, offset - chain.length + (last?.index ?? 0));
    const locations = await definitionsAt(this.#scope, task.active, placeAt(module.file, position));
    const isSource = locations.some(({ file, range: { end } }) => {
      return file === source.file && end.line === 0 && end.character === 0;
    });
    const end = offset + name.length;
    const isWritten = /^\s*(?::[^=]*)?(?:[-+*/%@&|^]|\*\*|\/\/|<<|>>)?=(?!=)/.test(text.slice(end, statement.end));
    const isStatement = statement.start === offset - chain.length;
    if (isSource && !(isStatement && isWritten)) {
      this.attributes.push({ module, statement, start: offset - chain.length, end });
      return;
    }
    const passes = ({ file }: Place) => file !== source.file && this.#files.has(file);
    const isPassedOn = !isSource && locations.some(passes);
    if (!isPassedOn) this.#refuse('this use is not understood', module, offset);
  }

  /** A bare name must come from an import that names it. */
  #requireImported(module: PythonModule, offset: number): void {
    const { name } = this.#move;
    const isImported = module.statements.some((one) => pythonImports(one).some(({ bound }) => bound === name));
    if (isImported) return;
    const isStar = moduleBindings(module, '*').length > 0;
    this.#refuse(isStar ? 'it is used through `import *`' : 'this use is not understood', module, offset);
  }

  #refuse(reason: string, module: PythonModule, offset: number): never {
    throw refusedByLines(this.#move, reason, { module, offsets: [offset], hint: keepName });
  }
}
