import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../scripts/support/run.ts';
import { projectState } from '../../src/config/data-directory.ts';
import { BenchService } from './bench-service.ts';
import { indexRows } from './index-rows.ts';
import { indexWords } from './index-state.ts';
import { ask, askCold, askNew, benchHome, type Question, startOurs } from './ours.ts';
import { alternate, measure, type Row } from './table.ts';

const fileCount = 100_000;
const filesPerDirectory = 20;
const runs = 5;
const name = '100,000 files';
const anchorName = 'ripgrep, with its start';

/** A name that ten files define and no other contains. */
const symbol = 'NeedleInTree';
const firstFile = 'package_0/module_0.py';
const literal = { tool: 'search_for_pattern', args: { substring_pattern: `class ${symbol}` } };

/** A process that answers one question does without watches of directories: it adds them from the fourth one on. */
const watchedAfter = 5;

/** Returns the rows about a generated project of 100,000 Python files, which is removed afterwards. */
export async function largeTreeRows(): Promise<Row[]> {
  let generated: string | undefined;
  const directoryOf = () => {
    generated ??= generate();
    return generated;
  };
  try {
    return [
      ...(await firstRows(directoryOf)),
      ...(await secondClientRow(directoryOf)),
      ...(await withoutIndexRow(directoryOf)),
      ...(await indexRows({ name, extension: '.py', symbol }, directoryOf)),
    ];
  } finally {
    if (generated !== undefined) {
      rmSync(projectState(benchHome, generated).cache, { recursive: true, force: true });
      rmSync(generated, { recursive: true, force: true });
    }
  }
}

async function firstRows(directoryOf: () => string): Promise<Row[]> {
  let isIndexed = false;
  const row = (what: string, question: Question) =>
    measure({
      what: `spawn → ${what}, index present, ${name}`,
      anchorName,
      run: async () => {
        const directory = directoryOf();
        if (!isIndexed) await indexWords(directory);
        isIndexed = true;
        // The first process stores the trees of the files that it parses.
        await askNew(directory, question);
        return alternate(
          runs,
          async () => (await askNew(directory, question)).ms,
          () => searchWithRipgrep(directory),
        );
      },
    });
  return [
    ...(await row('get_symbols_overview of one file', {
      ...{ tool: 'get_symbols_overview', args: { relative_path: firstFile } },
      ...{ isFromSyntax: true, mayBeIncomplete: true },
    })),
    ...(await row('find_symbol with bodies', {
      ...{ tool: 'find_symbol', args: { name_path_pattern: symbol, include_body: true } },
      ...{ isFromSyntax: true, mayBeIncomplete: true },
    })),
    ...(await row('search_for_pattern for a literal', literal)),
  ];
}

/** Returns the row about a new client of a background service that has answered other questions about the project. */
function secondClientRow(directoryOf: () => string): Promise<Row[]> {
  return measure({
    what: `second client: search_for_pattern for a literal, ${name}`,
    anchorName,
    run: async () => {
      const directory = directoryOf();
      await using service = new BenchService();
      await using first = await startOurs(directory, 'server', service.env);
      for (let count = 0; count < watchedAfter; count++) await ask(first, literal);
      return await alternate(
        runs,
        async () => (await askNew(directory, literal, service.env)).ms,
        () => searchWithRipgrep(directory),
      );
    },
  });
}

function withoutIndexRow(directoryOf: () => string): Promise<Row[]> {
  return measure({
    what: `spawn → search_for_pattern for a literal, without an index, ${name}`,
    anchorName,
    run: async () => {
      const directory = directoryOf();
      return alternate(
        runs,
        async () => (await askCold(directory, literal)).ms,
        () => searchWithRipgrep(directory),
      );
    },
  });
}

async function searchWithRipgrep(directory: string): Promise<number> {
  const startedAt = performance.now();
  const ran = await run('rg', ['--no-config', '--line-number', '--no-heading', `class ${symbol}`, '.'], {
    cwd: directory,
  });
  if (ran.exitCode !== 0) throw new Error(`ripgrep failed: ${ran.stderr.trim()}`);
  return performance.now() - startedAt;
}

/** Writes the project to a temporary directory and returns its absolute path. */
function generate(): string {
  process.stderr.write(`generating ${name} … `);
  const directory = mkdtempSync(join(tmpdir(), 'serena-bench-'));
  for (let index = 0; index < fileCount; index++) {
    const parent = join(directory, `package_${Math.floor(index / filesPerDirectory)}`);
    if (index % filesPerDirectory === 0) mkdirSync(parent);
    writeFileSync(join(parent, `module_${index}.py`), sourceOf(index));
  }
  return directory;
}

const nouns = ['order', 'customer', 'invoice', 'basket', 'price', 'stock', 'address', 'payment', 'report', 'session'];
const verbs = ['load', 'store', 'update', 'remove', 'compare', 'render', 'validate', 'merge', 'count', 'export'];

/** Returns the text of a module of about 2.4 KB. */
function sourceOf(index: number): string {
  const pick = (words: readonly string[], step: number) => words[Math.floor(index / 7 + step * 3) % words.length];
  const type = index % (fileCount / 10) === 0 ? symbol : `Class${index}`;
  const methods = Array.from({ length: 12 }, (_, step) => {
    const [verb, noun] = [pick(verbs, step), pick(nouns, step + index)];
    return [
      `    def ${verb}_${noun}_${index % 997}(self, ${noun}, limit=${step}):`,
      `        """Return the ${noun} after the step to ${verb} it."""`,
      `        value_${index}_${step} = self.${noun}s.get(${noun}, limit)`,
      `        return [value_${index}_${step}, limit + ${index % 89}]`,
    ].join('\n');
  });
  return `import os\n\n\nclass ${type}:\n    """Holds the ${pick(nouns, 1)}s of package ${index}."""\n\n${methods.join('\n\n')}\n`;
}
