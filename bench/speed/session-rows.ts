import { setTimeout as pause } from 'node:timers/promises';
import { ask, startOurs } from './ours.ts';
import type { RealProject } from './projects.ts';
import { rawReferences, startRaw } from './raw.ts';
import { alternate, measure, type Row } from './table.ts';

const runs = 3;
/** How long after a session has opened its first question comes: at once, after a first thought, after a plan. */
const delaysSeconds = [0, 5, 20];

/**
 * Returns the rows about the first question of a session in a large project: references some time after it opened. Beside
 * it, a raw language server that starts at the same time.
 */
export async function sessionRows(project: RealProject, directory: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const seconds of delaysSeconds) rows.push(...(await firstReferencesRow(project, directory, seconds)));
  return rows;
}

function firstReferencesRow(project: RealProject, directory: string, seconds: number): Promise<Row[]> {
  const { name, file } = project.popular;
  const args = { name_path: name, relative_path: file };
  const question = { tool: 'find_referencing_symbols', args, mayBeIncomplete: true };
  return measure({
    what: `first references to ${name}, ${seconds} s after the session opened, ${project.name}`,
    anchorName: 'raw LSP',
    run: async () => {
      let count = 0;
      const ours = async () => {
        const openedAt = performance.now();
        await using client = await startOurs(directory);
        return await timeFrom(openedAt, seconds, () => ask(client, question));
      };
      const anchor = async () => {
        const openedAt = performance.now();
        const raw = await startRaw(project, directory);
        try {
          return await timeFrom(openedAt, seconds, async () => {
            count = (await rawReferences(raw, new Set())).length;
          });
        } finally {
          await raw.lsp.stop();
        }
      };
      return { ...(await alternate(runs, ours, anchor)), note: `${count} references` };
    },
  });
}

/** Returns how long `question` takes if it is asked so many seconds after `openedAt`; at once, the start counts. */
async function timeFrom(openedAt: number, seconds: number, question: () => Promise<unknown>): Promise<number> {
  const dueAt = openedAt + seconds * 1000;
  await pause(Math.max(0, dueAt - performance.now()));
  await question();
  return performance.now() - dueAt;
}
