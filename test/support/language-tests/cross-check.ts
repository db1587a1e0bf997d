import { describe, expect } from 'bun:test';
import { openShared } from '../shared-session.ts';
import { testUnless } from '../skip.ts';
import { type Files, installTested, type Tested } from './tested.ts';

/** A symbol with the 0-based lines of its references by file. */
interface Question {
  readonly symbol: string;
  readonly file: string;
  readonly lines: Readonly<Record<string, readonly number[]>>;
  /** Positions that may refer to it, as `file:line`. */
  readonly open?: readonly string[];
}

/** A project, and the questions about it. */
interface Project {
  readonly files: Files;
  readonly questions: readonly Question[];
  /** A name whose declaration is not in a file, and what the answer calls the place. */
  readonly outside?: { readonly file: string; readonly regex: string; readonly is: string };
}

type Grouped = Record<string, Record<string, readonly { content_around_reference: string }[]>>;

/** Returns the lines in an answer of `find_referencing_symbols`, by file. */
function linesOf(text: string): Record<string, readonly number[]> {
  const grouped: Grouped = JSON.parse(text);
  const lines = Object.entries(grouped).map(([file, byKind]): [string, number[]] => [
    file,
    Object.values(byKind)
      .flat()
      .map(({ content_around_reference: around }) => Number(/> +(\d+):/.exec(around)?.[1]))
      .sort((a, b) => a - b),
  ]);
  return Object.fromEntries(lines);
}

/**
 * Tests references that a server silently omits because of its configuration, build targets, imports under other names or
 * untyped values: answers list them or report a gap, and deletions are refused.
 */
export function testCrossCheck(tested: Tested, { files, questions, outside }: Project): void {
  installTested(tested);
  const testHere = testUnless(tested.whyNot);
  const start = () => openShared(files, { env: tested.env });
  describe(`with ${tested.spec.name}`, () => {
    if (outside !== undefined) {
      testHere(
        'names the place of a declaration that is not in a file',
        async () => {
          const { file, regex, is } = outside;
          const { client } = await start();
          const { text, isError } = await client.call('find_declaration', { relative_path: file, regex });
          expect(isError).toBe(true);
          expect(text).toContain(is);
        },
        600_000,
      );
    }

    for (const { symbol, file, lines, open = [] } of questions) {
      testHere(
        `finds all references of ${symbol}, or names occurrences that may be one`,
        async () => {
          const { client } = await start();
          const { blocks, isError } = await client.call('find_referencing_symbols', {
            name_path: symbol,
            relative_path: file,
          });
          const [text = '', incomplete = ''] = blocks;
          expect(isError ? text : linesOf(text)).toEqual({ ...lines });
          expect([...incomplete.matchAll(/^ {4}(\S+:\d+): /gm)].map((found) => found[1] ?? '')).toEqual([...open]);
        },
        600_000,
      );

      testHere(
        `deletes ${symbol} only if nothing can refer to it`,
        async () => {
          const { workspace, client } = await start();
          const before = workspace.read(file);
          const { text, isError } = await client.call('safe_delete_symbol', {
            name_path_pattern: symbol,
            relative_path: file,
          });
          const isUsed = Object.keys(lines).length > 0;
          if (!isUsed && open.length === 0) {
            expect(text).toStartWith('Deleted `');
            return;
          }
          expect(isError).toBe(!isUsed);
          const places = isUsed ? Object.keys(lines).map((of) => [of]) : open.map((place) => place.split(':'));
          for (const [of = '', line = ''] of places) expect(text).toMatch(new RegExp(`${of}\\b.*?\\b${line}\\b`));
          expect(workspace.read(file)).toBe(before);
        },
        600_000,
      );
    }
  });
}
