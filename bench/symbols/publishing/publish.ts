import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeTextAtomically } from '../../../src/base/files.ts';
import { contenders } from '../contenders.ts';
import { EditResult } from '../edits/edit-result.ts';
import { renderPage } from '../page.ts';
import { renderPlot } from '../plot.ts';
import { Result } from '../tasks.ts';
import { TimeResult } from '../times-task.ts';
import { entriesOfEdits } from './entries-of-edits.ts';
import { entriesOfResults } from './entries-of-results.ts';
import { entriesOfTimes } from './entries-of-times.ts';
import { Entry } from './entry.ts';
import { mergeEntries, shownEntries } from './merge-entries.ts';
import { readStored } from './read-stored.ts';

const Published = z.object({ entries: z.array(Entry) });

/** Where results come from and go to. */
export interface Publication {
  /** Absolute path of the directory with stored results. */
  readonly cache: string;
  /** Absolute path of the directory with the page, its picture and its data. */
  readonly docs: string;
  /** True to replace published results also by fewer or older ones. */
  readonly mayReplaceBetter: boolean;
}

/**
 * Adds the stored results to the published ones in `symbench.json`, and writes the page and its picture from what that
 * file then contains. Reports on stderr which results stay out.
 */
export async function publish({ cache, docs, mayReplaceBetter }: Publication): Promise<void> {
  const path = join(docs, 'symbench.json');
  const published = existsSync(path) ? Published.parse(JSON.parse(readFileSync(path, 'utf8'))).entries : [];
  const added = [
    ...entriesOfResults(readStored(join(cache, 'results'), Result)),
    ...entriesOfEdits(readStored(join(cache, 'edit-results'), EditResult)),
    ...entriesOfTimes(readStored(join(cache, 'times'), TimeResult)),
  ];
  const { entries, kept } = mergeEntries(published, added, mayReplaceBetter);
  for (const sentence of kept) process.stderr.write(`${sentence}\n`);
  const sorted = inOrder(entries);
  const shown = shownEntries(sorted);
  // One entry per line, so that a difference of two versions names what was measured again.
  const lines = sorted.map((entry) => `  ${JSON.stringify(entry)}`).join(',\n');
  writeTextAtomically(path, `{ "entries": [\n${lines}\n] }\n`);
  writeTextAtomically(join(docs, 'symbench.md'), renderPage(shown));
  writeTextAtomically(join(docs, 'symbench.svg'), await renderPlot(shown));
}

/** Sorts by language and task, then in the order of the tables, then by package. */
function inOrder(entries: readonly Entry[]): Entry[] {
  const places = new Map(contenders.map(({ name }, index) => [name, String(index).padStart(3, '0')]));
  const keyOf = ({ language, task, contender, packages }: Entry) =>
    [language, task, places.get(contender) ?? contender, ...Object.keys(packages)].join('\n');
  return entries.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
