// usage: bun test/edits/commit-child.ts <root of a project> <directory for journals>
// Commits a change of four files, one of which cannot be removed, and prints the error code.

import { isExpected } from '../../src/base/errors.ts';
import { commitSteps } from '../../src/edits/commit.ts';
import { projectScope } from '../../src/edits/scope.ts';

const [, , root = '', directory = ''] = process.argv;
const bytes = (text: string) => Buffer.from(text);

try {
  await commitSteps(
    [
      { do: 'write', path: 'a.txt', before: bytes('a'), after: bytes('A'), modeOf: 'a.txt' },
      { do: 'remove', path: 'z.txt', before: bytes('z') },
      { do: 'write', path: 'fresh/new.txt', before: undefined, after: bytes('new'), modeOf: undefined },
      { do: 'remove', path: 'closed/b.txt', before: bytes('b') },
    ],
    projectScope({ root, directory, mayLeave: false }),
    new AbortController().signal,
  );
  process.stdout.write('committed');
} catch (error) {
  process.stdout.write(isExpected(error) ? `${error.code}: ${error.message}` : String(error));
}
