import type { Diagnostic } from '../../lsp/documents/diagnostic.ts';
import { requestDiagnostics } from '../../lsp/features/diagnostics.ts';
import { contains } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';
import { lastName, type NamePathPattern } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import type { ProjectSearch } from './load-projects.ts';

const maxLines = 10;

/**
 * Adds a gap if the server does not analyze the position of a query, because its file or region is not part of the
 * build. The server then finds nothing, although references may exist.
 */
export async function reportNotAnalyzed(scope: SymbolScope, search: ProjectSearch, position: Position): Promise<void> {
  const { server, file, missing, literal } = search;
  const reason = (await reasonsNotAnalyzed(scope, search))(position);
  if (reason === undefined) return;
  scope.gaps.push({
    missing: `${missing} of \`${literal}\` may be missing`,
    reason: `${server.name} does not analyze its definition in \`${file}\` (${firstSentence(reason.message)})`,
    next: 'Call `search_for_pattern` with the name',
  });
}

/**
 * Returns a function for the reason, a diagnostic, why the server does not analyze a position of a file.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function reasonsNotAnalyzed(
  scope: SymbolScope,
  { active, server, file }: Pick<ProjectSearch, 'active' | 'server' | 'file'>,
): Promise<(position: Position) => Diagnostic | undefined> {
  const notAnalyzedCodes = active.spec.adapter?.notAnalyzedCodes;
  if (notAnalyzedCodes === undefined) return () => undefined;
  await scope.files.show(server, file, scope.call);
  const diagnostics = (await requestDiagnostics(server, file, scope.files.limits(scope.call))) ?? [];
  return (position) =>
    diagnostics.find(({ code, range }) => {
      if (code === notAnalyzedCodes.file) return true;
      return code === notAnalyzedCodes.region && contains(range, position);
    });
}

/**
 * Adds a gap for the definitions in a file that the server does not report; with a pattern, only for possible matches.
 */
export function reportUnseen(
  scope: SymbolScope,
  { file, tree, pattern }: { file: string; tree: readonly SymbolNode[]; pattern?: NamePathPattern },
): void {
  const { spec } = scope.files.sources.requireServer(file);
  if (spec.adapter?.missingSymbols === undefined) return;
  const name = pattern === undefined ? undefined : lastName(pattern);
  const unseen = spec.adapter.missingSymbols(tree, scope.files.textOf(file).text).filter((symbol) => {
    if (name === undefined || pattern === undefined) return true;
    return pattern.isSubstring ? symbol.name.includes(name) : symbol.name === name;
  });
  if (unseen.length === 0) return;
  const named = unseen.slice(0, maxLines).map((symbol) => `\`${symbol.name}\` (line ${symbol.line})`);
  const more = unseen.length > maxLines ? ` and ${unseen.length - maxLines} more` : '';
  scope.gaps.push({
    missing: `Definitions in \`${file}\` are missing: ${named.join(', ')}${more}`,
    reason: `${scope.trees?.parsedTextOf(file) === undefined ? spec.name : 'the syntax tree'} does not report symbols inside macro calls`,
    next: 'Read the file at these 0-based lines',
  });
}

function firstSentence(message: string): string {
  const [line = ''] = message.split('\n');
  return line.replace(/\.$/, '');
}
