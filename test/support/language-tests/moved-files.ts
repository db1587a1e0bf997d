import { expect } from 'bun:test';
import { type CompileCommand, expectCompiles, whyNotRun } from '../compiles.ts';
import { openShared } from '../shared-session.ts';
import { testUnless } from '../skip.ts';
import { type Files, installTested, type Tested } from './tested.ts';

interface Move {
  readonly from: string;
  readonly to: string;
  /** The answer, or the beginning of a refusal. */
  readonly answer: string;
  readonly isRefused?: true;
}

/** Tests that `rename_file` moves files and directories so that the project still compiles. */
export function testMovedFiles(
  tested: Tested,
  { files, moves, compile }: { files: Files; moves: readonly Move[]; compile: CompileCommand },
): void {
  installTested(tested);
  testUnless(tested.whyNot ?? whyNotRun(compile))(
    `rename_file with ${tested.spec.name} moves files and directories so that the project still compiles`,
    async () => {
      const { workspace: project, client } = await openShared(files, { env: tested.env });
      for (const move of moves) {
        const place = { relative_path: move.from, new_relative_path: move.to };
        const answer = await client.call('rename_file', place);
        expect(answer.isError).toBe(move.isRefused === true);
        if (move.isRefused) expect(answer.text).toContain(move.answer);
        else expect(answer.blocks.join('\n\n')).toBe(move.answer);
        if (!move.isRefused) expectCompiles(project, compile);
      }
    },
    600_000,
  );
}
