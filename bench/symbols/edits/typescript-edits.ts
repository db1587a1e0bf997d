import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isEnumDeclaration, isVariableDeclaration, type Node, type SourceFile } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/async';
import { packageProgram } from '../../../scripts/support/paths.ts';
import { run } from '../../../scripts/support/run.ts';
import type { BenchSymbol } from '../model.ts';
import { declarationsIn } from '../oracles/typescript-declarations.ts';
import { typescriptLinks } from '../oracles/typescript-links.ts';
import { packageKey, symbenchCache } from '../packages.ts';
import type { Deletion, EditOracle } from './model.ts';
import { Scratch } from './scratch.ts';

/** Offsets of one declaration; the end is exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** All declarations of a name in its scope, or the reason why none can be removed. */
interface Removal {
  readonly spans: readonly Span[];
  readonly problem: string;
}

/** `tsc` for changed packages, and for packages without a declaration. */
export const typescriptEdits: EditOracle = {
  version: 3,
  description:
    'TypeScript: `tsc` with the package’s sources. A symbol is used if `tsc` reports something new without all its ' +
    'declarations, or if members of an enum below it would change their values. `{ name }` may become ' +
    '`{ name: newName }`, and after renaming back `{ name: name }`, which is annotated. Names and members lead where the type ' +
    'checker resolves them; `toString`, `toJSON`, `valueOf` and `then` of classes are called by JavaScript itself.',

  async problems(_pack, directory) {
    const args = ['-p', directory, '--noEmit', '--pretty', 'false'];
    const { stdout } = await run(packageProgram('tsc'), args, { cwd: directory });
    return [...stdout.matchAll(/^([^\s(][^(\n]*)\(\d+,\d+\): error (.*)$/gm)].map(
      ([, file = '', message = '']) => `${file}: ${message}`,
    );
  },

  isUnusedImport: () => false,

  repetition: /\b([\w$]+)(?:: | as )\1(?![\w$])/g,

  links: (_pack, directory) => typescriptLinks(directory),

  async deletions(pack, directory, symbols) {
    const scratch = new Scratch(directory, join(symbenchCache, 'deleted', packageKey(pack)));
    const usual = new Set(await this.problems(pack, scratch.directory));
    const removals = await removalsOf(directory, symbols);
    const truths: Deletion[] = [];
    for (const symbol of symbols) {
      const removal = removals.get(keyOf(symbol)) ?? { spans: [], problem: 'the oracle finds no declaration' };
      const path = join(scratch.directory, symbol.at.file);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, without(text, removal.spans));
      const found = removal.problem === '' ? await this.problems(pack, scratch.directory) : [removal.problem];
      scratch.restore();
      const problem = found.find((one) => !usual.has(one)) ?? '';
      truths.push({ symbol, problem, ...linesOf(text, removal.spans) });
    }
    return truths;
  },
};

function keyOf({ at: { file }, namePath }: Pick<BenchSymbol, 'at' | 'namePath'>): string {
  return `${file} ${namePath}`;
}

async function removalsOf(directory: string, symbols: readonly BenchSymbol[]): Promise<Map<string, Removal>> {
  const api = new API({ cwd: directory });
  try {
    const snapshot = await api.updateSnapshot({ openProjects: [join(directory, 'tsconfig.json')] });
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error(`no TypeScript project in ${directory}`);
    const removals = new Map<string, Removal>();
    for (const [path, own] of Map.groupBy(symbols, ({ at }) => at.file)) {
      const file = await project.program.getSourceFile(join(directory, path));
      if (file === undefined) continue;
      const declared = declarationsIn(file);
      for (const symbol of own) {
        const names = declared.filter(({ namePath }) => namePath === symbol.namePath).map(({ name }) => name);
        removals.set(
          keyOf(symbol),
          removalOf(
            file,
            names.map((name) => name.parent),
          ),
        );
      }
    }
    return removals;
  } finally {
    await api.close();
  }
}

function removalOf(file: SourceFile, declarations: readonly Node[]): Removal {
  const spans: Span[] = [];
  for (const declaration of declarations) {
    let node = declaration;
    if (isVariableDeclaration(node)) {
      if (!('declarations' in node.parent) || countOf(node.parent.declarations) > 1) {
        return { spans: [], problem: 'the declaration is only a part of its statement' };
      }
      node = node.parent.parent;
    }
    if (isEnumDeclaration(node.parent)) {
      const members = [...node.parent.members];
      const next = members[members.findIndex((member) => member.pos === node.pos) + 1];
      if (next !== undefined && next.initializer === undefined) {
        return { spans: [], problem: 'the values of the members below change' };
      }
      const comma = /^\s*,/.exec(file.text.slice(node.end))?.[0].length ?? 0;
      spans.push({ start: node.getStart(file), end: next?.getStart(file) ?? node.end + comma });
    } else spans.push({ start: node.getStart(file), end: node.end });
  }
  return { spans, problem: spans.length === 0 ? 'the oracle finds no declaration' : '' };
}

function countOf(list: unknown): number {
  return typeof list === 'object' && list !== null && 'length' in list ? Number(list.length) : 0;
}

function without(text: string, spans: readonly Span[]): string {
  return spans
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}

function linesOf(text: string, spans: readonly Span[]): { firstLine: number; lastLine: number } {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length - 1;
  return {
    firstLine: Math.min(...spans.map(({ start }) => lineAt(start)), Number.MAX_SAFE_INTEGER),
    lastLine: Math.max(...spans.map(({ end }) => lineAt(end)), -1),
  };
}
