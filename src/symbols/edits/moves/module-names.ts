import { type PythonModule, relativeModule } from '../../../languages/python/modules.ts';
import { pythonImports } from '../../../languages/python/statements.ts';
import { moveRefused } from './move-rule.ts';
import { type PythonCodeMove, refusedByLines } from './python-code-move.ts';
import type { ImportUse } from './python-uses.ts';

/** How the statements of a move name its two modules. */
export class ModuleNames {
  readonly #move: PythonCodeMove;
  readonly #prefix: readonly string[];

  /** @throws {ExpectedError} `edit.refused` if the project names the modules of their directory in several ways. */
  constructor(move: PythonCodeMove, imports: readonly ImportUse[]) {
    this.#move = move;
    const { source, target } = move;
    const users = [source, ...(target === undefined ? [] : [target]), ...imports.map(({ module }) => module)];
    const prefixes = [...new Set(users.flatMap((module) => prefixesIn(move, module)))];
    if (prefixes.length > 1) {
      throw moveRefused(
        move.name,
        `modules beside \`${source.file}\` are imported with and without \`${prefixes.join('')}\``,
      );
    }
    this.#prefix = (prefixes[0] ?? '').split('.').filter(Boolean);
  }

  /** Returns the new module as `importer` names it: with dots if it names others so. */
  ofTarget(importer: PythonModule): string {
    return this.#named(this.#move.toPath.parts, importer);
  }

  /** Returns the old module as the new one names it. */
  ofSource(): string {
    const { source, target, toPath } = this.#move;
    const isRelative = usesDots(source) || (target !== undefined && usesDots(target));
    const relative = isRelative ? relativeModule(source.path.parts, toPath) : undefined;
    return relative ?? this.#absolute(source.path.parts);
  }

  /** Returns the new module in the way in which a statement names the old one. */
  inPlaceOf({ module, statement, items }: ImportUse): string {
    const { toPath } = this.#move;
    const isRelative = items[0]?.module.startsWith('.') === true;
    const named = isRelative ? relativeModule(toPath.parts, module.path) : this.#absolute(toPath.parts);
    if (named !== undefined) return named;
    throw refusedByLines(this.#move, 'this import cannot lead to another package', {
      module,
      offsets: [statement.start],
    });
  }

  #named(parts: readonly string[], importer: PythonModule): string {
    return (usesDots(importer) ? relativeModule(parts, importer.path) : undefined) ?? this.#absolute(parts);
  }

  #absolute(parts: readonly string[]): string {
    return [...this.#prefix, ...parts].join('.');
  }
}

function usesDots({ statements }: PythonModule): boolean {
  return statements.some((statement) => pythonImports(statement).some(({ module }) => module.startsWith('.')));
}

/** Returns what a file's imports write before the names of modules that start from the directory of the move. */
function prefixesIn({ modules, source }: PythonCodeMove, { statements, file }: PythonModule): string[] {
  return statements.flatMap(pythonImports).flatMap(({ module, member }) => {
    if (member === undefined || module.startsWith('.')) return [];
    const found = modules.resolve(module, file);
    const path = found === undefined ? undefined : modules.get(found)?.path;
    const ending = path?.parts.join('.') ?? '';
    if (path?.root !== source.path.root || ending === '' || !`.${module}`.endsWith(`.${ending}`)) return [];
    return [module.slice(0, module.length - ending.length)];
  });
}
