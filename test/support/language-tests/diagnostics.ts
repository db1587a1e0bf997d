import { afterAll, beforeAll, describe, expect } from 'bun:test';
import type { PlannedChange } from '../../../src/edits/edits.ts';
import type { EditProblems } from '../../../src/symbols/edits/edit-problems.ts';
import { namePathOf } from '../../../src/symbols/model/name-path.ts';
import type { OwnedDiagnostic } from '../../../src/symbols/queries/diagnostics.ts';
import type { ComparedProblems } from '../../../src/symbols/queries/new-problems.ts';
import { Opened } from '../../servers/opened.ts';
import { testUnless } from '../skip.ts';
import { makeWorkspace } from '../workspace.ts';
import { installTested, type Tested } from './tested.ts';

/** A project whose file `user` uses a number that `helper` makes. */
interface Checked {
  readonly files: Readonly<Record<string, string>>;
  readonly helper: string;
  readonly helperText: string;
  /** The helper when it makes a text. */
  readonly changedHelper: string;
  readonly user: string;
  readonly userText: string;
  /** Appended to a file: a definition with a type error, and its diagnostics. */
  readonly wrong: string;
  readonly wrongTold: string;
  readonly userTold: string;
  /** Appended to a file: a syntax error; absent if the server does not distinguish such errors. */
  readonly unparsable?: string;
  /** A file with a problem below the severity of an error, and its diagnostics. */
  readonly hinted: readonly [file: string, text: string, told: readonly string[]];
}

/** Returns `severity owner line: code` of each. */
export function linesOfDiagnostics(found: readonly OwnedDiagnostic[]): string[] {
  return found.map(({ owner, diagnostic: { severity, range, code } }) => {
    return `${severity} ${owner ? namePathOf(owner) : '<file>'} ${range.start.line}: ${code}`;
  });
}

function toldIn(opened: Opened, file: string): Promise<string[]> {
  return opened.ask(async (symbols) => linesOfDiagnostics(await symbols.diagnosticsOfFile(file)));
}

/** Tests the diagnostics of a server through this program's layers: complete, and about the present files. */
export function testDiagnostics(tested: Tested, checked: Checked): void {
  const { files, helper, helperText, user, userText, hinted } = checked;
  const { wrong, wrongTold, unparsable } = checked;
  const testHere = testUnless(tested.whyNot);
  const all = { ...files, [helper]: helperText, [user]: userText, [hinted[0]]: hinted[1] };
  describe(`${tested.spec.name} reports`, () => {
    installTested(tested);
    let shared: Opened | undefined;
    beforeAll(async () => {
      if (tested.whyNot === undefined) shared = await Opened.open(makeWorkspace(all));
    });
    afterAll(async () => await shared?.[Symbol.asyncDispose]());
    const open = () => {
      if (shared === undefined) throw new Error('The project was not opened');
      shared.workspace.replace(all);
      return shared;
    };

    testHere(
      'nothing for a clean file, and everything for a broken one, after each edit on disk',
      async () => {
        const opened = open();
        const { workspace } = opened;
        const clean = workspace.read(user);
        for (let round = 0; round < 3; round++) {
          expect(await toldIn(opened, user)).toEqual([]);
          workspace.write(user, clean + wrong);
          expect(await toldIn(opened, user)).toEqual([wrongTold]);
          // An unchanged text keeps its diagnostics.
          expect(await toldIn(opened, user)).toEqual([wrongTold]);
          workspace.write(user, clean);
        }
      },
      120_000,
    );

    testUsers(tested, checked, open);

    testHere(
      'problems below the severity of an error',
      async () => {
        const opened = open();
        expect(await toldIn(opened, hinted[0])).toEqual([...hinted[2]]);
      },
      120_000,
    );

    if (unparsable !== undefined) testSyntaxErrors(tested, { ...checked, unparsable }, open);
  });
}

/** Tests that a change of a file shows in the diagnostics of another one. */
function testUsers(
  tested: Tested,
  { helper, helperText, changedHelper, user, userTold }: Checked,
  open: () => Opened,
): void {
  testUnless(tested.whyNot)(
    'errors that a change of another file causes, and no longer when it is undone',
    async () => {
      const opened = open();
      const { workspace } = opened;
      expect(await toldIn(opened, user)).toEqual([]);
      workspace.write(helper, changedHelper);
      expect(await toldIn(opened, user)).toEqual([userTold]);
      workspace.write(helper, helperText);
      expect(await toldIn(opened, user)).toEqual([]);
      // At once, before a server that watches files itself can have noticed the change.
      for (let round = 0; round < 8; round++) {
        workspace.remove(helper);
        expect(await toldIn(opened, user)).not.toEqual([]);
        workspace.write(helper, helperText);
        expect(await toldIn(opened, user)).toEqual([]);
      }
    },
    120_000,
  );
}

/** Tests which of a server's diagnostics are syntax errors. */
function testSyntaxErrors(
  tested: Tested,
  { user, wrong, unparsable }: Checked & { unparsable: string },
  open: () => Opened,
): void {
  testUnless(tested.whyNot)(
    'syntax errors apart from others, and both as new after the edit that caused them',
    async () => {
      const opened = open();
      const { workspace } = opened;
      const problemsAround = (edit: () => void) => opened.ask(({ editProblems }) => changeBy(editProblems, user, edit));
      workspace.write(user, workspace.read(user) + wrong);
      // The server is now running, so the whole time remains for the answer.
      await toldIn(opened, user);
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
    120_000,
  );
}

/** Returns a change whose contents nothing reads: only edits that compare all files do. */
export function unread(path: string): PlannedChange {
  return { path, before: new Uint8Array(), after: new Uint8Array() };
}

/** Returns the problems of a file around a commit that `edit` stands for. */
async function changeBy(editProblems: EditProblems, file: string, edit: () => void): Promise<ComparedProblems> {
  editProblems.watch(file);
  await editProblems.around([unread(file)], async () => edit());
  const [change] = editProblems.changes;
  if (change === undefined) throw new Error('The server did not publish in time');
  return change;
}
