import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadUserConfig } from '../../src/config/user-config.ts';
import { Edits } from '../../src/edits/edits.ts';
import type { LineEndingRule } from '../../src/edits/file-draft.ts';
import { Project } from '../../src/project/project.ts';
import { makeTempDir } from '../support/temp.ts';
import type { Workspace } from '../support/workspace.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

const workerUrl = new URL('../../src/search/worker.ts', import.meta.url);

/** Opens a workspace as the program does. `plan()` returns the edits of one tool call. */
export async function openForEdits(workspace: Workspace, rule: LineEndingRule = 'keep') {
  const home = makeTempDir('home');
  const user = await loadUserConfig(home);
  const project = await Project.open(workspace.root, { home, user, workerUrl });
  return { project, plan: () => new Edits(project.edited, { rule }) };
}

export const unlimited = new AbortController().signal;

/** Runs a script of this directory as a user who is not root, and returns its output. */
export function runAsNobody(script: string, args: readonly string[]): string {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const [, directory = ''] = args;
  const child = spawnSync(process.execPath, [path, ...args], {
    // Root ignores file permissions.
    ...(isRoot ? { uid: nobody, gid: nobody } : {}),
    env: { PATH: process.env.PATH, HOME: dirname(directory) },
    encoding: 'utf8',
  });
  return child.stdout + child.stderr;
}

/** Makes the user of {@link runAsNobody} the owner of everything below an absolute path, and gives that user access. */
export function giveToNobody(root: string): void {
  for (const directory of directoriesOfTests(root)) chmodSync(directory, 0o755);
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path));
  if (isRoot) for (const path of [root, ...paths]) chownSync(path, nobody, nobody);
}

/** Returns the directories above an absolute path that the tests created, which only their owner can enter. */
function directoriesOfTests(root: string): string[] {
  const above: string[] = [];
  for (let at = dirname(root); at !== dirname(at); at = dirname(at)) above.push(at);
  const isOurs = (directory: string) => statSync(directory).uid === process.getuid?.() && directory !== tmpdir();
  return above.filter((directory) => isOurs(directory) && (statSync(directory).mode & 0o055) !== 0o055);
}
