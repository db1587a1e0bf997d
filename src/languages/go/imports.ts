import { dirname } from 'node:path/posix';
import { ExpectedError } from '../../base/errors.ts';
import { tryStat } from '../../base/file-state.ts';
import type { PathsMove } from '../../edits/moved-files.ts';
import type { FilesMove } from '../../symbols/adapter.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { buildEnding } from './build-constraints.ts';

/** Matches a line of an import declaration; the path is group 2. */
const importLine = /^([ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?["`])([^"`\n]+)["`][ \t]*(?:\/\/.*)?$/gm;
const firstDeclaration = /^(?:func|type|var|const)\b/m;

/**
 * gopls changes no imports when a directory moves:
 *
 * ```go
 * // after `shop/prices` became `shop/costs`
 * import "example.org/shop/prices"   // becomes "example.org/shop/costs"
 * ```
 *
 * A file that stays in its directory stays in its package, so nothing names it. A moved directory changes the import
 * paths of its packages. A file in another directory would be part of another package.
 */
export async function moveGoFiles(scope: SymbolScope, { active, move, edits }: FilesMove): Promise<void> {
  if (!move.isDirectory) {
    if (dirname(move.from) !== dirname(move.to)) throw otherPackage(move);
    if (buildEnding(move.from) !== buildEnding(move.to)) throw otherBuild(move);
    return;
  }
  const { module, directory } = moduleOf(scope, move);
  const [oldPath, newPath] = [move.from, move.to].map((path) => `${module}${path.slice(directory.length)}`);
  if (oldPath === undefined || newPath === undefined) return;
  const walk = { extensions: ['.go'], pruneDirectories: scope.files.sources.prunedFor(active) };
  const files = await scope.files.project.scanner.filesContaining({ ...walk, literal: oldPath }, scope.call.signal);
  for (const { path: file } of files) {
    const { text } = scope.files.textOf(file);
    const head = text.slice(0, firstDeclaration.exec(text)?.index);
    for (const { index, 1: before = '', 2: path = '' } of head.matchAll(importLine)) {
      if (path !== oldPath && !path.startsWith(`${oldPath}/`)) continue;
      const start = index + before.length;
      edits.open(file).replace(start, start + oldPath.length, newPath);
    }
  }
}

/** Returns the module that contains both paths of a directory, and the module's directory with a leading slash. */
function moduleOf({ files }: SymbolScope, move: PathsMove): { module: string; directory: string } {
  if (move.files.some(({ from }) => from.endsWith('/go.mod'))) throw refused(move, 'it contains a Go module');
  const [from, to] = [move.from, move.to].map((path) => moduleAbove(dirname(path), (file) => isFile(file)));
  if (from === undefined || from !== to) throw refused(move, 'it would leave its Go module');
  const file = from === '.' ? 'go.mod' : `${from}/go.mod`;
  const module = /^module[ \t]+"?([^\s"]+)/m.exec(files.textOf(file).text)?.[1];
  if (module === undefined) throw refused(move, `\`${file}\` names no module`);
  return { module: from === '.' ? `${module}/` : module, directory: from === '.' ? '' : from };

  function isFile(path: string): boolean {
    return tryStat(files.absolute(path))?.isFile() === true;
  }
}

function moduleAbove(directory: string, isFile: (path: string) => boolean): string | undefined {
  if (isFile(directory === '.' ? 'go.mod' : `${directory}/go.mod`)) return directory;
  return directory === '.' ? undefined : moduleAbove(dirname(directory), isFile);
}

function otherPackage(move: PathsMove): ExpectedError {
  return refused(move, 'in another directory it would be part of another Go package', [
    'rename it within its directory, or move the whole directory',
  ]);
}

function otherBuild(move: PathsMove): ExpectedError {
  return refused(move, 'the end of the new name would change which builds contain the file', [
    'keep the end of the name, such as `_test.go` or `_linux.go`',
  ]);
}

function refused({ from }: PathsMove, reason: string, hints: readonly string[] = []): ExpectedError {
  return new ExpectedError('edit.refused', `cannot move \`${from}\`: ${reason}; nothing was changed`, { hints });
}
