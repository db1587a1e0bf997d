// usage: bun test/edits/recover-child.ts <root of a project> <directory for journals>
// Finishes interrupted edits and prints the returned notes.

import { recoverEdits } from '../../src/edits/journal.ts';
import { projectScope } from '../../src/edits/scope.ts';

const [, , root = '', directory = ''] = process.argv;

const said = await recoverEdits(projectScope({ root, directory, mayLeave: false }));
process.stdout.write(said.join('\n'));
