import { describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { expectClearExit } from '../../support/clear.ts';
import { type Ended, runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';
import { runInTerminal } from '../../support/terminal.ts';

const kinds = [
  { command: 'context', directory: 'contexts', known: 'desktop-app' },
  { command: 'mode', directory: 'modes', known: 'editing' },
];

const resources = join(import.meta.dirname, '../../../resources');
const extensions = parse(readFileSync(join(resources, 'internal/extensions.yml'), 'utf8'));

describe.each(kinds.map((kind) => [kind.command, kind] as const))('%s', (command, { directory, known }) => {
  const run = (home: string, ...args: string[]): Promise<Ended> =>
    runProgram([command, ...args], { env: { SERENA_HOME: home } });
  const ours = readdirSync(join(resources, directory)).map((name) => name.replace('.yml', ''));

  test('list shows built-in files and those of the user', async () => {
    const home = makeTempDir('named-home');
    const before = await run(home, 'list');
    expect(before.code).toBe(0);
    expect(
      before.stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(ours.sort());
    expect(before.stdout).toMatch(new RegExp(`^${known} +\\(internal\\)$`, 'm'));
    mkdirSync(join(home, directory));
    for (const name of ['mine', known]) writeFileSync(join(home, directory, `${name}.yml`), 'prompt: ""\n');
    const after = await run(home, 'list');
    expect(after.stdout).toContain(`(at ${join(home, directory, 'mine.yml')})`);
    expect(after.stdout).toContain(`(at ${join(home, directory, `${known}.yml`)})`);
    const json = JSON.parse((await run(home, 'list', '--json')).stdout);
    expect(json).toHaveLength(ours.length + 1);
    expect(json).toContainEqual({ name: 'mine', internal: false, path: join(home, directory, 'mine.yml') });
  });

  test.each(ours)('show prints %s as it is in the program, and create copies it', async (name) => {
    const home = makeTempDir('named-home');
    const text = readFileSync(join(resources, directory, `${name}.yml`), 'utf8');
    const shown = await run(home, 'show', name);
    expect(shown).toMatchObject({ code: 0, stdout: text });
    const path = join(home, directory, `${name}.yml`);
    expect(await run(home, 'create', '--from-internal', name)).toEqual({ code: 0, stdout: `${path}\n`, stderr: '' });
    expect(readFileSync(path, 'utf8')).toBe(text);
    const extension = join(home, directory, 'extensions', `${name}.yml`);
    const own = extensions[directory]?.[name];
    expect(existsSync(extension)).toBe(own !== undefined);
    if (own === undefined) expect(shown.stderr).toBe('');
    else expect(parse(readFileSync(extension, 'utf8'))).toEqual(own);
    for (const line of own === undefined ? [] : [extension, ...Object.keys(own)]) expect(shown.stderr).toContain(line);
    await run(home, 'delete', name);
    expect(existsSync(extension)).toBe(false);
  });

  test('create creates a usable file, and does not overwrite an existing one', async () => {
    const home = makeTempDir('named-home');
    const path = join(home, directory, 'mine.yml');
    expect((await run(home, 'create', '-n', 'mine')).stdout).toBe(`${path}\n`);
    expect(Object.keys(parse(readFileSync(path, 'utf8')))).toContain('prompt');
    writeFileSync(path, 'prompt: Hello.\n');
    expectClearExit(
      await run(home, 'create', '--name', 'mine', '--from-internal', known),
      1,
      path,
      `${command} edit mine`,
    );
    expect((await run(home, 'show', 'mine')).stdout).toBe('prompt: Hello.\n');
  });

  test('edit prints the path of the user’s file, and explains how to create one', async () => {
    const home = makeTempDir('named-home');
    expectClearExit(await run(home, 'edit', known), 78, 'is built in', `create --from-internal ${known}`);
    await run(home, 'create', '--name', 'mine');
    expect(await run(home, 'edit', 'mine')).toMatchObject({
      code: 0,
      stdout: `${join(home, directory, 'mine.yml')}\n`,
    });
  });

  test('delete removes files of the user only', async () => {
    const home = makeTempDir('named-home');
    await run(home, 'create', '--from-internal', known);
    expect((await run(home, 'delete', known)).stdout).toContain('is used again');
    expect(existsSync(join(home, directory, `${known}.yml`))).toBe(false);
    expect(await run(home, 'delete', known)).toMatchObject({ code: 0, stdout: expect.stringContaining('You have no') });
    expect((await run(home, 'show', known)).code).toBe(0);
  });

  test.each(['show', 'edit'])('%s names what is near to a name that there is not', async (verb) => {
    const home = makeTempDir('named-home');
    expectClearExit(await run(home, verb, `${known}x`), 78, `did you mean \`${known}\`?`);
  });

  test.each(['../x', 'a/b', '', '.hidden', 'x.yml'])('refuses the name %j', async (name) => {
    const home = makeTempDir('named-home');
    for (const args of [
      ['create', '--name', name],
      ['edit', name],
      ['delete', name],
      ['show', name],
    ])
      expect((await run(home, ...args)).code).toBe(2);
    expect(readdirSync(home)).toEqual([]);
  });
});

describe('an editor', () => {
  /** An editor that records its arguments and whether it has a terminal. */
  function fakeEditor(ending = ''): { path: string; calls: () => string } {
    const directory = makeTempDir('editor');
    const [path, calls] = [join(directory, 'my editor'), join(directory, 'calls')];
    writeFileSync(
      path,
      `#!/bin/sh\nprintf '%s\\n' "$@" > '${calls}'\ntest -t 0 && echo tty >> '${calls}'\n${ending}\n`,
    );
    chmodSync(path, 0o755);
    return { path, calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8') : '') };
  }

  test('opens the new file on a terminal, with the editor’s own arguments', async () => {
    const editor = fakeEditor();
    const home = makeTempDir('editor-home');
    const env = { SERENA_HOME: home, EDITOR: 'false', VISUAL: `'${editor.path}' --wait` };
    const run = runInTerminal(['config', 'edit'], { env });
    expect(await run.ended).toBe(0);
    const path = join(home, 'serena_config.yml');
    expect(editor.calls()).toBe(`--wait\n${path}\ntty\n`);
    expect(parse(readFileSync(path, 'utf8'))).toMatchObject({ projects: [] });
  });

  test('that fails is named in the error, and the file stays', async () => {
    const home = makeTempDir('editor-home');
    for (const [editor, reason] of [
      [`'${fakeEditor('exit 3').path}'`, 'exited with 3'],
      ['nosucheditor', 'exited with 127'],
    ]) {
      const run = runInTerminal(['mode', 'create', '--name', `m${reason?.length}`], {
        env: { SERENA_HOME: home, EDITOR: editor ?? '' },
      });
      expect(await run.ended).toBe(1);
      expect(run.screen).toContain(reason ?? '');
    }
    expect(readdirSync(join(home, 'modes'))).toHaveLength(2);
  });

  test('is not opened without a terminal', async () => {
    const editor = fakeEditor();
    const home = makeTempDir('editor-home');
    const ended = await runProgram(['config', 'edit'], { env: { SERENA_HOME: home, EDITOR: `'${editor.path}'` } });
    expect(ended).toEqual({ code: 0, stdout: `${join(home, 'serena_config.yml')}\n`, stderr: '' });
    expect(editor.calls()).toBe('');
  });
});

describe('config edit', () => {
  test('opens a broken configuration for repair', async () => {
    const home = makeTempDir('editor-home');
    const path = join(home, 'serena_config.yml');
    writeFileSync(path, 'projects: [\n');
    expect(await runProgram(['config', 'edit'], { env: { SERENA_HOME: home } })).toMatchObject({
      code: 0,
      stdout: `${path}\n`,
    });
    expect(readFileSync(path, 'utf8')).toBe('projects: [\n');
  });
});
