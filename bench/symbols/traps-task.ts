import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Answer,
  type BenchPackage,
  type ContenderRun,
  cannotAnswer,
  type Judged,
  type Trap,
  type TrapWorkspace,
} from './model.ts';
import { symbenchCache } from './packages.ts';
import { askAboutErrors } from './running/ask-about-errors.ts';
import { killServersDuring } from './running/kill-servers-during.ts';
import { withFiles } from './running/with-files.ts';
import { scoreErrors, scoreReferences } from './score.ts';
import type { Question } from './tasks.ts';
import { markedLines } from './traps/marked-lines.ts';

/** Returns a package whose sources are the workspace's files, with the language server of another package. */
export function trapPackage({ files }: TrapWorkspace, model: BenchPackage): BenchPackage {
  return {
    ...model,
    name: `traps ${model.language}`,
    ...(model.firstFile === undefined ? {} : { firstFile: firstSource(files, model) }),
    async fetch(directory) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, path)), { recursive: true });
        writeFileSync(join(directory, path), text);
      }
    },
  };
}

/** @throws {Error} if no file has the usual extension of the language. */
function firstSource(files: TrapWorkspace['files'], { extensions: [usual] }: BenchPackage): string {
  const found = Object.keys(files).find((file) => file.endsWith(usual));
  if (found === undefined) throw new Error(`no file of the workspace ends with ${usual}`);
  return found;
}

/** Writes the workspace's files, and no others, into a directory of the cache and returns its absolute path. */
export async function writeTraps(pack: BenchPackage): Promise<string> {
  const directory = join(symbenchCache, 'traps', pack.language);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  await pack.fetch(directory);
  return directory;
}

/** Returns the questions about a workspace. */
export function trapQuestions(workspace: TrapWorkspace, { program }: BenchPackage): Question[] {
  return workspace.traps.map((trap) => {
    const truth = truthOf({ ...workspace.files, ...trap.rewritten }, trap);
    const before = truthOf(workspace.files, trap);
    const hash = createHash('sha256').update(JSON.stringify([workspace.files, trap]));
    return {
      task: 'traps',
      name: trap.name,
      version: hash.digest('hex').slice(0, 12),
      kind: trap.asks,
      expected: truth.must.length,
      async ask(run) {
        if (trap.rewritten !== undefined) {
          await ask(run, trap, before);
          return withFiles(run, trap.rewritten, () => ask(run, trap, truth));
        }
        if (trap.killsServer) return killServersDuring(run, program, () => ask(run, trap, truth));
        return ask(run, trap, truth);
      },
      score: (answer) => scoreTrap(trap, truth, answer),
    };
  });
}

async function ask(run: ContenderRun, { asks }: Trap, { symbol }: Judged): Promise<Answer> {
  if (asks === 'references') return run.references(symbol);
  if (asks === 'implementations') return (await run.implementations?.(symbol)) ?? cannotAnswer;
  return askAboutErrors(run, [symbol.at.file]);
}

function scoreTrap({ asks }: Trap, truth: Judged, answer: Answer) {
  if (asks !== 'diagnostics') return scoreReferences(truth, answer);
  const expected = truth.must.map(({ file, line }) => ({ file, first: line, last: line }));
  const score = scoreErrors(expected, answer);
  const allowed = new Set([...truth.must, ...truth.may].map(({ file, line }) => `${file}:${line}`));
  const extra = answer.positions.filter(({ file, line }) => !allowed.has(`${file}:${line}`));
  if (score.verdict !== 'exact' || extra.length === 0) return score;
  return { ...score, verdict: 'extra' as const, extra: extra.map(({ file, line }) => `${file}:${line + 1}`) };
}

/** @throws {Error} if no line or several lines declare the symbol. */
function truthOf(files: Readonly<Record<string, string>>, { mark, namePath = '' }: Trap): Judged {
  const [at, ...others] = markedLines(files, `!${mark}`);
  if (at === undefined || others.length > 0) throw new Error(`!${mark} is not on exactly one line`);
  const name = (namePath.split('/').at(-1) ?? '').replace(/\[\d+\]$/, '');
  const line = files[at.file]?.replace(/^\uFEFF/, '').split(/\r?\n/)[at.line] ?? '';
  const column = Math.max(0, line.search(new RegExp(`(?<![\\w$])${name}(?![\\w$])`)));
  const must = markedLines(files, `@${mark}`);
  const symbol = { name, namePath, kind: 'trap', isExported: true, at: { ...at, column } };
  return { symbol, must, may: [...must, ...markedLines(files, `?${mark}`)] };
}
