import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { counted } from '../../base/counted.ts';
import { homePaths } from '../../base/home.ts';
import { createdContents, type HomeContent, userContents } from './home-contents.ts';
import { kindOf, type LeftPart, ownPart, type Part } from './part.ts';

/** The parts of SERENA_HOME: those to remove, and those that stay. */
export interface HomeParts {
  readonly parts: readonly Part[];
  readonly left: readonly LeftPart[];
}

/**
 * Returns the parts below `home` (absolute): what this program can create again, and with `isAll` also configuration and
 * memories. Only files with the names that this program gives are parts; all others stay, such as the language servers of
 * `serena-agent`, and those of a project that `SERENA_HOME` was set to. Nothing behind a link is a part: it may belong to
 * others.
 */
export function partsOfHome(home: string, { isAll }: { readonly isAll: boolean }): HomeParts {
  if (kindOf(home) === 'link')
    return { parts: [], left: [{ path: home, why: 'it is a link; remove what it leads to yourself' }] };
  if (!existsSync(home)) return { parts: [], left: [] };
  const base = realpathSync(home);
  const created = partsOf(createdContents(base));
  const user = userContents(base).filter(({ path }) => kindOf(path) !== 'nothing');
  const whyNot = isAll ? whyNotTheUsers(base, created) : undefined;
  if (isAll && whyNot === undefined) {
    const { parts, left } = partsOf(user);
    return { parts: [...created.parts, ...parts], left: [...created.left, ...left] };
  }
  const kept = user.map(({ what, path }) => ({ path, why: `${what}; ${whyNot ?? 'remove it with `--all`'}` }));
  return { parts: created.parts, left: [...created.left, ...kept] };
}

/** Returns why files that the user made stay, although they were to be removed: they may be those of another program. */
function whyNotTheUsers(home: string, created: HomeParts): string | undefined {
  if (existsSync(join(home, '.git'))) return 'it is in a Git repository: remove it yourself';
  if (created.parts.length === 0) return 'nothing shows that this program uses the directory: remove it yourself';
  return undefined;
}

function partsOf(contents: readonly HomeContent[]): HomeParts {
  const parts: Part[] = [];
  const empty: Part[] = [];
  const left: LeftPart[] = [];
  for (const { what, path, isOwn } of contents) {
    if (kindOf(path) === 'nothing') continue;
    // A directory above it may be a link as well.
    if (kindOf(path) === 'link' || realpathSync(dirname(path)) !== dirname(path)) {
      left.push({ path, why: 'it is a link, or in a linked directory' });
      continue;
    }
    const { part, ownCount, otherCount } = ownPart(what, path, isOwn);
    if (ownCount > 0) parts.push(part);
    else if (otherCount === 0) empty.push(part);
    if (otherCount > 0) left.push({ path, why: `${counted(otherCount, 'file')} that this program did not write` });
  }
  // Somebody else may have made an empty directory, too.
  return { parts: parts.length > 0 ? [...parts, ...empty] : [], left };
}

/** Removes the directories of `home` that are empty now. Returns the names of what stays in it. */
export async function removeEmptyHome(home: string): Promise<string[]> {
  if (kindOf(home) !== 'other') return [];
  const { languageServers, globalMemories } = homePaths(home);
  // A directory with files stays: the call fails.
  for (const path of [languageServers, dirname(globalMemories), home]) {
    if (kindOf(path) === 'other') await rmdir(path).catch(() => undefined);
  }
  return existsSync(home) ? readdirSync(home).sort() : [];
}
