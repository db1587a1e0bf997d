import { describe, expect, test } from 'bun:test';
import { utimesSync } from 'node:fs';
import type { TestClient } from '../support/client.ts';
import { openShared } from '../support/shared-session.ts';
import type { Workspace } from '../support/workspace.ts';

/** One project in two languages: `target` is defined in one file and used in another. */
interface Language {
  readonly server: string;
  readonly definer: string;
  readonly user: string;
  readonly other: string;
  /** The file that defines `name`, with other code above it before the changes. */
  define(name: string, extra?: string): string;
  use(name: string, caller: string, from: string): string;
  readonly files: Readonly<Record<string, string>>;
}

const python: Language = {
  server: 'pyright',
  definer: 'shop/definer.py',
  user: 'shop/user.py',
  other: 'shop/other.py',
  define: (name, extra = '') => `${extra}def ${name}():\n    return 1\n`,
  use: (name, caller, from) =>
    `from ${from.replaceAll('/', '.').replace('.py', '')} import ${name}\n\n\ndef ${caller}():\n    return ${name}()\n`,
  files: { 'shop/__init__.py': '' },
};

const typescript: Language = {
  server: 'typescript-language-server',
  definer: 'src/definer.ts',
  user: 'src/user.ts',
  other: 'src/other.ts',
  define: (name, extra = '') => `${extra}export function ${name}() {\n  return 1;\n}\n`,
  use: (name, caller, from) =>
    `import { ${name} } from './${from.replace('src/', '')}';\n\nexport function ${caller}() {\n  return ${name}();\n}\n`,
  files: {
    'package.json': '{ "name": "shop", "type": "module" }\n',
    'tsconfig.json':
      '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true, "types": [] }, "include": ["src"] }\n',
  },
};

/** Results of four tools for a name: its definition, its references, and their text. */
interface Seen {
  readonly found: string[];
  readonly overview: string;
  readonly callers: string[];
  readonly text: string[];
}

async function look(client: TestClient, name: string, definer: string): Promise<Seen> {
  const found: { name_path: string; relative_path: string; body_location: { start_line: number } }[] = JSON.parse(
    await client.ask('find_symbol', { name_path_pattern: name }),
  );
  const overview = await client.call('get_symbols_overview', { relative_path: definer });
  const references = await client.call('find_referencing_symbols', { name_path: name, relative_path: definer });
  const matches: Record<string, string[]> = JSON.parse(
    await client.ask('search_for_pattern', { substring_pattern: `\\b${name}\\(\\)` }),
  );
  return {
    found: found.map((symbol) => `${symbol.relative_path}:${symbol.body_location.start_line}`),
    overview: overview.isError ? 'error' : overview.text,
    callers: references.isError ? ['error'] : callersIn(references.text),
    text: Object.entries(matches).flatMap(([file, blocks]) => blocks.map((block) => `${file}${block}`)),
  };
}

/** Functions that contain references, sorted, as `file name`; imports are in no function. */
function callersIn(text: string): string[] {
  const byFile: Record<string, Record<string, { name_path: string }[]>> = JSON.parse(text);
  const callers = Object.entries(byFile).flatMap(([file, { Function: functions = [] }]) =>
    functions.map((caller) => `${file} ${caller.name_path}`),
  );
  return callers.sort();
}

async function start({
  define,
  use,
  definer,
  user,
  files,
}: Language): Promise<{ project: Workspace; client: TestClient }> {
  const shared = { ...files, [definer]: define('target'), [user]: use('target', 'caller', definer) };
  const { workspace: project, client } = await openShared(shared);
  // Everything that can be cached is now cached.
  const before = await look(client, 'target', definer);
  expect(before).toEqual(await look(client, 'target', definer));
  expect(before).toMatchObject({
    found: [`${definer}:0`],
    overview: '{"Function": ["target"]}',
    callers: [`${user} caller`],
  });
  return { project, client };
}

const slow = 180_000;

describe.each([python, typescript])('$server immediately sees changes by other programs:', (language) => {
  const { definer, user, other, define, use } = language;
  const functions = (...names: string[]) =>
    JSON.stringify({ Function: names }).replaceAll('":[', '": [').replaceAll('","', '", "');

  test(
    'an edit of the definition and of a use',
    async () => {
      const { project, client } = await start(language);
      project.write(definer, define('renamed', define('above')));
      project.write(user, use('renamed', 'second', definer));
      const { length } = define('above').split('\n');
      expect(await look(client, 'renamed', definer)).toMatchObject({
        found: [`${definer}:${length - 1}`],
        overview: functions('above', 'renamed'),
        callers: [`${user} second`],
      });
      expect(await look(client, 'target', definer)).toEqual({
        found: [],
        overview: functions('above', 'renamed'),
        callers: ['error'],
        text: [],
      });
    },
    slow,
  );

  test(
    'a new use in a file that no tool has asked about',
    async () => {
      const { project, client } = await start(language);
      project.write(other, use('target', 'newcomer', definer));
      const seen = await look(client, 'target', definer);
      expect(seen.callers).toEqual([`${other} newcomer`, `${user} caller`]);
      expect(seen.text).toHaveLength(3);
    },
    slow,
  );

  test(
    'a new definition, used by a new file',
    async () => {
      const { project, client } = await start(language);
      const directory = `${definer.split('/')[0]}/deep`;
      const file = `${directory}/fresh${definer.slice(definer.lastIndexOf('.'))}`;
      project.write(file, define('fresh'));
      expect(await look(client, 'fresh', file)).toMatchObject({ found: [`${file}:0`], overview: functions('fresh') });
    },
    slow,
  );

  test(
    'a file replaced by one with an older time',
    async () => {
      const { project, client } = await start(language);
      // With the same size as well.
      project.write(`${definer}.old`, define('tegrat'));
      project.write(`${user}.old`, use('tegrat', 'caller', definer));
      for (const file of [definer, user]) {
        utimesSync(project.path(`${file}.old`), new Date('2001-01-01'), new Date('2001-01-01'));
        project.move(`${file}.old`, file);
      }
      expect(await look(client, 'tegrat', definer)).toMatchObject({
        found: [`${definer}:0`],
        callers: [`${user} caller`],
      });
      expect(await look(client, 'target', definer)).toMatchObject({ found: [], callers: ['error'], text: [] });
    },
    slow,
  );

  test(
    'the checkout of another branch, and back',
    async () => {
      const { project, client } = await start(language);
      project.initGit();
      const first = await look(client, 'target', definer);
      project.git('checkout', '--quiet', '-b', 'other');
      project.write(definer, define('branched', define('above')));
      project.write(user, use('branched', 'there', definer));
      project.write(other, use('branched', 'elsewhere', definer));
      project.git('add', '--all');
      project.git('commit', '--quiet', '--message=Other');
      expect(await look(client, 'branched', definer)).toMatchObject({
        callers: [`${other} elsewhere`, `${user} there`],
      });
      project.git('checkout', '--quiet', 'main');
      expect(await look(client, 'target', definer)).toEqual(first);
      project.git('checkout', '--quiet', 'other');
      expect(await look(client, 'branched', definer)).toMatchObject({
        overview: functions('above', 'branched'),
        callers: [`${other} elsewhere`, `${user} there`],
      });
    },
    slow,
  );

  test(
    'a file deleted',
    async () => {
      const { project, client } = await start(language);
      project.remove(user);
      expect(await look(client, 'target', definer)).toMatchObject({ found: [`${definer}:0`], callers: [] });
      project.remove(definer);
      expect(await look(client, 'target', definer)).toEqual({
        found: [],
        overview: 'error',
        callers: ['error'],
        text: [],
      });
    },
    slow,
  );

  test(
    'a file renamed',
    async () => {
      const { project, client } = await start(language);
      project.move(definer, other);
      project.write(user, use('target', 'caller', other));
      expect(await look(client, 'target', other)).toMatchObject({
        found: [`${other}:0`],
        overview: functions('target'),
        callers: [`${user} caller`],
      });
      const old = await client.call('get_symbols_overview', { relative_path: definer });
      expect(old.text).toContain('FileNotFoundError');
    },
    slow,
  );
});
