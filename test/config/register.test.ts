import { expect, test } from 'bun:test';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startClient } from '../support/client.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const processes = 20;

test('twenty processes that register projects concurrently keep all projects and comments', async () => {
  const home = makeTempDir('home');
  const file = join(home, 'serena_config.yml');
  const known = makeWorkspace({ '.serena/project.yml': '' }).root;
  writeFileSync(file, `# first\nunheard_of: [1, 2] # kept\nprojects: # mine\n- ${known} # old\n# last\n`, {
    mode: 0o640,
  });
  const projects = Array.from({ length: processes }, () => makeWorkspace({ 'a.txt': 'a' }));
  const clients = await Promise.all(
    projects.map(({ root }) => startClient({ args: ['--project', root], env: { SERENA_HOME: home } })),
  );
  try {
    // The first call activates, and so registers, the project.
    const answers = await Promise.all(clients.map((client) => client.ask('read_file', { relative_path: 'a.txt' })));
    expect(answers).toEqual(projects.map(() => 'a'));
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
  const text = readFileSync(file, 'utf8');
  expect(parse(text)).toEqual({ unheard_of: [1, 2], projects: [known, ...projects.map(({ root }) => root)].sort() });
  for (const comment of ['# first', '# kept', '# mine', '# old', '# last']) expect(text).toContain(comment);
  expect(statSync(file).mode & 0o777).toBe(0o640);
});

test('twenty processes that start without a configuration create one with all their projects', async () => {
  const home = makeTempDir('home');
  const projects = Array.from({ length: processes }, () => makeWorkspace({ 'a.txt': 'a' }));
  const clients = await Promise.all(
    projects.map(({ root }) => startClient({ args: ['--project', root], env: { SERENA_HOME: home } })),
  );
  try {
    await Promise.all(clients.map((client) => client.ask('read_file', { relative_path: 'a.txt' })));
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
  const { projects: registered } = parse(readFileSync(join(home, 'serena_config.yml'), 'utf8'));
  expect(registered).toEqual(projects.map(({ root }) => root).sort());
});
