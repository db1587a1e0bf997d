import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../../scripts/support/paths.ts';
import { mustRun } from '../../speed/fetch.ts';
import { type BenchPackage, BenchSymbol } from '../model.ts';
import { pythonOf } from '../running/python-of.ts';
import { Link } from './links.ts';
import type { EditOracle } from './model.ts';

const PythonDeletions = z.array(
  z.object({
    file: z.string(),
    line: z.int(),
    name: z.string(),
    firstLine: z.int(),
    lastLine: z.int(),
    problem: z.string(),
    doubt: z.string().optional(),
  }),
);

/** `compileall`, the import of all modules and a check of bound names, because Python has no compiler. */
export const pythonEdits: EditOracle = {
  version: 6,
  description:
    'Python has no compiler. A changed package must pass `python3 -m compileall`, all modules that could be imported ' +
    'before must be importable, and by `ast` every global name, every name imported from a module of the package and ' +
    'every attribute of such a module must be bound. Names and attributes lead where `ast` proves it: by scopes and ' +
    'imports, and by the class of an object, which `self`, `super()`, annotations and calls of classes show; bases of ' +
    'other packages count, too. Attributes of objects of unknown classes are judged by the exercise alone. A symbol is ' +
    'used if one of these checks fails without its declaration; a method also if any attribute, argument or string has its name.',

  async problems(pack, directory) {
    const output = await runOracle('problems', directory, pack.configurations);
    // Copies in other directories have the same problems.
    return output
      .replaceAll(directory, '')
      .split('\n')
      .filter((line) => line !== '');
  },

  isUnusedImport: () => false,

  links: async (pack, directory) => z.array(Link).parse(await askAboutLinks('links', pack, directory)),

  members: async (pack, directory) => z.array(BenchSymbol).parse(await askAboutLinks('members', pack, directory)),

  async deletions(pack, directory, symbols) {
    const questions = symbols.map(({ name, at: { file, line } }) => ({ file, line, name }));
    const output = await runOracle('deletions', directory, [...pack.configurations, JSON.stringify(questions)]);
    const byPlace = new Map(symbols.map((symbol) => [`${symbol.at.file}:${symbol.at.line}`, symbol]));
    return PythonDeletions.parse(JSON.parse(output)).flatMap(({ file, line, name: _, ...truth }) => {
      const symbol = byPlace.get(`${file}:${line}`);
      return symbol === undefined ? [] : [{ symbol, ...truth }];
    });
  },
};

async function askAboutLinks(task: string, pack: BenchPackage, directory: string): Promise<unknown> {
  const script = join(root, 'bench/symbols/oracles/python-links.py');
  return JSON.parse(await mustRun(await pythonOf(pack), [script, task, directory, ...pack.configurations], directory));
}

function runOracle(task: string, directory: string, args: readonly string[]): Promise<string> {
  const script = join(root, 'bench/symbols/edits/python-edits.py');
  return mustRun('python3', [script, task, directory, ...args], directory);
}
