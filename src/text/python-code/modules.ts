import type { TextLines } from '../text-lines.ts';
import { bindingsIn, type PythonBinding } from './bindings.ts';
import { pythonImports } from './imports.ts';
import { modulePlaces } from './module-files.ts';
import { type ModulePath, modulePath } from './module-path.ts';
import type { ReadCode } from './python-names.ts';
import { type PythonScope, type PythonStatement, pythonStatements } from './statements.ts';

/** A file of Python. */
export interface PythonModule {
  /** Project-relative. */
  readonly file: string;
  readonly lines: TextLines;
  readonly statements: readonly PythonStatement[];
  readonly path: ModulePath;
}

const typeChecking = /^if\s+(?:[\p{L}\p{N}_]+\s*\.\s*)?TYPE_CHECKING\s*:$/u;

/** The modules of a project, by their code alone. */
export class PythonModules {
  readonly #read: ReadCode;
  readonly #known = new Map<string, PythonModule | undefined>();

  constructor(read: ReadCode) {
    this.#read = read;
  }

  readonly exists = (file: string): boolean => this.#read(file) !== undefined;

  /** Returns the module in a project-relative file; `undefined` if the file does not exist. */
  get(file: string): PythonModule | undefined {
    if (this.#known.has(file)) return this.#known.get(file);
    const lines = this.#read(file);
    const module = lines && {
      file,
      lines,
      statements: pythonStatements(lines.text),
      path: modulePath(file, this.exists),
    };
    this.#known.set(file, module);
    return module;
  }

  /** Returns the file of a module with leading dots that a file imports, if it is in the project. */
  resolve(module: string, importer: string): string | undefined {
    const places = modulePlaces(module, importer, this.exists);
    return places.flatMap(({ files }) => files).find(this.exists);
  }

  /** Returns the files of the project that run when a file is imported, as far as its own imports cause it. */
  loadedBy(file: string): readonly string[] {
    const module = this.get(file);
    if (module === undefined) return [];
    const loaded = module.statements
      .filter((statement) => !isDeferred(statement) && guardOf(module, statement) !== 'types')
      .flatMap((statement) => this.#filesOf(statement, file));
    return [...new Set(loaded)].filter((other) => other !== file);
  }

  /** Returns the files by which importing `to` imports `from`, both included; `undefined` if it does not. */
  chain(to: string, from: string): readonly string[] | undefined {
    const before = new Map<string, string | undefined>([[to, undefined]]);
    for (const file of before.keys()) {
      if (file === from) {
        const chain: string[] = [];
        for (let at: string | undefined = file; at !== undefined; at = before.get(at)) chain.unshift(at);
        return chain;
      }
      for (const next of this.loadedBy(file)) if (!before.has(next)) before.set(next, file);
    }
    return undefined;
  }

  #filesOf(statement: PythonStatement, file: string): string[] {
    return pythonImports(statement).flatMap(({ module, member, memberOffset }) => {
      if (member === undefined) {
        const whole = /^[\p{L}\p{N}_.]+/u.exec(statement.code.slice(memberOffset - statement.start))?.[0] ?? module;
        return this.#withPackages(this.resolve(whole, file), file);
      }
      const base = this.resolve(module, file);
      const inside = this.resolve(module.endsWith('.') ? module + member : `${module}.${member}`, file);
      const owner = base === undefined ? undefined : this.get(base);
      const isBound = owner !== undefined && moduleBindings(owner, member).length > 0;
      return [
        ...(inside === undefined || isBound ? this.#withPackages(base, file) : []),
        ...this.#withPackages(inside, file),
      ];
    });
  }

  /** Returns a file with the packages that are imported before it, unless the importer is in them. */
  #withPackages(file: string | undefined, importer: string): string[] {
    const module = file === undefined ? undefined : this.get(file);
    if (file === undefined || module === undefined) return [];
    const { root, package: inside } = module.path;
    const directories = inside.map((_, at) => [root, ...inside.slice(0, at + 1)].filter(Boolean).join('/'));
    const others = directories.filter((directory) => !importer.startsWith(`${directory}/`));
    return [...others.map((directory) => `${directory}/__init__.py`), file];
  }
}

/** True if a statement runs when a function is called, not when its module is imported. */
export function isDeferred({ scope }: PythonStatement): boolean {
  for (let at: PythonScope | undefined = scope; at !== undefined; at = at.parent)
    if (at.kind === 'function') return true;
  return false;
}

/** Returns the condition of a statement: `types` for `if TYPE_CHECKING:`, or `other`; `undefined` if it has none. */
export function guardOf({ statements }: PythonModule, statement: PythonStatement): 'types' | 'other' | undefined {
  if (statement.indent === 0) return undefined;
  const head = statements.findLast(({ start, indent }) => start < statement.start && indent < statement.indent);
  return head !== undefined && head.indent === 0 && typeChecking.test(head.code) ? 'types' : 'other';
}

/** A statement of a module that binds a name there. */
export type ModuleBinding = PythonBinding & { readonly statement: PythonStatement };

/** Returns the bindings of a name at the top level of a module; `*` for imports of all names. */
export function moduleBindings({ statements }: PythonModule, name: string): ModuleBinding[] {
  const top = statements.find(({ scope }) => scope.kind === 'module');
  const found = top === undefined ? [] : bindingsIn(statements, top.scope, name).bindings;
  return found.flatMap((binding) => {
    const statement = statements.find(({ start, end }) => start <= binding.offset && binding.offset < end);
    return statement === undefined ? [] : [{ ...binding, statement }];
  });
}
