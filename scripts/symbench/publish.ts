import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeTextAtomically } from '../../src/base/files.ts';
import { readEditResults } from './edits/read-edit-results.ts';
import { symbenchCache } from './packages.ts';
import { readResults, renderPage } from './page.ts';
import { renderPlot } from './plot.ts';
import { summaryOf } from './summary.ts';
import { TimeResult } from './times-task.ts';

/** Writes the page, its picture and a summary as JSON, of the stored results of all languages, to a directory. */
export async function publish(directory: string): Promise<void> {
  const results = readResults();
  const edits = readEditResults();
  const times = readTimes();
  writeTextAtomically(join(directory, 'symbench.md'), renderPage(results, edits, times));
  writeTextAtomically(join(directory, 'symbench.svg'), await renderPlot(results));
  const summary = JSON.stringify(summaryOf(results, edits, times), undefined, 2);
  writeTextAtomically(join(directory, 'symbench.json'), `${summary}\n`);
}

function readTimes(): TimeResult[] {
  const directory = join(symbenchCache, 'times');
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .sort()
    .flatMap(
      (name) => z.array(TimeResult).safeParse(JSON.parse(readFileSync(join(directory, name), 'utf8'))).data ?? [],
    );
}
