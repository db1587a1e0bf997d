import { messageOf } from '../../base/errors.ts';
import { type Gap, namedFiles } from '../../base/gap.ts';
import { log } from '../../base/log.ts';
import type { SyntaxLanguage } from '../../languages/profiles.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';
import { lineText } from '../../text/lines.ts';
import type { SymbolScope } from '../model/scope.ts';
import { syntaxLanguageOf } from '../model/syntax-language.ts';

/** A file whose diagnostics were requested, and the server that answers. */
interface CheckedFile {
  readonly file: string;
  readonly active: ActiveServer;
}

const maxNamed = 3;

/**
 * Returns the gap in the diagnostics of a file that uses what files of certain build configurations declare, if the
 * server checks a file in one configuration only: in the others the declarations may differ. `undefined` for all other
 * files, and if the parser fails.
 */
export async function otherConfigurationsGap(scope: SymbolScope, checked: CheckedFile): Promise<Gap | undefined> {
  const { file, active } = checked;
  const language = syntaxLanguageOf(active.spec, file);
  if (language === undefined || active.spec.adapter?.conditionalPackage === undefined) return undefined;
  const used = new Set<string>();
  const declaring: string[] = [];
  try {
    const sources = await conditionalFiles(scope, checked);
    if (sources.length === 0) return undefined;
    const names = await namesUsedIn(scope, file, language);
    for (const other of sources) {
      const candidates = isSameDirectory(file, other) ? names.bare : names.qualified;
      const tree = await scope.files.parsed.treeOf(other, scope.files.textOf(other), language);
      const own = tree.nodes.filter(({ name, receiver }) => receiver === undefined && candidates.has(name));
      if (own.length > 0) declaring.push(other);
      for (const { name } of own) used.add(name);
    }
  } catch (error) {
    scope.call.signal.throwIfAborted();
    log('symbols').warn(`cannot compare build configurations: ${messageOf(error)}`);
    return undefined;
  }
  if (used.size === 0) return undefined;
  const named = [...used].slice(0, maxNamed).map((name) => `\`${name}\``);
  const others = used.size > maxNamed ? ` and ${used.size - maxNamed} more` : '';
  return {
    missing: `Errors of \`${file}\` in other build configurations may be missing`,
    reason: `${active.spec.name} checks a file in one, and it uses ${named.join(', ')}${others} of ${namedFiles(declaring)}`,
    next: 'Build it for the other platforms and tags, too',
  };
}

/** Returns the other files with conditions whose package the file belongs to or imports, in order of their paths. */
async function conditionalFiles(scope: SymbolScope, { file, active }: CheckedFile): Promise<string[]> {
  const { project, sources } = scope.files;
  const { conditionalPackage, mayReferTo } = active.spec.adapter ?? {};
  const walk = { extensions: Object.keys(active.spec.files), pruneDirectories: sources.prunedFor(active) };
  const path = scope.files.absolute(file);
  const { text } = scope.files.textOf(file);
  const reached = new Map<string, boolean>();
  const isReached = (other: string) => {
    const directory = directoryOf(other);
    const target = { path: scope.files.absolute(other), name: '', isTopLevel: true, lines: [] };
    const known = reached.get(directory) ?? mayReferTo?.(target)(path, text) !== false;
    reached.set(directory, known);
    return known;
  };
  const files = await project.scanner.listFiles(walk, scope.call.signal);
  return files
    .map((one) => one.path)
    .filter((other) => other !== file && isReached(other) && sources.serverOf(other) === active)
    .filter((other) => {
      const name = conditionalPackage?.(other, scope.files.textOf(other).text);
      return name !== undefined && (isSameDirectory(file, other) || text.includes(name));
    })
    .sort();
}

/** Returns the names that a file uses and does not declare: bare ones, and those behind a `.`. */
async function namesUsedIn(
  scope: SymbolScope,
  file: string,
  language: SyntaxLanguage,
): Promise<{ bare: ReadonlySet<string>; qualified: ReadonlySet<string> }> {
  const lines = scope.files.textOf(file);
  const { nodes } = await scope.files.parsed.treeOf(file, lines, language);
  const declared = new Set(nodes.map(({ name }) => name));
  const bare = new Set<string>();
  const qualified = new Set<string>();
  for (const { name, start } of await syntaxTrees.identifiers(language, lines.text)) {
    if (declared.has(name)) continue;
    const before = lineText(lines.text, lines.starts, start.line)?.[start.character - 1];
    (before === '.' ? qualified : bare).add(name);
  }
  return { bare, qualified };
}

function isSameDirectory(file: string, other: string): boolean {
  return directoryOf(file) === directoryOf(other);
}

function directoryOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1);
}
