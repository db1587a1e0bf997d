// usage: bun test/edits/undo-child.ts <root of a project> <directory for journals> <session>
// Makes or undoes the edits that its standard input names, one JSON object a line, and prints a line about each. Kills
// itself before the change of the file system that `crash` counts.

import { createInterface } from 'node:readline';
import { z } from 'zod';
import { isExpected } from '../../src/base/errors.ts';
import { Edits } from '../../src/edits/edits.ts';
import { recoverEdits } from '../../src/edits/journal.ts';
import { projectScope } from '../../src/edits/scope.ts';
import { reverseEdits } from '../../src/edits/undo.ts';
import { crashBefore } from './crashing-fs.ts';

const [, , root = '', directory = '', session = ''] = process.argv;
const Change = z.object({ path: z.string(), text: z.string().nullable() });
const crash = z.int().optional();
const Command = z.union([
  z.object({ changes: z.array(Change), crash }),
  z.object({ reverse: z.enum(['undo', 'redo']), count: z.int(), crash }),
]);
const { signal } = new AbortController();

await recoverEdits(projectScope({ root, directory, mayLeave: false }));
for await (const line of createInterface({ input: process.stdin })) {
  const command = Command.parse(JSON.parse(line));
  const project = { root, directory, encoding: 'utf-8', links: 'inside' as const };
  // Every earlier session has ended: only one process runs at a time.
  const edits = new Edits(project, { rule: 'keep', author: { session, tool: 'test', hasEnded: () => true } });
  crashBefore(command.crash);
  try {
    if ('reverse' in command) await reverseEdits(edits, { kind: command.reverse, count: command.count }, signal);
    else {
      for (const { path, text } of command.changes) {
        if (text === null) edits.remove(path);
        else edits.write(path, text, { mayReplace: true });
      }
      await edits.commit(signal);
    }
    crashBefore(undefined);
    process.stdout.write('done\n');
  } catch (error) {
    crashBefore(undefined);
    process.stdout.write(isExpected(error) ? `${error.code}\n` : `${String(error)}\n`);
  }
}
