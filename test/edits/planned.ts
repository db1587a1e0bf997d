import { existsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { loadUserConfig } from '../../src/config/user-config.ts';
import { Edits } from '../../src/edits/edits.ts';
import type { LineEndingRule } from '../../src/edits/file-draft.ts';
import { Project } from '../../src/project/project.ts';
import { makeTempDir } from '../support/temp.ts';
import type { Workspace } from '../support/workspace.ts';

const workerUrl = new URL('../../src/worker.ts', import.meta.url);

/** Opens a workspace as the program does; call `plan()` for the changes of one tool call. */
export async function openForEdits(workspace: Workspace, rule: LineEndingRule = 'keep') {
  const user = await loadUserConfig(makeTempDir('home'));
  const project = await Project.open(workspace.root, { user, workerUrl });
  return { project, plan: () => new Edits(project, rule) };
}

export const unlimited = new AbortController().signal;

/** A folder on another file system than the temporary one. */
export const otherFileSystem = '/dev/shm';

/** Why there is no such folder here, if so. */
export const whyNoOtherFileSystem =
  existsSync(otherFileSystem) && statSync(otherFileSystem).dev !== statSync(tmpdir()).dev
    ? undefined
    : 'there is no second file system';
