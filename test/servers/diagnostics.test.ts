// Diagnostics of real servers, through this program's layers: complete, and about the present files.
import { beforeAll, describe, expect } from 'bun:test';
import type { PlannedChange } from '../../src/edits/edits.ts';
import { bash } from '../../src/languages/bash/servers.ts';
import { cpp } from '../../src/languages/cpp/servers.ts';
import { go } from '../../src/languages/go/servers.ts';
import { python } from '../../src/languages/python/servers.ts';
import { typescript } from '../../src/languages/typescript/servers.ts';
import type { ServerSpec } from '../../src/servers/spec.ts';
import type { EditProblems, ProblemChange } from '../../src/symbols/edits/edit-problems.ts';
import { namePathOf } from '../../src/symbols/model/name-path.ts';
import type { OwnedDiagnostic } from '../../src/symbols/queries/diagnostics.ts';
import { whyNoServer } from '../support/server-needs.ts';
import { testUnless, whyNoGo } from '../support/skip.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { install, installTimeoutMs, Opened } from './opened.ts';

const timeoutMs = 120_000;

/** A project whose file `user` uses a number that `helper` makes. */
interface Language {
  readonly spec: ServerSpec;
  readonly whyNot?: string | undefined;
  readonly files: Readonly<Record<string, string>>;
  readonly helper: string;
  /** The helper when it makes a text. */
  readonly changedHelper: string;
  readonly user: string;
  /** Appended to a file: a definition with a type error, and its diagnostics. */
  readonly wrong: string;
  readonly wrongTold: string;
  readonly userTold: string;
  /** Appended to a file: a syntax error; absent if the server does not distinguish such errors. */
  readonly unparsable?: string;
  /** A file with a problem below the severity of an error, and its diagnostics. */
  readonly hinted: readonly [file: string, text: string, told: readonly string[]];
}

const languages: readonly Language[] = [
  {
    spec: python,
    files: {},
    helper: 'helper.py',
    changedHelper: 'def make() -> str:\n    return "a"\n',
    user: 'user.py',
    wrong: '\n\ndef wrong() -> int:\n    return "a"\n',
    wrongTold: '1 wrong 6: reportReturnType',
    userTold: '1 <file> 2: reportAssignmentType',
    unparsable: '\n\ndef broken(:\n    return 1\n',
    hinted: ['hinted.py', 'def f():\n    1 + 1\n', ['2 f 1: reportUnusedExpression']],
  },
  {
    spec: typescript,
    files: { 'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [] } }\n' },
    helper: 'helper.ts',
    changedHelper: "export function make(): string {\n  return 'a';\n}\n",
    user: 'user.ts',
    wrong: "\nexport function wrong(): number {\n  return 'a';\n}\n",
    wrongTold: '1 wrong 5: 2322',
    userTold: '1 <file> 2: 2322',
    unparsable: '\nexport function broken( {\n  return 1;\n',
    hinted: ['hinted.ts', 'export function f(): number {\n  const unused = 1;\n  return 2;\n}\n', ['4 f 1: 6133']],
  },
  {
    spec: go,
    whyNot: whyNoGo(),
    files: { 'go.mod': 'module example.com/p\n\ngo 1.21\n' },
    helper: 'helper.go',
    changedHelper: 'package p\n\nfunc Make() string {\n\treturn "a"\n}\n',
    user: 'user.go',
    wrong: '\nfunc Wrong() int {\n\treturn "a"\n}\n',
    wrongTold: '1 Wrong 5: IncompatibleAssign',
    userTold: '1 <file> 2: IncompatibleAssign',
    unparsable: '\nfunc broken( {\n\treturn 1\n}\n',
    // gopls publishes the findings of `go vet` last.
    hinted: [
      'hinted/hinted.go',
      'package hinted\n\nimport "fmt"\n\nfunc F() {\n\tfmt.Printf("%d\\n", "x")\n}\n',
      ['2 F 5: default'],
    ],
  },
  {
    spec: cpp,
    files: { 'compile_flags.txt': '-std=c++17\n' },
    helper: 'helper.hpp',
    changedHelper: 'inline const char *make() {\n  return "a";\n}\n',
    user: 'user.cpp',
    wrong: '\nint wrong() {\n  return "a";\n}\n',
    wrongTold: '1 wrong 5: init_conversion_failed',
    userTold: '1 <file> 2: init_conversion_failed',
    hinted: ['hinted.cpp', 'int f() {\n}\n', ['2 f 1: -Wreturn-type']],
  },
];

const helperOf: Readonly<Record<string, string>> = {
  'helper.py': 'def make() -> int:\n    return 1\n',
  'helper.ts': 'export function make(): number {\n  return 1;\n}\n',
  'helper.hpp': 'inline int make() {\n  return 1;\n}\n',
  'helper.go': 'package p\n\nfunc Make() int {\n\treturn 1\n}\n',
};
const userOf: Readonly<Record<string, string>> = {
  'user.py': 'from helper import make\n\nvalue: int = make()\n',
  'user.ts': "import { make } from './helper.js';\n\nexport const value: number = make();\n",
  'user.cpp': '#include "helper.hpp"\n\nint value = make();\n',
  'user.go': 'package p\n\nvar Value int = Make()\n',
};

/** Returns `severity owner line: code` of each. */
function lines(found: readonly OwnedDiagnostic[]): string[] {
  return found.map(({ owner, diagnostic: { severity, range, code } }) => {
    return `${severity} ${owner ? namePathOf(owner) : '<file>'} ${range.start.line}: ${code}`;
  });
}

async function open({ files, helper, user, hinted: [hinted, text] }: Language): Promise<Opened> {
  const own = { [helper]: helperOf[helper] ?? '', [user]: userOf[user] ?? '', [hinted]: text };
  return Opened.open(makeWorkspace({ ...files, ...own }));
}

for (const language of languages) {
  const { spec, whyNot, helper, user, wrong, wrongTold, userTold, unparsable, hinted, changedHelper } = language;
  const testHere = testUnless(whyNot ?? whyNoServer(spec));
  describe(`${spec.name} reports`, () => {
    beforeAll(async () => {
      if (whyNot === undefined) await install(spec);
    }, installTimeoutMs);

    const toldOf = (opened: Opened, file: string) =>
      opened.ask(async (symbols) => lines(await symbols.diagnosticsOfFile(file)));

    testHere(
      'nothing for a clean file, and everything for a broken one, after each edit on disk',
      async () => {
        await using opened = await open(language);
        const { workspace } = opened;
        const clean = workspace.read(user);
        for (let round = 0; round < 3; round++) {
          expect(await toldOf(opened, user)).toEqual([]);
          workspace.write(user, clean + wrong);
          expect(await toldOf(opened, user)).toEqual([wrongTold]);
          // An unchanged text keeps its diagnostics.
          expect(await toldOf(opened, user)).toEqual([wrongTold]);
          workspace.write(user, clean);
        }
      },
      timeoutMs,
    );

    testHere(
      'errors that a change of another file causes, and no longer when it is undone',
      async () => {
        await using opened = await open(language);
        const { workspace } = opened;
        expect(await toldOf(opened, user)).toEqual([]);
        workspace.write(helper, changedHelper);
        expect(await toldOf(opened, user)).toEqual([userTold]);
        workspace.write(helper, helperOf[helper] ?? '');
        expect(await toldOf(opened, user)).toEqual([]);
        // At once, before a server that watches files itself can have noticed the change.
        for (let round = 0; round < 8; round++) {
          workspace.remove(helper);
          expect(await toldOf(opened, user)).not.toEqual([]);
          workspace.write(helper, helperOf[helper] ?? '');
          expect(await toldOf(opened, user)).toEqual([]);
        }
      },
      timeoutMs,
    );

    testHere(
      'problems below the severity of an error',
      async () => {
        await using opened = await open(language);
        expect(await toldOf(opened, hinted[0])).toEqual([...hinted[2]]);
      },
      timeoutMs,
    );

    if (unparsable === undefined) return;
    testHere(
      'syntax errors apart from others, and both as new after the edit that caused them',
      async () => {
        await using opened = await open(language);
        const { workspace } = opened;
        const problemsAround = async (edit: () => void) => {
          const { problems } = await opened.ask(({ editProblems }) => changeBy(editProblems, user, edit));
          if (!problems) throw new Error('The server did not publish in time');
          return problems;
        };
        workspace.write(user, workspace.read(user) + wrong);
        // The server is now running, so the whole time remains for the answer.
        await toldOf(opened, user);
        // In Go's file the two lines are inserted before the package clause, which is valid.
        const moved = await problemsAround(() => workspace.write(user, `\n\n${workspace.read(user)}`));
        expect(moved.before.problems.map(({ isSyntaxError }) => isSyntaxError)).toEqual([false]);
        expect(moved.added).toEqual([]);
        const broken = await problemsAround(() => workspace.write(user, workspace.read(user) + unparsable));
        const fresh = broken.added.filter(({ isSyntaxError }) => isSyntaxError);
        const first = broken.before.text.split('\n').length - 1;
        expect(fresh.length).toBeGreaterThan(0);
        expect(fresh.every(({ range }) => range.start.line >= first)).toBe(true);
      },
      timeoutMs,
    );
  });
}

/** Returns a change whose contents nothing reads: only edits that compare all files do. */
function unread(path: string): PlannedChange {
  return { path, before: new Uint8Array(), after: new Uint8Array() };
}

/** Returns the problems of a file around a commit that `edit` stands for. */
async function changeBy(editProblems: EditProblems, file: string, edit: () => void): Promise<ProblemChange> {
  editProblems.watch(file);
  await editProblems.around([unread(file)], async () => edit());
  const [change] = editProblems.changes;
  if (change === undefined) throw new Error('The file was not compared');
  return change;
}

describe('typescript-language-server reports', () => {
  beforeAll(() => install(typescript), installTimeoutMs);

  // For such a file it publishes the syntax errors first, and the rest a second or more later.
  testUnless(undefined)(
    'all diagnostics of a large file that is checked slowly',
    async () => {
      const generic = (_: unknown, index: number) =>
        `export function f${index}<T extends { a: number }>(x: T): T & { b: string } { const y: Record<string, T> = { k: x }; return { ...y['k']!, b: 'x' }; }`;
      const text = [...Array.from({ length: 2000 }, generic), "export const z: number = 'a';", 'function ( {', ''];
      const config = '{ "compilerOptions": { "strict": true, "types": [] } }\n';
      await using opened = await Opened.open(makeWorkspace({ 'tsconfig.json': config, 'big.ts': text.join('\n') }));
      const found = await opened.ask((symbols) => symbols.diagnosticsOfFile('big.ts'));
      expect(lines(found)).toContain('1 <file> 2000: 2322');
      expect(found.filter(({ diagnostic }) => diagnostic.isSyntaxError).length).toBeGreaterThan(0);
    },
    timeoutMs,
  );
});

describe('bash-language-server', () => {
  beforeAll(() => install(bash), installTimeoutMs);

  testUnless(undefined)(
    'reports no errors, which does not make a file look clean',
    async () => {
      await using opened = await Opened.open(makeWorkspace({ 'clean.sh': 'x=1\n', 'broken.sh': 'if [ 1; then\n' }));
      for (const file of ['clean.sh', 'broken.sh']) {
        const { answer, missing } = await opened.askPartly((symbols) => symbols.diagnosticsOfFile(file));
        expect(answer).toEqual([]);
        expect(missing).toEqual([
          expect.stringMatching(new RegExp(`^The diagnostics of \`${file}\` are unknown: .*ShellCheck`)),
        ]);
        const { editProblems } = await opened.ask(async (symbols) => symbols);
        editProblems.watch(file);
        await editProblems.around([unread(file)], async () => undefined);
        expect(editProblems.changes).toEqual([]);
      }
    },
    timeoutMs,
  );
});
