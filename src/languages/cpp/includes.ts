import { basename, dirname, join, relative } from 'node:path/posix';
import { tryStat } from '../../base/file-state.ts';
import { requestDefinition } from '../../lsp/features/locations.ts';
import type { FilesMove } from '../../symbols/adapter.ts';
import type { SymbolScope } from '../../symbols/model/scope.ts';
import { isOutside, placeAt } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';

const directive = /^([ \t]*#[ \t]*(?:include|import)(?:_next)?[ \t]*["<])([^">\n]+)([">])/gm;

/**
 * clangd changes no directives when a file moves:
 *
 * ```cpp
 * // src/shop.cpp, after `src/util.h` became `include/util.h`
 * #include "util.h"   // becomes "../include/util.h"
 * ```
 *
 * Rewrites the `#include` directives that lead to moved files, and those of moved files. A path in quotes is first
 * looked up beside the including file, as compilers do; where any other path leads, the language server knows.
 */
export async function moveIncludedFiles(scope: SymbolScope, change: FilesMove): Promise<void> {
  const { active, move, edits } = change;
  const newPath = new Map(move.files.map(({ from, to }) => [from, to]));
  const names = new Set(move.files.map(({ from }) => basename(from)));
  const walk = { extensions: Object.keys(active.spec.files), pruneDirectories: scope.files.sources.prunedFor(active) };
  const files = await scope.files.project.scanner.filesContaining({ ...walk, literal: 'include' }, scope.call.signal);
  for (const { path: file } of files) {
    const { text, starts } = scope.files.textOf(file);
    for (const match of text.matchAll(directive)) {
      const [, before = '', spec = '', close = ''] = match;
      if (!names.has(basename(spec)) && !newPath.has(file)) continue;
      const start = match.index + before.length;
      const position = positionAt(text, starts, start + 1);
      const target = await includedFile(scope, change, { file, spec, isQuoted: close === '"', position });
      if (target === undefined) continue;
      const replaced = rewritten(spec, {
        from: { file, target },
        to: { file: newPath.get(file) ?? file, target: newPath.get(target) ?? target },
      });
      if (replaced !== undefined && replaced !== spec) edits.open(file).replace(start, start + spec.length, replaced);
    }
  }
}

interface Inclusion {
  readonly file: string;
  readonly target: string;
}

/** Returns the path in a directive after a move: relative to the including file if it was, else to the same root. */
function rewritten(spec: string, { from, to }: { from: Inclusion; to: Inclusion }): string | undefined {
  const beside = relative(dirname(to.file), to.target);
  if (join(dirname(from.file), spec) === from.target) return beside;
  const ending = `/${spec}`;
  const root = `/${from.target}`.endsWith(ending) ? `/${from.target}`.slice(0, -ending.length) : undefined;
  if (root !== undefined && `/${to.target}`.startsWith(`${root}/`)) return `/${to.target}`.slice(root.length + 1);
  return from.target === to.target ? undefined : beside;
}

async function includedFile(
  { files, call }: SymbolScope,
  { server }: FilesMove,
  at: { file: string; spec: string; isQuoted: boolean; position: { line: number; character: number } },
): Promise<string | undefined> {
  const beside = join(dirname(at.file), at.spec);
  if (at.isQuoted && !beside.startsWith('..') && tryStat(files.absolute(beside))?.isFile() === true) return beside;
  await files.show(server, at.file, call);
  const { locations } = await requestDefinition(server, placeAt(at.file, at.position), files.limits(call));
  return locations.find((place) => !isOutside(place))?.file;
}
