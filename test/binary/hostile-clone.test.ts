// A user clones a hostile repository and opens it: nothing outside the clone changes, and no program in it runs.
import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { callEveryTool, type ToolOutcome, type ToolPlace } from '../support/call-every-tool.ts';
import {
  cloneHostile,
  greedyConfiguration,
  type HostileClone,
  linkedCache,
  linkedConfiguration,
  linkedData,
  linkedEdits,
  linkedMemories,
  linkedMemoryDirectory,
  outwardLinks,
  plantedCache,
  plantedJournals,
  secret,
} from '../support/hostile-clone.ts';
import { rounds } from '../support/rounds.ts';
import { testUnless } from '../support/skip.ts';

const timeoutMs = 240_000;

/** Calls every tool in a clone and checks that nothing outside it changed; returns the outcomes. */
async function attacked(clone: HostileClone, place: Omit<ToolPlace, 'project' | 'env'>): Promise<ToolOutcome[]> {
  const before = clone.outside();
  const outcomes: ToolOutcome[] = [];
  const env = { HOME: clone.userHome };
  await callEveryTool((outcome) => outcomes.push(outcome), { project: clone.project, env, ...place });
  expect(clone.outside()).toBe(before);
  expect(clone.ran()).toEqual([]);
  expect(outcomes.filter(({ text }) => text.includes(secret)).map(({ tool }) => tool)).toEqual([]);
  return outcomes;
}

const inProject = (clone: HostileClone) => ({ cwd: clone.project.root, args: ['--project-from-cwd'] });
const inHome = (clone: HostileClone) => ({ cwd: clone.userHome, args: ['--project', clone.project.root] });

/** Tools that must fail if memories are links. */
const memoryTools = /memor|^onboarding$|^check_onboarding|^initial_inst|^activate_project$/;

const wrong = (outcomes: readonly ToolOutcome[]) =>
  outcomes.filter(({ verdict, tool }) => verdict === 'wrong' && !memoryTools.test(tool));

const fromProject = ['the project', inProject] as const;
const fromHome = ["the user's home directory", inHome] as const;

describe('a cloned repository with', () => {
  // The usual run attacks once from each place.
  for (const [cwd, place] of rounds([fromProject], [fromProject, fromHome])) {
    test(
      `its own journals, configuration, memories, caches and links, from ${cwd}`,
      async () => {
        await using clone = cloneHostile(
          ...[plantedJournals, greedyConfiguration, linkedMemories, plantedCache, outwardLinks],
        );
        expect(wrong(await attacked(clone, place(clone)))).toEqual([]);
      },
      timeoutMs,
    );
  }

  for (const [cwd, place] of rounds([fromHome], [fromProject, fromHome])) {
    test(
      `directories that are links, from ${cwd}`,
      async () => {
        await using clone = cloneHostile(linkedEdits, linkedMemoryDirectory, linkedCache, greedyConfiguration);
        expect(wrong(await attacked(clone, place(clone)))).toEqual([]);
      },
      timeoutMs,
    );
  }

  test.each(['/dev/zero', '../../../.ssh/id_rsa', '../../..'])(
    'configuration that is a link to %s: every call returns, and no answer shows the target',
    async (target) => {
      await using clone = cloneHostile(plantedJournals, linkedConfiguration(target));
      const outcomes = await attacked(clone, inProject(clone));
      expect(outcomes.find(({ tool }) => tool === 'list_dir')?.text).toContain('.serena/project.yml');
    },
    timeoutMs,
  );

  test(
    'a data directory that is a link to nothing: it is not created there',
    async () => {
      await using clone = cloneHostile(linkedData);
      await attacked(clone, inProject(clone));
    },
    timeoutMs,
  );

  testUnless(process.platform === 'win32' ? 'there are no named pipes on disk' : undefined)(
    'named pipes as configuration, as in an archive: every call returns',
    async () => {
      await using clone = cloneHostile(plantedJournals);
      for (const path of ['.serena/project.yml', '.serena/project.local.yml']) {
        execFileSync('mkfifo', [clone.project.path(path)]);
      }
      const outcomes = await attacked(clone, inProject(clone));
      expect(outcomes.find(({ tool }) => tool === 'list_dir')?.text).toContain('.serena/project.yml');
    },
    timeoutMs,
  );
});
