import type { Call } from '../base/call.ts';
import { ExpectedError } from '../base/errors.ts';
import { resolveInProject } from '../search/project-path.ts';
import { kindName } from '../symbols/model/kinds.ts';
import { preOrder } from '../symbols/model/symbol.ts';
import type { OpenProject } from './open-projects.ts';

/** One symbol of a file. */
export interface ListedSymbol {
  /** Without overload indices. */
  readonly namePath: string;
  /** The LSP name of the symbol kind. */
  readonly kind: string;
  /** 0-based line of the symbol's name. */
  readonly line: number;
}

/** A file's symbols, with the id of the language server that reported them. */
export interface IndexedFile {
  /** Project-relative. */
  readonly file: string;
  readonly serverId: string;
  /** In document order; a symbol comes before its children. */
  readonly symbols: readonly ListedSymbol[];
}

/**
 * Requests the symbols of one file, caches and returns them. `path` is project-relative or absolute.
 *
 * @throws {ExpectedError} `file.*`; `file.not-source`, also for an ignored file; `server.*`, `install.*`.
 */
export async function indexFile(open: OpenProject, path: string, call: Call): Promise<IndexedFile> {
  const file = resolveInProject(open.project, path);
  if (await open.project.scanner.isIgnored(file, call.signal)) {
    throw new ExpectedError('file.not-source', `the file \`${file}\` is ignored`, {
      hints: ['check `.gitignore`, and `ignored_paths` in the configuration'],
    });
  }
  const { spec } = open.sources.requireServer(file);
  const nodes = preOrder(await open.files.treeOf(file, call));
  await open.files.save();
  const symbols = nodes.map((node) => ({
    namePath: namePathOf(node),
    kind: kindName(node.kind),
    line: node.selectionRange.start.line,
  }));
  return { file, serverId: spec.id, symbols };
}

function namePathOf(node: Named): string {
  const names: string[] = [];
  for (let at: Named | undefined = node; at !== undefined; at = at.parent) names.unshift(at.name);
  return names.join('/');
}

interface Named {
  readonly name: string;
  readonly parent: Named | undefined;
}
