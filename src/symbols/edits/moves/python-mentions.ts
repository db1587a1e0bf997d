import type { SymbolScope } from '../../model/scope.ts';
import { linesNote } from '../left-over.ts';
import { type PythonCodeMove, refusedByLines } from './python-code-move.ts';

const maxChars = 200_000;

/**
 * Returns a note about lines that name the symbol with its old module, in documentation and files of other types.
 *
 * @throws {ExpectedError} `edit.refused` for strings of code that do, unless the old name is kept.
 */
export async function pythonMentions(scope: SymbolScope, move: PythonCodeMove): Promise<string[]> {
  const { source, name, modules, task } = move;
  const own = source.path.parts.at(-1) ?? '';
  const pattern = `(?<![\\w])${own}[.:]${name}(?!\\w)|(?<=["'])${name}(?=["'])`;
  const query = { multiline: false, contextBefore: 0, contextAfter: 0, maxChars, pattern };
  const { files } = await scope.files.project.scanner.search(query, scope.call.signal);
  const noted: { file: string; line: number }[] = [];
  for (const { path: file, lines = [] } of files) {
    const module = file.endsWith('.py') ? modules.get(file) : undefined;
    if (module === undefined) noted.push(...qualifiedLines(scope, file, { lines, own }));
    for (const { index, 0: found } of module?.lines.text.matchAll(new RegExp(pattern, 'gu')) ?? []) {
      const statement = module?.statements.find(({ start, end }) => start <= index && index < end);
      const isString = statement?.code[index - statement.start] === '"';
      // As in `setattr(module, "name", value)`.
      const isBare = found === name;
      if (isBare && !(statement !== undefined && attributeOf(own).test(statement.code))) continue;
      const isText = statement === undefined || /^"+$/.test(statement.code);
      if (module !== undefined && isString && !isText && !task.reExports) {
        throw refusedByLines(move, 'a string names it with its module', {
          module,
          offsets: [index],
          hint: 'pass `re_export` to keep the old name as well, or change the string first',
        });
      }
      const line = module?.lines.text.slice(0, index).split('\n').length ?? 1;
      if (isText && module !== undefined) noted.push({ file, line: line - 1 });
    }
  }
  return noted.length === 0 || task.reExports ? [] : [`These lines may still name its old module: ${linesNote(noted)}`];
}

/** Returns a pattern for a statement that may name an attribute of a module by a string. */
function attributeOf(module: string): RegExp {
  const word = `(?<![\\p{L}\\p{N}_])${module}(?![\\p{L}\\p{N}_])`;
  return new RegExp(`(?:attr|object|attrgetter)\\s*\\(.*${word}|${word}.*attr`, 'su');
}

/** Returns the lines of a file of another type that have the name of the module. */
function qualifiedLines(
  { files }: SymbolScope,
  file: string,
  { lines, own }: { lines: readonly number[]; own: string },
): { file: string; line: number }[] {
  const { text } = files.textOf(file);
  const all = text.split('\n');
  return lines.filter((line) => all[line]?.includes(own)).map((line) => ({ file, line }));
}
