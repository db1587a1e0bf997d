import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { expectClearError } from '../support/clear.ts';
import { startClient } from '../support/client.ts';
import { makeHome, stubServers } from '../support/homes.ts';
import { runProgram } from '../support/program.ts';
import { RawMcp } from '../support/raw-mcp.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const named = (name: string) =>
  makeWorkspace({ '.serena/project.yml': `project_name: ${name}\n`, [`${name}.txt`]: '' });
const knownIn = (home: string): unknown => parse(readFileSync(join(home, 'serena_config.yml'), 'utf8')).projects;
const start = (home: string, ...args: string[]) => startClient({ args, env: { SERENA_HOME: home } });

describe('activate_project', () => {
  test('accepts a known name and describes the project', async () => {
    const project = makeWorkspace({
      '.serena/project.yml': 'project_name: well known\nencoding: latin-1\ninitial_prompt: Mind the gap.\n',
      ...{ 'a.py': '', 'b.py': '', 'c.ts': '' },
    });
    await using client = await start(makeHome({ projects: [project.root] }));
    expect(await client.ask('activate_project', { project: 'well known' })).toBe(
      [
        `The project \`well known\` at ${project.root} is activated.`,
        'Language servers: python (2 files), typescript (1 file).',
        'File encoding: latin-1.',
        'This project was not onboarded yet: ask the user whether to call `onboarding`.',
        '<project-instructions>\nMind the gap.\n</project-instructions>',
        'Call `initial_instructions` if you have not read the manual yet.',
      ].join('\n'),
    );
  });

  test('accepts a path: absolute, relative to the working directory, with a link in it', async () => {
    const project = named('one');
    const link = join(makeTempDir(), 'link');
    symlinkSync(project.root, link);
    await using client = await startClient({ cwd: join(project.root, '..'), env: { SERENA_HOME: makeHome() } });
    for (const path of [project.root, `${project.root}/`, `./${basename(project.root)}`, link]) {
      expect(await client.ask('activate_project', { project: path })).toStartWith(
        `The project \`one\` at ${project.root} is`,
      );
    }
  });

  test('prefers a known project to a directory of the same name', async () => {
    const known = named('src');
    const beside = makeWorkspace({ 'src/x.txt': '' });
    await using client = await startClient({
      cwd: beside.root,
      env: { SERENA_HOME: makeHome({ projects: [known.root] }) },
    });
    expect(await client.ask('activate_project', { project: 'src' })).toContain(known.root);
    expect(await client.ask('activate_project', { project: './src' })).toContain(beside.path('src'));
  });

  test('refuses a name that two projects have and lists their directories', async () => {
    const [first, second] = [named('twin'), named('twin')];
    await using client = await start(makeHome({ projects: [first.root, second.root] }));
    const answer = await client.call('activate_project', { project: 'twin' });
    expectClearError(answer, 'ValueError: `twin` names 2 projects', first.root, second.root);
  });

  test('refuses an unknown name and lists the known ones', async () => {
    const home = makeHome({ projects: [named('alpha').root, named('beta').root, '/nonexistent/gone'] });
    await using client = await start(home);
    const answer = await client.call('activate_project', { project: 'gamma' });
    expectClearError(
      answer,
      'ProjectNotFoundError: there is no project or directory `gamma`',
      'known projects: alpha, beta',
    );
    expect(answer.text).not.toContain('gone');
  });

  test('repeats the message if the project is active already', async () => {
    const project = named('one');
    await using client = await start(makeHome(), '--project', project.root);
    const first = await client.ask('activate_project', { project: project.root });
    expect(await client.ask('activate_project', { project: 'one' })).toBe(first);
    expect(first).toContain('is activated');
  });

  test('switches to another project and back', async () => {
    const [one, two] = [named('one'), named('two')];
    for (const project of [one, two]) project.write('a.py', 'def shared():\n    pass\n');
    const home = makeHome({ ...stubServers({ python: 'well-behaved' }), projects: [one.root, two.root] });
    await using client = await start(home, '--project', 'one');
    const overview = { relative_path: 'a.py' };
    for (const name of ['one', 'two', 'one']) {
      await client.ask('activate_project', { project: name });
      expect(await client.ask('find_file', { file_mask: '*.txt', relative_path: '.' })).toBe(
        `{"files": ["${name}.txt"]}`,
      );
      expect(await client.ask('get_symbols_overview', overview)).toBe('{"Function": ["shared"]}');
    }
  });

  test('keeps the active project when it fails', async () => {
    const project = named('one');
    await using client = await start(makeHome(), '--project', project.root);
    expectClearError(await client.call('activate_project', { project: 'gamma' }), 'gamma');
    expect(await client.ask('find_file', { file_mask: '*.txt', relative_path: '.' })).toBe('{"files": ["one.txt"]}');
  });
});

describe('a new directory', () => {
  test('becomes a known project, and stays as it is', async () => {
    const home = makeHome();
    const project = makeWorkspace({ 'a.txt': '' }, { as: 'fresh: "one"' });
    await using client = await start(home);
    const message = await client.ask('activate_project', { project: project.root });
    expect(message).toStartWith(`The project \`fresh: "one"\` at ${project.root} is created and activated.`);
    expect(readdirSync(project.root)).toEqual(['a.txt']);
    expect(knownIn(home)).toEqual([project.root]);
    expect(await client.ask('activate_project', { project: 'fresh: "one"' })).toContain('is activated.');
  });

  test('given at start does the same', async () => {
    const home = makeTempDir('home');
    const project = makeWorkspace({ 'a.txt': '' });
    await using client = await start(home, '--project', project.root);
    await client.ask('read_file', { relative_path: 'a.txt' });
    expect(readdirSync(project.root)).toEqual(['a.txt']);
    expect(knownIn(home)).toEqual([project.root]);
  });

  test('is added to serena_config.yml without changing comments, order and unknown keys', async () => {
    const home = makeTempDir('home');
    const file = join(home, 'serena_config.yml');
    const old = named('old');
    const text = `# mine\nweb_dashboard: false # not now\n\n# known ones\nprojects:\n  - ${old.root} # for work\ntool_timeout: 60\nsomething_new: {a: [1, 2]}\nlong: ${'word '.repeat(40)}end\n`;
    writeFileSync(file, text);
    const project = makeWorkspace({ 'a.txt': '' });
    await using client = await start(home);
    await client.ask('activate_project', { project: project.root });
    const lines = [`  - ${old.root} # for work\n`, `  - ${project.root}\n`].sort();
    expect(readFileSync(file, 'utf8')).toBe(text.replace(`  - ${old.root} # for work\n`, lines.join('')));
  });

  test('that is known and has a project.yml changes neither file', async () => {
    const project = named('one');
    const home = makeHome({ projects: [project.root] });
    const before = [project.read('.serena/project.yml'), readFileSync(join(home, 'serena_config.yml'), 'utf8')];
    await using client = await start(home);
    await client.ask('activate_project', { project: 'one' });
    expect([project.read('.serena/project.yml'), readFileSync(join(home, 'serena_config.yml'), 'utf8')]).toEqual(
      before,
    );
  });

  test('gets its files elsewhere if the configuration says so', async () => {
    const data = makeTempDir();
    const home = makeHome({ project_serena_folder_location: `${data}/$projectFolderName` });
    const project = makeWorkspace({ 'a.txt': '' }, { as: 'clean' });
    await using client = await start(home, '--project', project.root);
    await client.ask('write_memory', { memory_name: 'core', content: 'text' });
    expect(existsSync(join(data, 'clean/memories/core.md'))).toBe(true);
    expect((await runProgram(['project', 'create', project.root], { env: { SERENA_HOME: home } })).code).toBe(0);
    expect(existsSync(join(data, 'clean/project.yml'))).toBe(true);
    expect(readdirSync(project.root)).toEqual(['a.txt']);
  });

  test('gets its files below the home directory of the user for a leading `~`', async () => {
    const [home, userHome] = [makeHome({ project_serena_folder_location: '~/data' }), makeTempDir('user')];
    const project = makeWorkspace({ 'a.txt': '' });
    const env = { SERENA_HOME: home, HOME: userHome, USERPROFILE: userHome };
    expect((await runProgram(['project', 'create', project.root], { env })).code).toBe(0);
    expect(existsSync(join(userHome, 'data', 'project.yml'))).toBe(true);
    expect(readdirSync(project.root)).toEqual(['a.txt']);
  });
});

test('twenty processes that register projects at once lose none', async () => {
  const home = makeTempDir('home');
  writeFileSync(join(home, 'serena_config.yml'), '# mine\nprojects: []\n');
  const roots = Array.from(
    { length: 20 },
    (_, index) => makeWorkspace({ 'a.txt': '' }, { as: `project${index}` }).root,
  );
  const clients = roots.map((root) => new RawMcp({ args: ['--project', root], env: { SERENA_HOME: home } }));
  await Promise.all(clients.map((client) => client.initialize()));
  for (const client of clients) client.call(1, 'list_dir', { relative_path: '.', recursive: false });
  const answers = await Promise.all(clients.map((client) => client.answer(1)));
  expect(answers.every(({ result }) => result?.isError === false)).toBe(true);
  await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
  expect(knownIn(home)).toEqual([...roots].sort());
  expect(readFileSync(join(home, 'serena_config.yml'), 'utf8')).toStartWith('# mine\n');
});
