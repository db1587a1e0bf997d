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
  const pattern = `(?<![\\w])${own}[.:]${name}(?!\\w)`;
  const query = { multiline: false, contextBefore: 0, contextAfter: 0, maxChars, pattern };
  const { files } = await scope.files.project.scanner.search(query, scope.call.signal);
  const noted: { file: string; line: number }[] = [];
  for (const { path: file, lines = [] } of files) {
    const module = file.endsWith('.py') ? modules.get(file) : undefined;
    if (module === undefined) noted.push(...lines.map((line) => ({ file, line })));
    for (const { index } of module?.lines.text.matchAll(new RegExp(pattern, 'gu')) ?? []) {
      const statement = module?.statements.find(({ start, end }) => start <= index && index < end);
      const isString = statement?.code[index - statement.start] === '"';
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
