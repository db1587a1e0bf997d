import { moveRefused } from '../../symbols/edits/moves.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { textLines } from '../../text/text-lines.ts';
import { type PythonModule, PythonModules } from './modules.ts';
import { isMoved, type PythonCodeMove, type PythonUses, refusedByLines } from './move-code.ts';
import type { Needs } from './needed-imports.ts';
import { pythonImports } from './statements.ts';

/**
 * Checks that the imports that a move adds do not lead back to the importing module, whose names would not be bound yet.
 *
 * @throws {ExpectedError} `edit.refused` with the circle.
 */
export function requireNoCircle(move: PythonCodeMove, texts: ReadonlyMap<string, string>): void {
  const { modules, source, to, name } = move;
  const planned = new Map([...texts].map(([file, text]) => [file, textLines(text)]));
  const after = new PythonModules((file) => planned.get(file) ?? modules.get(file)?.lines);
  const changed = [to, source.file];
  for (const file of texts.keys()) {
    const before = new Set(modules.loadedBy(file));
    const added = after.loadedBy(file).filter((other) => changed.includes(other) || !before.has(other));
    for (const other of added) {
      const chain = after.chain(other, file);
      if (chain === undefined) continue;
      const circle = [file, ...chain].map((one) => `\`${one}\``).join(' imports ');
      throw moveRefused(name, `modules would import each other before they are complete: ${circle}`, [
        'choose another file, or move what both modules need first',
      ]);
    }
  }
}

const maxChars = 200_000;

/**
 * Checks that no code replaces names of the old module that the moved code uses, as in `prices.rate = 3` or a patch in a
 * test: the moved code would no longer see it.
 *
 * @throws {ExpectedError} `edit.refused` with the line.
 */
export async function requireNotReplaced(scope: SymbolScope, move: PythonCodeMove, needs: Needs): Promise<void> {
  const { source, modules } = move;
  const imported = needs.imports.filter(({ guard }) => guard === undefined).map(({ clause }) => boundBy(clause));
  const names = [...needs.ofSource.keys(), ...imported];
  if (names.length === 0) return;
  const pattern = `[.:"'](?:${names.join('|')})(?:["']|\\s*=[^=])`;
  const query = { multiline: false, contextBefore: 0, contextAfter: 0, maxChars, pattern };
  const { files } = await scope.files.project.scanner.search(query, scope.call.signal);
  for (const { path } of files) {
    const module = path.endsWith('.py') ? modules.get(path) : undefined;
    for (const { index, 0: found } of module?.lines.text.matchAll(new RegExp(pattern, 'gu')) ?? []) {
      if (module === undefined || !replaces(move, module, index + 1)) continue;
      const name = /[\p{L}\p{N}_]+/u.exec(found)?.[0] ?? '';
      const reason = `\`${name}\`, which its code uses, is replaced in \`${source.file}\` by other code`;
      throw refusedByLines(move, reason, { module, offsets: [index] });
    }
  }
}

/** Returns the name that an import clause binds. */
function boundBy(clause: string): string {
  return / as ([\p{L}\p{N}_]+)$/u.exec(clause)?.[1] ?? clause.split('.')[0] ?? clause;
}

/** True if the statement around an offset has the old module in front of the name, or beside it in a call. */
function replaces({ source, modules }: PythonCodeMove, module: PythonModule, offset: number): boolean {
  const { file, lines, statements } = module;
  const statement = statements.find(({ start, end }) => start <= offset && offset < end);
  if (statement === undefined) return false;
  const own = source.path.parts.at(-1) ?? '';
  if (statement.code[offset - statement.start] === '"') {
    const isQualified =
      lines.text.slice(0, offset).endsWith(`${own}.`) || lines.text.slice(0, offset).endsWith(`${own}:`);
    const isPatch = /(?:setattr|delattr|patch\.object)\s*\(/.test(statement.code);
    return (
      isQualified || (isPatch && new RegExp(`(?<![\\p{L}\\p{N}_])${own}(?![\\p{L}\\p{N}_])`, 'u').test(statement.code))
    );
  }
  const owner = /([\p{L}\p{N}_]+)\s*\.$/u.exec(lines.text.slice(Math.max(0, offset - 200), offset))?.[1];
  return statements.some((one) =>
    pythonImports(one).some(({ bound, module: from, member }) => {
      if (bound !== owner && member !== undefined) return false;
      const whole = member === undefined ? from : from.endsWith('.') ? from + member : `${from}.${member}`;
      return modules.resolve(whole, file) === source.file || (member === undefined && owner === own);
    }),
  );
}

/** Decorators that only return what they get, or something in its place. */
const plainDecorator =
  /^@\s*(?:(?:functools|dataclasses|contextlib|typing|typing_extensions|t|te|abc|attr|attrs|enum)\s*\.|(?:wraps|lru_cache|cache|total_ordering|singledispatch|contextmanager|asynccontextmanager|dataclass|overload|final|override|runtime_checkable|deprecated|unique|define|frozen|mutable)(?![\p{L}\p{N}_]))/u;

/**
 * Checks that importing the old module still runs code that may register itself somewhere when it runs: with decorators
 * of the project or of other libraries, and classes and values that nothing else imports.
 *
 * @throws {ExpectedError} `edit.refused` with the lines.
 */
export function requireStillRun(move: PythonCodeMove, uses: PythonUses): void {
  const { source, task } = move;
  if (task.reExports || uses.own.length > 0) return;
  const top = source.statements.filter(({ start, indent }) => indent === 0 && isMoved(move, start));
  const decorators = top.filter(({ code }) => code.startsWith('@') && !plainDecorator.test(code));
  const isUnused = uses.imports.length + uses.attributes.length === 0;
  const others = isUnused
    ? top.filter(({ code }) => /^class\s[^(]*\(.*\S.*\)|^(?!@|def\s|async\s|class\s)[^=]*=.*\(/su.test(code))
    : [];
  const effects = [...decorators, ...others];
  if (effects.length === 0) return;
  throw refusedByLines(move, `importing \`${source.file}\` would no longer run what this may register`, {
    module: source,
    offsets: effects.map(({ start }) => start),
    hint: `pass \`re_export\`: then \`${source.file}\` imports the new file`,
  });
}
