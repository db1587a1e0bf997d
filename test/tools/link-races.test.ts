// A process of the same user makes links in the project alternate between inside and outside while tools use them. In any case,
// no answer contains anything from outside, and nothing outside changes.
import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startClient, type TestClient } from '../support/client.ts';
import { fingerprint } from '../support/fingerprint.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { testUnless } from '../support/skip.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

type Args = Readonly<Record<string, unknown>>;

/** Part of the content and names of files outside, and of no path above them. */
const secret = 'outsider';
const reads = 600;
/** The answer waits until the server has published, which it cannot know for a file that is another by then. */
const slowReads = 40;
/** An edit writes and syncs to disk. */
const edits = 200;
const refusal = 'is outside the project';
/** More would only wait in the server's queue. */
const inFlight = 4;

const reason = process.platform === 'win32' ? 'links need rights that users do not have on Windows' : undefined;
const flipper = fileURLToPath(new URL('../support/flip-links.ts', import.meta.url));

let project: Workspace;
let outside: Workspace;
let client: TestClient;
let flipping: ChildProcess;

beforeAll(async () => {
  if (reason !== undefined) return;
  outside = makeWorkspace({
    'a.py': `def ${secret}():\n    return "${secret}"\n`,
    [`${secret}/${secret}.py`]: `${secret} = 1\n`,
  });
  project = makeWorkspace({ 'other.py': 'def other():\n    pass\n' });
  flipping = spawn(process.execPath, [flipper, project.root, outside.root], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (flipping.stdout) await once(flipping.stdout, 'data');
  const home = makeHome(stubServers({ python: 'well-behaved' }));
  client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
});

afterAll(async () => {
  if (reason !== undefined) return;
  await client.close();
  expect(flipping.exitCode).toBeNull();
  flipping.kill('SIGKILL');
});

/**
 * Calls a tool at least `count` times, each with the next of `args`, and until some answers are refusals of links and others
 * are not by `isAnswer`. Returns the answers.
 */
async function callOften(
  tool: string,
  args: readonly ((index: number) => Args)[],
  { count, isAnswer }: { count: number; isAnswer: (text: string) => boolean },
): Promise<string[]> {
  const answers: string[] = [];
  let next = 0;
  const isEnough = () =>
    answers.length >= count && answers.some((answer) => answer.includes(refusal)) && answers.some(isAnswer);
  const callNext = async (): Promise<void> => {
    for (let index = next++; !isEnough(); index = next++) {
      const answer = await client.call(tool, args[index % args.length]?.(index) ?? {});
      answers.push(answer.blocks.join('\n'));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, callNext));
  return answers;
}

const directories = ['link', 'dir'];
const files = ['link/a.py', 'dir/a.py', 'file.py'];

const readers: Readonly<Record<string, readonly Args[]>> = {
  read_file: files.map((path) => ({ relative_path: path })),
  search_for_pattern: ['', ...directories, ...files].map((path) => ({
    relative_path: path,
    substring_pattern: 'return|outs\\w+r = ',
    skip_ignored_files: false,
  })),
  find_file: ['.', ...directories].map((path) => ({ relative_path: path, file_mask: '*', skip_ignored_files: false })),
  list_dir: ['.', ...directories].map((path) => ({ relative_path: path, recursive: true })),
  get_symbols_overview: files.map((path) => ({ relative_path: path })),
  find_symbol: ['', ...directories, ...files].map((path) => ({
    relative_path: path,
    name_path_pattern: 's',
    substring_matching: true,
    include_body: true,
  })),
  get_diagnostics_for_file: files.map((path) => ({ relative_path: path })),
};

describe('while links are swapped', () => {
  testUnless(reason)('no answer contains anything from outside', async () => {
    const leaks: Record<string, number> = {};
    for (const [tool, args] of Object.entries(readers)) {
      const answers = await callOften(
        tool,
        args.map((each) => () => each),
        {
          count: tool === 'get_diagnostics_for_file' ? slowReads : reads,
          isAnswer: (answer) => !answer.includes(refusal),
        },
      );
      leaks[tool] = answers.filter((answer) => answer.includes(secret)).length;
    }
    expect(leaks).toEqual(Object.fromEntries(Object.keys(readers).map((tool) => [tool, 0])));
  });

  const content = { needle: 'return', repl: 'return ', mode: 'literal' };
  const editors: Readonly<Record<string, readonly ((index: number) => Args)[]>> = {
    create_text_file: [
      ...directories.map((path) => (index: number) => ({
        relative_path: `${path}/new-${index}.py`,
        content: 'x = 1\n',
      })),
      ...directories.map((path) => (index: number) => ({
        relative_path: `${path}/new/${index}.py`,
        content: 'x = 1\n',
      })),
      ...files.map((path) => () => ({ relative_path: path, content: 'def inside():\n    return "inside"\n' })),
    ],
    replace_content: files.map((path) => () => ({ relative_path: path, ...content, allow_multiple_occurrences: true })),
    replace_in_files: ['', ...directories, ...files].map((path) => () => ({ relative_path: path, ...content })),
  };

  testUnless(reason)('nothing outside changes', async () => {
    const before = fingerprint(outside.root);
    const changed: Record<string, string[]> = {};
    for (const [tool, args] of Object.entries(editors)) {
      await callOften(tool, args, { count: edits, isAnswer: (answer) => !answer.includes('Error') });
      const after = fingerprint(outside.root).split('\n');
      changed[tool] = after.filter((line) => !before.includes(line)).slice(0, 3);
    }
    expect(changed).toEqual(Object.fromEntries(Object.keys(editors).map((tool) => [tool, []])));
    expect(fingerprint(outside.root)).toBe(before);
  });
});
