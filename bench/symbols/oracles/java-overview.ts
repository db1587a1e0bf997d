import { z } from 'zod';
import { BenchSymbol, type OverviewOracle } from '../model.ts';
import { askJavac } from './java-program.ts';

const Declared = z.array(BenchSymbol.extend({ isMember: z.boolean() }));

/** Members of these kinds hold no others, and an overview leaves them out. */
const leafKinds = new Set(['field', 'enum constant']);

/** Declarations of Java files, from `javac`. */
export const javaOverview: OverviewOracle = {
  description: 'Java: types, methods and constructors, nested in their types, from `javac`.',

  async files(pack, directory) {
    const symbols = Declared.parse(await askJavac(pack, directory, { task: 'list' })).filter(
      ({ isMember }) => isMember,
    );
    return [...Map.groupBy(symbols, ({ at }) => at.file)].map(([file, own]) => {
      const path = file.split('/').slice(0, -1);
      const packages = path.map((_, index) => path.slice(index).join('.'));
      const namesOf = (isLeaf: boolean) =>
        own
          .filter(({ kind }) => leafKinds.has(kind) === isLeaf)
          .map(({ namePath }) => namePath.replaceAll(/\[\d+\]/g, ''));
      return { file, must: namesOf(false), may: [...namesOf(true), ...packages] };
    });
  },
};
