// The marks of traps agree with the compilers: the oracles of references judge the same workspaces.
import { expect } from 'bun:test';
import { cpp } from '../../../../bench/symbols/languages/cpp.ts';
import { rust } from '../../../../bench/symbols/languages/rust.ts';
import type { BenchLanguage, Position } from '../../../../bench/symbols/model.ts';
import { markedLines } from '../../../../bench/symbols/traps/marked-lines.ts';
import { testUnless, whyNoProgram } from '../../../support/skip.ts';
import { makeWorkspace } from '../../../support/workspace.ts';
import { knownPackage } from './known-package.ts';

const timeoutMs = 240_000;

interface Judge {
  readonly language: BenchLanguage;
  readonly configurations: readonly string[];
  readonly whyNot?: string | undefined;
  /** Words of the marks to judge, all if absent: each symbol costs several builds. */
  readonly marks?: readonly string[];
}

const judges: readonly Judge[] = [
  {
    language: rust,
    configurations: ['--all-targets --all-features'],
    whyNot: whyNoProgram('cargo', '--version'),
    marks: ['equal', 'alias', 'members', 'gen'],
  },
  {
    language: cpp,
    configurations: ['-std=c++17'],
    whyNot: whyNoProgram('python3') ?? whyNoProgram('g++'),
  },
];

const linesOf = (positions: readonly Position[]) => [
  ...new Set(positions.map(({ file, line }) => `${file}:${line + 1}`)),
];

for (const { language, configurations, whyNot, marks } of judges) {
  const pack = knownPackage(language, configurations);
  const { files, traps } = language.traps ?? { files: {}, traps: [] };
  const asked = traps.filter(
    ({ asks, mark, rewritten }) =>
      asks === 'references' && rewritten === undefined && (marks === undefined || marks.includes(mark)),
  );

  testUnless(whyNot)(
    `the compiler agrees with the marks of the traps of ${pack.language}`,
    async () => {
      await using workspace = makeWorkspace(files);
      expect(await language.edits.problems(pack, workspace.root)).toEqual([]);
      const listed = await language.references.list(pack, workspace.root);
      const declarations = asked.map(({ mark, namePath = '' }) => {
        const [at] = markedLines(files, `!${mark}`);
        const found = listed.filter(
          ({ symbol }) =>
            symbol.at.file === at?.file && symbol.at.line === at.line && symbol.name === namePath.split('/').at(-1),
        );
        expect({ mark, declarations: found.length }).toEqual({ mark, declarations: 1 });
        return found;
      });
      const judged = await language.references.judge(pack, workspace.root, declarations.flat());
      expect(judged.length).toBe(asked.length);
      for (const [index, { mark }] of asked.entries()) {
        const { must = [], may = [] } = judged[index] ?? {};
        const demanded = linesOf(markedLines(files, `@${mark}`));
        const allowed = [...demanded, ...linesOf(markedLines(files, `?${mark}`))];
        expect({
          mark,
          unmarked: linesOf(must).filter((line) => !allowed.includes(line)),
          unknown: demanded.filter((line) => !linesOf([...must, ...may]).includes(line)),
        }).toEqual({ mark, unmarked: [], unknown: [] });
      }
    },
    timeoutMs,
  );
}
