// The worker thread and its grammars are found in the compiled program, and by both runtimes of the sources.
import { expect, test } from 'bun:test';
import { startClient } from '../support/client.ts';
import { makeWorkspace } from '../support/workspace.ts';

/** Includes the download of a language server. */
const timeoutMs = 240_000;

const code = `import sys

assert sys.platform == "nowhere"

LIMIT = 1
low = high = 2

class Console:
    def __init__(self, stream):
        self.stream = stream
`;

test.each(['binary', 'bun', 'deno'] as const)(
  'an overview contains what a syntax tree alone shows, under %s',
  async (runtime) => {
    await using project = makeWorkspace({ 'console.py': code });
    await using client = await startClient({ args: ['--project', project.root], runtime });
    const { blocks, isError } = await client.call('get_symbols_overview', { relative_path: 'console.py', depth: 1 });
    expect(isError).toBe(false);
    expect(JSON.parse(blocks[0] ?? '')).toEqual({
      Constant: ['LIMIT'],
      Variable: ['low', 'high'],
      Class: [{ Console: { Method: ['__init__'] } }],
    });
  },
  timeoutMs,
);
