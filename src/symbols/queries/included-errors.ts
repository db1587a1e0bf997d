import { type Gap, namedFiles } from '../../base/gap.ts';
import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import type { ServerAdapter } from '../../servers/adapter.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import type { SymbolScope } from '../model/scope.ts';

/** A file whose diagnostics a server has published. */
interface Checked {
  readonly file: string;
  readonly active: ActiveServer;
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns the diagnostics of a project-relative file; `undefined` if they are unknown. */
type Ask = (file: string) => Promise<readonly Diagnostic[] | undefined>;

/** More included files are not read. */
const maxRead = 500;
/** Each costs a check. */
const maxAsked = 5;
/** Comments, strings and characters of C and C++. */
const notCode =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\bR"(\w*)\([\s\S]*?\)\1"|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])+'/g;

/**
 * Returns the gap in the diagnostics of a file with errors that includes files with errors: what follows from those is
 * not reported. The server reports them at the directive, except for a body that is not closed: it reads no bodies
 * there, and takes everything after the brace for a part of one. `undefined` unless the server's data declares how
 * files are included.
 *
 * @throws {ExpectedError} `file.*`, `server.*`.
 */
export async function includedErrorsGap(scope: SymbolScope, checked: Checked, ask: Ask): Promise<Gap | undefined> {
  const { file, active, diagnostics } = checked;
  const includes = active.spec.adapter?.includes;
  const errors = diagnostics.filter(({ severity }) => severity === 1);
  if (includes === undefined || errors.length === 0) return undefined;
  if (errors.some(({ message }) => includes.errorMark.test(message)))
    return gapOf(checked, 'it includes a file with errors');
  const unclosed: string[] = [];
  for (const other of (await includedFiles(scope, { file, active, includes }))
    .filter(mayBeUnclosedIn(scope))
    .slice(0, maxAsked)) {
    if ((await ask(other))?.some(({ severity }) => severity === 1)) unclosed.push(other);
  }
  return unclosed.length === 0 ? undefined : gapOf(checked, `it includes ${namedFiles(unclosed)}, with errors`);
}

function gapOf({ file, active }: Checked, reason: string): Gap {
  return {
    missing: `Diagnostics of \`${file}\` may be missing`,
    reason: `${reason}, and ${active.spec.name} does not report everything that follows from those`,
    next: 'Repair those errors first, then check the file again',
  };
}

/** Returns the files of the project that a file may include, over any number of files: all with the paths of directives. */
async function includedFiles(
  scope: SymbolScope,
  { file, active, includes }: Pick<Checked, 'file' | 'active'> & { includes: NonNullable<ServerAdapter['includes']> },
): Promise<string[]> {
  const { project, sources } = scope.files;
  const walk = { extensions: Object.keys(active.spec.files), pruneDirectories: sources.prunedFor(active) };
  const all = (await project.scanner.listFiles(walk, scope.call.signal)).map(({ path }) => path);
  const byName = Map.groupBy(all, nameOf);
  const reached = new Set([file]);
  for (const from of reached) {
    for (const [, path = ''] of scope.files.textOf(from).text.matchAll(includes.directive)) {
      const end = path.replace(/^(?:\.{1,2}\/)+/, '');
      const named = (byName.get(nameOf(end)) ?? []).filter((one) => one === end || one.endsWith(`/${end}`));
      for (const one of named) if (reached.size <= maxRead && sources.serverOf(one) === active) reached.add(one);
    }
  }
  reached.delete(file);
  return [...reached];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** True for a file with more opening than closing braces. Conditions may lead to a wrong answer. */
function mayBeUnclosedIn(scope: SymbolScope): (file: string) => boolean {
  return (file) => {
    const code = scope.files.textOf(file).text.replaceAll(notCode, '');
    return code.split('{').length > code.split('}').length;
  };
}
