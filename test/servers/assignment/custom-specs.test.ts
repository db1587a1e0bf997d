// A language server that only the user's configuration describes: a real one, and stubs for what a definition can say.

import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchPackages } from '../../../scripts/support/fetch-packages.ts';
import { startClient } from '../../support/client.ts';
import { makeHome } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { stubCommand } from '../../support/stubs.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const schema = `model Author {
  id    Int    @id
  books Book[]
}

model Book {
  id       Int    @id
  author   Author @relation(fields: [authorId], references: [id])
  authorId Int
}
`;

/** A stub reports such lines as symbols, in any language. */
const text = 'class shared\n  def inner\n';
const find = { name_path_pattern: 'shared' };
const found = (file: string) => `"name_path": "shared", "kind": "Class", "relative_path": "${file}"`;

type Servers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function start(project: Workspace, servers: Servers, config: Readonly<Record<string, unknown>> = {}) {
  const home = makeHome({ custom_language_servers: servers, ...config });
  return startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
}

function stub(name = 'well-behaved', args: Readonly<Record<string, string>> = {}) {
  return { command: stubCommand(name, args), files: { '.blob': 'blob' } };
}

describe('a server of the user', () => {
  test('answers questions and renames; nothing names it but the configuration', async () => {
    const packages = await fetchPackages('@prisma/language-server', '31.12.10');
    const program = join(packages, 'node_modules/@prisma/language-server/dist/bin.js');
    const home = makeHome({
      custom_language_servers: {
        my_prisma: {
          name: 'Prisma',
          command: [program, '--stdio'],
          files: { '.prisma': 'prisma' },
          quirks: { overview: { without: '/^id$/' } },
        },
      },
    });
    await using project = makeWorkspace({ 'db/schema.prisma': schema, 'a.sh': 'true\n' });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
    expect(await client.ask('get_symbols_overview', { relative_path: 'db/schema.prisma' })).toBe(
      '{"Class": ["Author", "Book"]}',
    );
    const body = await client.ask('find_symbol', { name_path_pattern: 'Book', include_body: true });
    expect(body).toContain(String.raw`references: [id])\n  authorId Int\n}`);
    const uses = { name_path: 'Author', relative_path: 'db/schema.prisma' };
    expect(await client.ask('find_referencing_symbols', uses)).toContain('>   7:  author   Author @relation');
    await client.ask('rename_symbol', { ...uses, new_name: 'Writer' });
    expect(project.read('db/schema.prisma')).toContain('author   Writer @relation');
    expect(await client.ask('get_current_config')).toContain('my_prisma');
    expect((await runProgram(['project', 'create', project.root], { env: { SERENA_HOME: home } })).code).toBe(0);
    // serena-agent rejects a project that names a server which it does not have.
    expect(project.read('.serena/project.yml')).toContain('language_servers: [bash]');

    const env = { SERENA_HOME: home };
    const listed = await runProgram(['servers', 'list', '--json'], { env });
    expect(JSON.parse(listed.stdout).servers[0]).toMatchObject({ id: 'my_prisma', state: 'on PATH', program });
    const doctor = await runProgram(['doctor', '--project', project.root], { env });
    expect(doctor.stdout).toContain('1 file for my_prisma, which is installed');
    expect((await runProgram(['servers', 'path', 'My_Prisma'], { env })).stdout).toBe(`${program}\n`);
    await using other = makeWorkspace({ 'schema.prisma': schema });
    const create = ['project', 'create', other.root, '--language', 'my_prisma', '--index'];
    expect((await runProgram(create, { env })).code).toBe(0);
    expect(other.read('.serena/project.yml')).toContain('language_servers: [my_prisma]');
  }, 300_000);

  test('takes the files of built-in servers, unless the project names one of those', async () => {
    const command = stubCommand('well-behaved');
    const servers = { mine: { command, files: { '.py': 'python' } } };
    const files = { 'a.py': text };
    const state = async (config: Readonly<Record<string, string>>) => {
      await using project = makeWorkspace({ ...files, ...config });
      await using client = await start(project, servers, { symbol_source: 'server' });
      return await client.ask('activate_project', { project: project.root });
    };
    expect(await state({})).toContain('mine (1 file)');
    expect(await state({ '.serena/project.yml': 'language_servers: [python]\n' })).not.toContain('mine');
    expect(await state({ '.serena/project.yml': 'language_servers: [mine]\n' })).toContain('mine (1 file)');
  });

  test('gets its arguments, environment and options with placeholders', async () => {
    await using project = makeWorkspace({ 'a.blob': text });
    const report = join(makeTempDir('report'), 'initialize.json');
    const servers = {
      mine: { ...stub('records-initialize', { report }), initializationOptions: { at: '{root}/sub', deep: [1] } },
    };
    await using client = await start(project, servers);
    expect(await client.ask('find_symbol', find)).toContain(found('a.blob'));
    expect(readFileSync(report, 'utf8')).toContain(JSON.stringify({ at: `${project.root}/sub`, deep: [1] }));
  });

  test('is used only where it is named, if its definition says so', async () => {
    const servers = { mine: { ...stub(), needsExplicitChoice: true } };
    await using unnamed = makeWorkspace({ 'a.blob': text });
    {
      await using client = await start(unnamed, servers);
      expect(await client.ask('get_current_config')).not.toContain('mine');
    }
    await using named = makeWorkspace({ 'a.blob': text, '.serena/project.yml': 'language_servers: [mine]\n' });
    await using client = await start(named, servers);
    expect(await client.ask('find_symbol', find)).toContain(found('a.blob'));
  });

  test('has read the project once it sends the notification that its definition describes', async () => {
    await using project = makeWorkspace({ 'a.py': text, 'b.py': 'shared()\n' });
    const command = stubCommand('well-behaved');
    const answers: string[] = [];
    const signals = [
      { matching: { message: String.raw`/^Found \d+ source/` }, timeoutMs: 60_000 },
      { matching: { message: '/never/' }, timeoutMs: 300 },
    ];
    for (const signal of signals) {
      const ready = { when: 'notified', method: 'window/logMessage', ...signal };
      await using client = await start(project, { mine: { command, files: { '.py': 'python' }, ready } });
      const uses = { name_path: 'shared', relative_path: 'a.py' };
      answers.push((await client.call('find_referencing_symbols', uses)).blocks.join('\n'));
    }
    expect(answers[0]).toContain('"b.py"');
    expect(answers[0]).not.toContain('References may be missing');
    expect(answers[1]).toContain('References may be missing');
  });

  test('that is missing is an error which says what to do', async () => {
    await using project = makeWorkspace({ 'a.blob': text });
    const mine = { command: 'no-such-server', files: { '.blob': 'blob' } };
    {
      await using client = await start(project, { mine });
      const { text: answer } = await client.call('get_symbols_overview', { relative_path: 'a.blob' });
      expect(answer).toContain('cannot find mine, a language server of your own configuration');
      expect(answer).toContain('install `no-such-server`, or correct `custom_language_servers.mine.command`');
    }
    await using client = await start(project, { mine: { ...mine, hint: 'run `make install`' } });
    expect((await client.call('get_symbols_overview', { relative_path: 'a.blob' })).text).toContain(
      'run `make install`',
    );
  });
});

describe('a server in the configuration of a project', () => {
  const definition = (report: string) =>
    `custom_language_servers: ${JSON.stringify({ mine: stub('records-initialize', { report }) })}\n`;

  test('does not run unless the user trusts the project, whatever the project says', async () => {
    for (const name of ['project.yml', 'project.local.yml']) {
      const report = join(makeTempDir('report'), 'ran');
      const yaml = `${definition(report)}language_servers: [mine]\ntrusted_project_path_patterns: ['**']\n`;
      await using project = makeWorkspace({ 'a.blob': text, [`.serena/${name}`]: yaml });
      await using client = await start(project, {});
      expect((await client.call('get_symbols_overview', { relative_path: 'a.blob' })).text).not.toContain('shared');
      expect(await client.ask('find_symbol', find)).not.toContain('shared');
      expect(client.stderr).toContain('Ignored `custom_language_servers` of');
      expect(existsSync(report)).toBe(false);
    }
  });

  test('does not replace that of the user of the same id without trust', async () => {
    const report = join(makeTempDir('report'), 'ran');
    await using project = makeWorkspace({ 'a.blob': text, '.serena/project.yml': definition(report) });
    await using client = await start(project, { mine: stub() });
    expect(await client.ask('find_symbol', find)).toContain(found('a.blob'));
    expect(existsSync(report)).toBe(false);
  });

  test('runs in a trusted project', async () => {
    const report = join(makeTempDir('report'), 'ran');
    await using project = makeWorkspace({ 'a.blob': text, '.serena/project.yml': definition(report) });
    await using client = await start(project, {}, { trusted_project_path_patterns: [project.root] });
    expect(await client.ask('find_symbol', find)).toContain(found('a.blob'));
    expect(existsSync(report)).toBe(true);
  });
});

test.each<[string, unknown, string]>([
  ['mine', { files: { '.x': 'x' } }, 'key `custom_language_servers.mine.command`'],
  ['mine', { command: './server', files: { '.x': 'x' } }, 'or with its absolute path'],
  ['mine', { command: 'server', files: { x: 'x' } }, 'each with its dot, such as `.vim`'],
  ['mine', { command: 'server', files: {} }, 'must have at least one file extension'],
  ['mine', { command: 'server', files: { '.x': 'x' }, file: 1 }, 'must not have `file`'],
  ['mine', { command: 'server', files: { '.x': 'x' }, ready: { when: 'soon' } }, 'custom_language_servers.mine.ready'],
  ['mine', { command: 'server', files: { '.x': 'x' }, nameRules: [{ from: '/(/' }] }, 'a valid regular expression'],
  ['mine', { command: 'server', files: { '.x': 'x' }, quirks: { rename: 'x' } }, 'must not have `rename`'],
  [
    'mine',
    { command: 'server', files: { '.x': 'x' }, quirks: { syntheticNames: ['x'] } },
    '`syntheticNames`; remove `',
  ],
  ['mine', { command: 'server', files: { '.x': 'x' }, quirks: { syntheticNames: ['x'] } }, '`: use `nameRules`'],
  ['mine', { command: 'server', files: { '.x': 'x' }, quirks: { lineBreaks: '/x/' } }, 'lines end as LSP says'],
  ['../mine', { command: 'server', files: { '.x': 'x' } }, 'must have ids as keys'],
  ['python', { command: 'server', files: { '.x': 'x' } }, '`python` is the id of a built-in language server'],
])('the definition of `%s` as %j is an error that names the key', async (id, definition, problem) => {
  const home = makeHome({ custom_language_servers: { [id]: definition } });
  const { code, stdout } = await runProgram(['doctor'], { env: { SERENA_HOME: home } });
  expect(code).toBe(1);
  expect(stdout).toContain(problem);
});
