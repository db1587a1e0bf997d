import type { PythonModule } from '../../../languages/python/modules.ts';
import { pythonImports } from '../../../languages/python/statements.ts';
import type { SymbolScope } from '../../model/scope.ts';
import type { Needs } from './needed-imports.ts';
import { type PythonCodeMove, refusedByLines } from './python-code-move.ts';

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
