// Code actions of a server that misbehaves, through the program and a real client.
import { describe, expect, test } from 'bun:test';
import { existsSync, symlinkSync } from 'node:fs';
import { expectClearError } from '../../support/clear.ts';
import { type Answer, startClient } from '../../support/client.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;
const files = { 'a.py': 'def top():\n    pass\n', 'b.py': 'x = 1\n' };

interface Applied {
  readonly listed: string;
  readonly answer: Answer;
  readonly project: Workspace;
}

interface Options {
  readonly sends?: readonly unknown[];
  readonly writes?: Readonly<Record<string, string>>;
  readonly unasked?: unknown;
  readonly isTrusted?: boolean;
  readonly isDryRun?: boolean;
  readonly prepare?: (project: Workspace) => void;
  readonly beforeApplying?: (project: Workspace) => void;
}

/** Lists the one action of the stub, and applies it. */
async function apply(action: object, options: Options = {}): Promise<Applied> {
  const { isTrusted = false, isDryRun = false, prepare, beforeApplying, ...rest } = options;
  const project = makeWorkspace(files);
  prepare?.(project);
  const texts = Object.entries(rest).map(([name, value]) => [name, JSON.stringify(value)]);
  const stub = ['offers-actions', { actions: JSON.stringify([action]), ...Object.fromEntries(texts) }] as const;
  const home = makeHome({
    ...stubServers({ python: stub }),
    included_optional_tools: ['code_actions', 'apply_code_action'],
    trusted_project_path_patterns: isTrusted ? ['/**'] : [],
  });
  await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
  const listed = await client.ask('code_actions', { relative_path: 'a.py', name_path: 'top' });
  beforeApplying?.(project);
  const id = listed.split('\n')[0];
  return { listed, answer: await client.call('apply_code_action', { id, dry_run: isDryRun }), project };
}

const replacing = (line: number, from: number, to: number, newText: string) => ({
  range: { start: { line, character: from }, end: { line, character: to } },
  newText,
});
const good = replacing(0, 4, 7, 'new_top');
const editing = (changes: object) => ({ title: 'Change', kind: 'refactor', edit: { changes } });
const command = { title: 'Run', kind: 'refactor', command: { title: 'Run', command: 'stub.run', arguments: [] } };
const sent = { changes: { '{root}/a.py': [good] } };

function expectUnchanged(project: Workspace): void {
  expect([project.read('a.py'), project.read('b.py')]).toEqual([files['a.py'], files['b.py']]);
}

/** Edits that must be refused as a whole, with a part of the error. */
const refused: readonly (readonly [name: string, edit: object, part: string])[] = [
  ['outside the project', { changes: { '{root}/a.py': [good], '{root}/../other.py': [good] } }, 'outside the project'],
  ['through a link', { changes: { '{root}/a.py': [good], '{root}/out/other.py': [good] } }, 'outside the project'],
  [
    'that create a file outside the project',
    {
      documentChanges: [
        { textDocument: { uri: '{root}/a.py', version: null }, edits: [good] },
        { kind: 'create', uri: '{root}/../made.py' },
      ],
    },
    'outside the project',
  ],
  [
    'that create a hook of Git',
    { documentChanges: [{ kind: 'create', uri: '{root}/.git/hooks/pre-commit' }] },
    '`.git/hooks/pre-commit`',
  ],
  ['that overlap', { changes: { '{root}/a.py': [good, replacing(0, 5, 6, 'x')] } }, 'overlap'],
  [
    'outside a file',
    { changes: { '{root}/b.py': [replacing(7, 0, 1, 'x')], '{root}/a.py': [good] } },
    'outside `b.py`',
  ],
  ['of something else than a file', { changes: { 'untitled:one': [good] } }, 'which is not a file'],
  [
    'that are snippets',
    {
      documentChanges: [
        {
          textDocument: { uri: '{root}/a.py', version: null },
          edits: [{ range: good.range, snippet: { kind: 'snippet', value: '$1' } }],
        },
      ],
    },
    'a snippet',
  ],
];

describe('apply_code_action refuses edits', () => {
  for (const [name, edit, part] of refused) {
    test(
      name,
      async () => {
        const elsewhere = makeTempDir('elsewhere');
        const { answer, project } = await apply(
          { title: 'Change', kind: 'refactor', edit },
          {
            prepare: (workspace) => {
              workspace.initGit();
              symlinkSync(elsewhere, workspace.path('out'));
            },
          },
        );
        expectClearError(answer, part);
        expectUnchanged(project);
        expect(existsSync(project.path('.git/hooks/pre-commit'))).toBe(false);
      },
      timeoutMs,
    );
  }

  test(
    'to a file that the server has not read as it is now',
    async () => {
      const { answer, project } = await apply(editing({ '{root}/a.py': [good] }), {
        beforeApplying: (workspace) => workspace.write('a.py', 'def top():\n    return 1\n'),
      });
      expectClearError(answer, '`a.py` has changed since this code action was listed');
      expect(project.read('a.py')).toBe('def top():\n    return 1\n');
    },
    timeoutMs,
  );

  test(
    'that the server asks for without a command',
    async () => {
      const { answer, project } = await apply(editing({ '{root}/a.py': [good] }), {
        unasked: { changes: { '{root}/b.py': [replacing(0, 0, 1, 'y')] } },
      });
      expect(answer.text).toBe('Applied "Change"; changed: a.py.');
      expect(project.read('b.py')).toBe(files['b.py']);
      expect(project.read('asked.log')).toContain('"applied":false');
    },
    timeoutMs,
  );
});

describe('commands that may write files', () => {
  const writes = { 'b.py': 'x = 2\n' };

  test(
    'do not run in untrusted projects',
    async () => {
      const { listed, answer, project } = await apply(command, { sends: [sent], writes });
      expect(listed).toContain('\n  Run [only in trusted projects]');
      expectClearError(answer, '`stub.run`', 'runs only in trusted projects', 'trusted_project_path_patterns');
      expectUnchanged(project);
    },
    timeoutMs,
  );

  test(
    'do not run as a trial',
    async () => {
      const { answer, project } = await apply(command, { sends: [sent], writes, isTrusted: true, isDryRun: true });
      expectClearError(answer, '`stub.run`', 'cannot be tried');
      expectUnchanged(project);
    },
    timeoutMs,
  );

  test(
    'are applied by the edit that they send',
    async () => {
      const { answer, project } = await apply(command, { sends: [sent], isTrusted: true });
      expect(answer.text).toBe('Applied "Run"; changed: a.py.');
      expect(project.read('a.py')).toBe('def new_top():\n    pass\n');
      expect(project.read('asked.log')).toContain('"applied":true');
    },
    timeoutMs,
  );

  test(
    'are refused if they send several edits, which are about each other',
    async () => {
      const { answer, project } = await apply(command, { sends: [sent, sent], isTrusted: true });
      expectClearError(answer, 'in 2 steps');
      expectUnchanged(project);
    },
    timeoutMs,
  );

  test(
    'are said to have written files',
    async () => {
      const { answer, project } = await apply(command, { sends: [sent], writes, isTrusted: true });
      expect(answer.blocks.join('\n')).toContain(
        'While the command `stub.run` ran, these files changed, which cannot be undone: b.py',
      );
      expect([project.read('a.py'), project.read('b.py')]).toEqual(['def new_top():\n    pass\n', writes['b.py']]);
    },
    timeoutMs,
  );
});

test(
  'code_actions lists a title that contains line breaks in one line',
  async () => {
    const { listed, answer } = await apply({ ...editing({ '{root}/a.py': [good] }), title: 'Change\n  `top`\r\nnow' });
    expect(listed).toContain('\n  Change `top` now');
    expect(answer.text).toBe('Applied "Change `top` now"; changed: a.py.');
  },
  timeoutMs,
);
