import type { CodeMeaning, CodeNames, CodePlace, ReadCode } from '../../text/code-names.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { modulePlaces } from './modules.ts';
import {
  bindingsIn,
  type PythonBinding,
  type PythonScope,
  type PythonStatement,
  parameterOffset,
  pythonImports,
  pythonStatements,
  usesOwnVariable,
} from './statements.ts';

interface Module {
  readonly file: string;
  readonly text: string;
  readonly statements: readonly PythonStatement[];
}

/** A module, with the directory of its submodules if it is a package. */
interface Package {
  readonly module: Module | undefined;
  readonly directory: string | undefined;
}

type Leads = Omit<CodeMeaning, 'isBinding'>;

const nothing: Leads = { places: [], isComplete: true };
const unknown: Leads = { places: [], isComplete: false };
const maxDepth = 30;
const chainBefore = /(?:[\p{L}\p{N}_]+\s*\.\s*)+$/u;
const wordAt = /[\p{L}\p{N}_]*/uy;

const parsed = new WeakMap<TextLines, readonly PythonStatement[]>();

/**
 * Resolves names by the code of a project alone: by imports and the statements that bind names. A stub stands for the
 * code beside it. Attributes are those of modules only.
 */
export class PythonNames implements CodeNames {
  readonly #read: ReadCode;

  constructor(read: ReadCode) {
    this.#read = read;
  }

  meaningAt({ file, offset }: CodePlace): CodeMeaning {
    const module = this.#module(file);
    const statement = module?.statements.find(({ start, end }) => start <= offset && offset < end);
    const name = module === undefined ? '' : nameAt(module.text, offset);
    if (module === undefined || statement === undefined || name === '') return { ...unknown, isBinding: false };
    const chain = chainBefore.exec(module.text.slice(Math.max(0, offset - 200), offset))?.[0].replace(/\s+/g, '');
    const imported = pythonImports(statement).find((one) => one.offset === offset || one.memberOffset === offset);
    if (imported !== undefined) {
      const binding = { ...imported, by: 'import' as const };
      return { ...this.#imported(module, binding, 0), isBinding: false };
    }
    if (chain !== undefined) return { ...this.#attribute(module, statement, `${chain}${name}`), isBinding: false };
    if (/[.)\]]\s*$/.test(module.text.slice(Math.max(0, offset - 20), offset))) return { ...unknown, isBinding: false };
    return this.#bare(module, statement, { name, offset });
  }

  meaningIn(file: string, name: string): CodeMeaning {
    const module = this.#module(file);
    const leads = module === undefined ? unknown : this.#member({ module, directory: undefined }, name, 0);
    return { ...leads, isBinding: false };
  }

  declarationsIn(file: string, name: string): CodePlace[] {
    const module = this.#module(file);
    if (module === undefined) return [];
    const { bindings } = bindingsIn(module.statements, scopeOf(module), name);
    const declared = bindings.flatMap((one) => (one.by === 'import' ? [] : [one.offset]));
    return [...declared, ...exportsOf(module, name)].map((offset) => ({ file, offset }));
  }

  #module(file: string): Module | undefined {
    const lines = this.#read(file);
    if (lines === undefined) return undefined;
    const statements = parsed.get(lines) ?? pythonStatements(lines.text);
    parsed.set(lines, statements);
    return { file, text: lines.text, statements };
  }

  #bare(module: Module, statement: PythonStatement, at: { name: string; offset: number }): CodeMeaning {
    const { name, offset } = at;
    const place = { file: module.file, offset };
    const local = { places: [place], isComplete: true, isBinding: true };
    const kind = usesOwnVariable(statement, at);
    if (kind === 'parameter') return local;
    if (kind !== 'no') return { ...unknown, isBinding: false };
    for (let scope: PythonScope | undefined = statement.scope; scope !== undefined; scope = scope.parent) {
      if (scope.kind === 'class' && scope !== statement.scope) continue;
      const { bindings, isGlobal } = bindingsIn(module.statements, scope, name);
      const isBinding = bindings.some((one) => one.by !== 'import' && one.offset === offset);
      if (isGlobal || scope.kind === 'module') {
        return {
          ...this.#member({ module, directory: undefined }, name, 0),
          isBinding: isBinding || (isGlobal && bindings.length > 0),
        };
      }
      const parameter = scope.head === undefined ? undefined : parameterOffset(scope.head, name);
      if (parameter !== undefined) return { ...local, places: [{ ...place, offset: parameter }], isBinding };
      if (bindings.length > 0) return { ...this.#union(module, bindings, 0), isBinding };
    }
    return { ...unknown, isBinding: false };
  }

  /** Follows `pkg.mod.name`, whose first part is bare. */
  #attribute(module: Module, statement: PythonStatement, chain: string): Leads {
    const [first = '', ...rest] = chain.split('.');
    let scope: PythonScope | undefined = statement.scope;
    let found: readonly PythonBinding[] = [];
    for (; scope !== undefined && found.length === 0; scope = scope.parent) {
      if (scope.head !== undefined && parameterOffset(scope.head, first) !== undefined) return unknown;
      found = bindingsIn(module.statements, scope, first).bindings;
    }
    const [binding] = found;
    if (binding?.by !== 'import' || found.some(({ by }) => by !== 'import')) return unknown;
    let owner = this.#package(module, binding);
    for (const part of rest.slice(0, -1)) owner = owner && this.#submodule(owner, part);
    return owner === undefined ? unknown : this.#member(owner, rest.at(-1) ?? '', 0);
  }

  /** Returns the module that an import binds a name to, if it is one. */
  #package(module: Module, { module: from, member }: PythonBinding & { by: 'import' }, depth = 0): Package | undefined {
    const owner = this.#find(from, module.file);
    if (member === undefined || owner === undefined) return owner;
    // `from . import mod` of a package binds its own module.
    const isOfItself = owner.module?.file === module.file;
    return isOfItself ? this.#moduleIn(owner, member) : this.#submodule(owner, member, depth);
  }

  /** Returns what a module calls by a name, if it is a module. */
  #submodule(owner: Package, name: string, depth = 0): Package | undefined {
    const { module } = owner;
    const own = module === undefined ? [] : bindingsIn(module.statements, scopeOf(module), name).bindings;
    const [imported] = own;
    if (module !== undefined && imported?.by === 'import' && depth < maxDepth) {
      const found = this.#package(module, imported, depth + 1);
      if (found !== undefined) return found;
    }
    return own.length > 0 ? undefined : this.#moduleIn(owner, name);
  }

  #moduleIn({ directory }: Package, name: string): Package | undefined {
    return directory === undefined ? undefined : this.#find(`.${name}`, directory === '' ? 'x' : `${directory}/x`);
  }

  #find(module: string, file: string): Package | undefined {
    const exists = (path: string) => this.#read(path) !== undefined;
    for (const { files, directory } of modulePlaces(module, file, exists)) {
      const path = files.find(exists);
      const isPackage = path === undefined || path.startsWith(`${directory}/`) || path.startsWith('__init__');
      if (path !== undefined) {
        const found = this.#module(path);
        return { module: found, directory: isPackage ? directory : undefined };
      }
    }
    return undefined;
  }

  #member(owner: Package, name: string, depth: number): Leads {
    const { module, directory } = owner;
    if (depth > maxDepth) return nothing;
    if (module !== undefined) {
      const { bindings } = bindingsIn(module.statements, scopeOf(module), name);
      const code = module.file.endsWith('.pyi') ? this.#module(module.file.slice(0, -1)) : undefined;
      if (code !== undefined && bindings.some(({ by }) => by !== 'import')) {
        // A stub stands for the code beside it.
        const behind = this.#member({ module: code, directory }, name, depth + 1);
        if (behind.places.length > 0 || !behind.isComplete) return behind;
      }
      if (bindings.length > 0) return this.#union(module, bindings, depth);
      const starred = this.#starred(module, name, depth);
      // Whether a library has the name too is not known; that would be a mistake of the code.
      if (starred.places.length > 0) return { ...starred, isComplete: true };
    }
    return { places: [], isComplete: false };
  }

  #starred(module: Module, name: string, depth: number): Leads {
    const { bindings } = bindingsIn(module.statements, scopeOf(module), '*');
    return bindings.length === 0
      ? nothing
      : this.#union(
          module,
          bindings.map((one) => ({ ...one, member: name })),
          depth,
        );
  }

  #union(module: Module, bindings: readonly PythonBinding[], depth: number): Leads {
    const all = bindings.map((one): Leads => {
      if (one.by === 'import') return this.#imported(module, one, depth);
      return { places: [{ file: module.file, offset: one.offset }], isComplete: true };
    });
    const byKey = new Map(all.flatMap(({ places }) => places).map((place) => [JSON.stringify(place), place]));
    return { places: [...byKey.values()], isComplete: all.every(({ isComplete }) => isComplete) };
  }

  #imported(module: Module, binding: PythonBinding & { by: 'import' }, depth: number): Leads {
    const owner = this.#find(binding.module, module.file);
    // The name of a module is no definition.
    if (binding.member === undefined) return owner === undefined ? unknown : nothing;
    if (owner === undefined) return unknown;
    const found = this.#member(owner, binding.member, depth + 1);
    if (found.places.length > 0) return found;
    return this.#submodule(owner, binding.member) === undefined ? found : nothing;
  }
}

function scopeOf({ statements }: Module): PythonScope {
  let scope = statements[0]?.scope;
  while (scope?.parent !== undefined) scope = scope.parent;
  return scope ?? { kind: 'module', parent: undefined, head: undefined };
}

function nameAt(text: string, offset: number): string {
  wordAt.lastIndex = offset;
  return wordAt.exec(text)?.[0] ?? '';
}

/** Returns where `__all__` of a module has a name, without the quotes. */
function exportsOf({ statements, text }: Module, name: string): number[] {
  const pattern = new RegExp(`(?<=(["']))${name}(?=\\1)`, 'gu');
  return statements
    .filter(({ code, scope }) => scope.kind === 'module' && /^__all__\b/.test(code))
    .flatMap(({ start, end }) => [...text.slice(start, end).matchAll(pattern)].map(({ index }) => start + index));
}

/** A name in the code of a definition that the definition does not bind itself. */
export interface FreeName {
  readonly name: string;
  readonly offset: number;
  /** True if the name may nevertheless be a variable of a lambda or comprehension around it. */
  readonly isDoubtful: boolean;
}

/** Returns those of the names in some code that its functions and classes do not bind themselves. */
export function freeNames(
  text: string,
  statements: readonly PythonStatement[],
  names: readonly { readonly name: string; readonly offset: number }[],
): FreeName[] {
  return names.flatMap(({ name, offset }) => {
    const statement = statements.find(({ start, end }) => start <= offset && offset < end);
    if (statement === undefined || /^(?:from|import)\s/.test(statement.code)) return [];
    const before = statement.code.slice(0, offset - statement.start);
    const isOther = /\.\s*$/.test(before) || /^(?:async\s+)?(?:def|class)\s+$/.test(before);
    const after = text.slice(offset + name.length, statement.end);
    const isKeyword = /[(,]\s*$/.test(before) && /^\s*=(?!=)/.test(after);
    if (isOther || isKeyword || isBoundAround(statements, statement, { name, offset })) return [];
    return [{ name, offset, isDoubtful: usesOwnVariable(statement, { name, offset }) !== 'no' }];
  });
}

function isBoundAround(
  statements: readonly PythonStatement[],
  statement: PythonStatement,
  { name, offset }: { name: string; offset: number },
): boolean {
  if (parameterOffset(statement, name) === offset) return true;
  for (let scope: PythonScope | undefined = statement.scope; scope?.parent !== undefined; scope = scope.parent) {
    if (scope.kind === 'class' && scope !== statement.scope) continue;
    const { bindings, isGlobal } = bindingsIn(statements, scope, name);
    if (isGlobal) return false;
    if (scope.head !== undefined && parameterOffset(scope.head, name) !== undefined) return true;
    // In the body of a class a name is that of the module until the class binds it, as in `date: date`.
    const isBound = (bound: number) => scope?.kind === 'function' || bound < statement.start || bound === offset;
    if (bindings.some((binding) => isBound(binding.offset))) return true;
  }
  return false;
}
