import { expect } from 'bun:test';
import { expectClearError } from '../clear.ts';
import { type CompileCommand, expectCompiles } from '../compiles.ts';
import { openShared, type SessionOptions } from '../shared-session.ts';

type Change = Readonly<Record<string, string | readonly string[]>>;

/** A call of `change_signature`. */
interface SignatureCall {
  readonly namePath: string;
  readonly file: string;
  readonly changes: readonly Change[];
  readonly force?: boolean;
  readonly also?: readonly number[];
  readonly dryRun?: boolean;
}

/** Opens a project for tests of `change_signature`. */
export async function openSignatures(
  files: Readonly<Record<string, string>>,
  options: Pick<SessionOptions, 'env'> = {},
) {
  const { workspace, client } = await openShared(files, options);
  const call = ({ namePath, file, changes, force = false, also = [], dryRun = false }: SignatureCall) =>
    client.call('change_signature', {
      ...{ name_path: namePath, relative_path: file, changes, force, also },
      dry_run: dryRun,
    });
  return {
    client,
    root: workspace.root,
    read: (path: string) => workspace.read(path),
    write: (path: string, text: string) => workspace.write(path, text),
    /** Changes a signature and returns the whole answer. */
    change: async (request: SignatureCall): Promise<string> => {
      const { blocks, isError } = await call(request);
      const answer = blocks.join('\n');
      if (isError) throw new Error(answer);
      return answer;
    },
    /** Expects a refusal whose message has some parts. */
    refuse: async (request: SignatureCall, ...parts: readonly string[]): Promise<void> => {
      expectClearError(await call(request), ...parts);
    },
    /** Returns the lines of a file that match, without the white space around them. */
    lines: (path: string, pattern: RegExp): string[] => {
      const lines = workspace.read(path).split('\n');
      return lines.map((line) => line.trim()).filter((line) => pattern.test(line));
    },
    expectCompiles: (command: CompileCommand) => expectCompiles(workspace, command),
    expectUnchanged: () => {
      for (const [path, text] of Object.entries(files)) expect(workspace.read(path)).toBe(text);
    },
  };
}
