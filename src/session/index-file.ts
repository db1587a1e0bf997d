import type { Call } from '../base/call.ts';
import { ExpectedError } from '../base/errors.ts';
import { resolveInProject } from '../search/project-path.ts';
import { kindName } from '../symbols/model/kinds.ts';
import { preOrder } from '../symbols/model/symbol.ts';
import type { OpenProject } from './open-projects.ts';

/** One symbol of a file, as a list shows it. */
export interface ListedSymbol {
  /** Its name path, without overload numbers. */
  readonly namePath: string;
  /** LSP's name of its kind. */
  readonly kind: string;
  /** 0-based line of its name. */
  readonly line: number;
}

/** A file's symbols, with the id of the server that told them. */
export interface IndexedFile {
  /** Project-relative. */
  readonly file: string;
  readonly serverId: string;
  /** In document order, a symbol before those in it. */
  readonly symbols: readonly ListedSymbol[];
}

/**
 * Puts the symbols of one file of the project, given relative to its root or absolute, into the cache and returns them.
 *
 * @throws {ExpectedError} `file.*`; `file.not-source` also for a file that is ignored; `server.*`, `install.*`.
 */
export async function indexFile(open: OpenProject, path: string, call: Call): Promise<IndexedFile> {
  const file = resolveInProject(open.project, path);
  if (await open.project.scanner.isIgnored(file, call.signal)) {
    throw new ExpectedError('file.not-source', `The file \`${file}\` is ignored`, {
      hints: ['Look at `.gitignore` and at `ignored_paths` in the configuration'],
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
