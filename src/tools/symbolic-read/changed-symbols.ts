import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { ExpectedError, isExpected } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import { sessionChanges } from '../../edits/undo.ts';
import { type ChangedFile, type ChangedFiles, changedFiles, Git } from '../../project/changed-files.ts';
import type { Project } from '../../project/project.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { Related, SymbolNode } from '../../symbols/model/symbol.ts';
import type { ChangedSymbols } from '../../symbols/queries/changed-symbols.ts';
import { groupedBy, labelled } from '../answers/answer-text.ts';
import { namePathsByFile } from '../answers/symbol-entries.ts';
import { pageParts } from '../parameters.ts';
import { defineTool, type SymbolsContext, symbolQuery } from '../tool.ts';

const byFile = <T extends z.ZodType>(schema: T) => z.record(z.string(), schema);

const changedData = () => {
  // By file and name path.
  const related = byFile(byFile(z.array(z.int()))).optional();
  const entry = { line: z.int(), users: related, indirect_users: related, tests: related };
  const names = byFile(z.array(z.string())).optional();
  const deletedInUse = z.object({ matches_of_name: byFile(z.array(z.int())) });
  const moved = z.object({ from: z.string(), edited: z.boolean().optional(), ...entry });
  return z.object({
    compared: z.string(),
    deleted_but_name_in_use: byFile(byFile(deletedInUse)).optional(),
    renamed_or_moved: byFile(byFile(moved)).optional(),
    changed: byFile(byFile(z.object(entry))).optional(),
    deleted: names,
    added: names,
  });
};

export const changedSymbols = defineTool({
  ...symbolQuery,
  name: 'changed_symbols',
  description: 'Lists symbols changed since a Git base or by this session, with users and tests.',
  input: () => ({
    base: z.string().default('').describe('Commit, a..b, staged or session; default: upstream.'),
    relative_path: z.string().default('').describe('File or directory.'),
    ...pageParts,
  }),
  data: changedData,
  async run({ symbols, edits, project: { root }, env, call }, { base, relative_path }) {
    const between = await changesSince({ symbols, edits, project: { root }, env, call }, { base, relative_path });
    const { compared, isHistoric } = between;
    const changes = await symbols.changes(between);
    const value = answerOf(compared, changes);
    return {
      value,
      data: value,
      shorter: [() => labelled('Changed symbols, name paths by file', briefOf(changes))],
      notes: isHistoric ? ['Users and remaining matches come from the working tree'] : [],
    };
  },
});

/** A path that does not exist, and that Git may understand. */
const looksLikeCommit = /^(?:[0-9a-f]{7,40}|@|HEAD|main|master|origin\/.*|.+[~^@].*|.+\.\..+)$/;

type Since = Pick<SymbolsContext, 'symbols' | 'edits' | 'env' | 'call'> & { readonly project: Pick<Project, 'root'> };

/**
 * Returns the files below a path that differ from a base.
 *
 * @throws {ExpectedError} `tool.failed-assertion` if there is no repository or no such base; `file.*`.
 */
export async function changesSince(
  { symbols, edits, project: { root }, env, call }: Since,
  { base, relative_path }: { readonly base: string; readonly relative_path: string },
): Promise<ChangedFiles> {
  const accepts = await symbols.acceptsBelow(relative_path).catch((error: unknown) => {
    if (!isExpected(error, 'file.not-found') || !looksLikeCommit.test(relative_path)) throw error;
    throw new ExpectedError(error.code, error.message, {
      cause: error,
      hints: [`to compare with a commit, pass \`base\` "${relative_path}"`],
    });
  });
  if (base === 'session') return editedFiles(edits.history, accepts);
  return await changedFiles(new Git({ root, env, signal: call.signal }), { root, base, accepts });
}

/** Returns the files that this session has edited, as they were before and as they are now. */
function editedFiles(history: Edits['history'], accepts: (path: string) => boolean): ChangedFiles {
  const files = sessionChanges(history)
    .filter(({ path }) => !isAbsolute(path) && accepts(path))
    .map(({ path, before }): ChangedFile => ({ path, old: before, new: 'on-disk' }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return { compared: "the working tree with the state before this session's edits", files, isHistoric: false };
}

function answerOf(compared: string, { deleted, moved, changed, added, impacts, remaining }: ChangedSymbols): object {
  const matches = (symbol: SymbolNode) =>
    Object.fromEntries((remaining.get(symbol) ?? []).map(({ file, lines }) => [file, lines]));
  const isInUse = (symbol: SymbolNode) => (remaining.get(symbol) ?? []).length > 0;
  const impactOf = (symbol: SymbolNode) => {
    const impact = impacts.get(symbol);
    if (impact === undefined) return {};
    const { users, indirect, tests } = impact;
    return { ...part('users', users), ...part('indirect_users', indirect), ...part('tests', tests) };
  };
  const entry = (symbol: SymbolNode) => ({ line: symbol.selectionRange.start.line, ...impactOf(symbol) });
  const froms = new Map(
    moved.map(({ from, to, isEdited }) => [to, { from: `${from.file}#${namePathOf(from)}`, isEdited }]),
  );
  return {
    compared,
    ...group('deleted_but_name_in_use', deleted.filter(isInUse), (symbol) => ({ matches_of_name: matches(symbol) })),
    ...group('renamed_or_moved', [...froms.keys()], (symbol) => {
      const { from, isEdited } = froms.get(symbol) ?? {};
      return { from, ...(isEdited ? { edited: true } : {}), ...entry(symbol) };
    }),
    ...group('changed', changed, entry),
    ...names(
      'deleted',
      deleted.filter((symbol) => !isInUse(symbol)),
    ),
    ...names('added', added),
  };
}

function group(title: string, symbols: readonly SymbolNode[], entry: (symbol: SymbolNode) => object): object {
  if (symbols.length === 0) return {};
  const byName = (own: readonly SymbolNode[]) => Object.fromEntries(own.map((one) => [namePathOf(one), entry(one)]));
  return { [title]: groupedBy(symbols, ({ file }) => file, byName) };
}

function names(title: string, symbols: readonly SymbolNode[]): object {
  return symbols.length === 0 ? {} : { [title]: namePathsByFile(symbols) };
}

function part(title: string, related: readonly Related[]): object {
  if (related.length === 0) return {};
  const lines = new Map(related.map((one) => [one.symbol, one.lines]));
  return group(title, [...lines.keys()], (symbol) => lines.get(symbol) ?? []);
}

function briefOf({ deleted, moved, changed, added }: ChangedSymbols): object {
  const movedTo = moved.map(({ to }) => to);
  return {
    ...names('deleted', deleted),
    ...names('renamed_or_moved', movedTo),
    ...names('changed', changed),
    ...names('added', added),
  };
}
