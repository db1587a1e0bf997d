import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { homePaths } from '../../base/home.ts';
import { serverDirectories } from '../../install/store/layout.ts';
import { kindOf, type LeftPart, type Part, treePart } from './part.ts';

/** The parts of SERENA_HOME: those to remove, and those that stay. */
export interface HomeParts {
  readonly parts: readonly Part[];
  readonly left: readonly LeftPart[];
}

/**
 * Returns the parts below `home` (absolute): what this program can create again, and with `isAll` also configuration and
 * memories. Files that this program does not know stay, such as the language servers of `serena-agent`. A part that is a
 * link stays as well: what it leads to may belong to others.
 */
export function partsOfHome(home: string, { isAll }: { readonly isAll: boolean }): HomeParts {
  if (!existsSync(home)) return { parts: [], left: [] };
  const base = realpathSync(home);
  const { created, own } = knownPaths(base);
  const parts: Part[] = [];
  const left: LeftPart[] = [];
  for (const [what, path] of isAll ? [...created, ...own] : created) {
    // A directory above it may be a link as well.
    const isLinked =
      kindOf(path) === 'link' || (existsSync(dirname(path)) && realpathSync(dirname(path)) !== dirname(path));
    if (kindOf(path) === 'nothing') continue;
    if (isLinked) left.push({ path, why: 'it is a link, or in a linked directory' });
    else parts.push(treePart(what, path));
  }
  const kept = isAll ? [] : own.filter(([, path]) => kindOf(path) !== 'nothing');
  for (const [what, path] of kept) left.push({ path, why: `${what}; remove it with \`--all\`` });
  return { parts, left };
}

/** Removes the directories of `home` that are empty now. Returns the names of what stays in it. */
export async function removeEmptyHome(home: string): Promise<string[]> {
  const { languageServers, globalMemories } = homePaths(home);
  // A directory with files stays: the call fails.
  for (const path of [languageServers, dirname(globalMemories), home]) {
    if (kindOf(path) === 'other') await rmdir(path).catch(() => undefined);
  }
  return existsSync(home) ? readdirSync(home).sort() : [];
}

type Named = readonly [what: string, path: string];

/** What this program creates again when it is needed, and what the user made. */
function knownPaths(home: string): { created: readonly Named[]; own: readonly Named[] } {
  const { config, configLock, contexts, modes, prompts, globalMemories, edits, caches, logs, hooks } = homePaths(home);
  const { root, ...servers } = serverDirectories(home);
  return {
    created: [
      ...Object.values(servers).map((path): Named => ['language servers', path]),
      ['symbol caches', caches],
      ['undo history of edits', edits],
      ['logs', logs],
      ['state of hooks', hooks],
      ['state of the background service', join(home, 'service')],
      ['login page of the dashboard', join(home, 'dashboard')],
      ['lock', configLock],
    ],
    own: [
      ['your configuration', config],
      ['your contexts', contexts],
      ['your modes', modes],
      ['your prompts', prompts],
      ['your global memories', globalMemories],
    ],
  };
}
