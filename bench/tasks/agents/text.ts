import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/support/paths.ts';
import type { BenchPackage, Language } from '../../symbols/model.ts';
import { pythonOf } from '../../symbols/running/python-of.ts';
import type { Agent } from '../model.ts';
import { columnsOf, oldName } from '../truth.ts';
import { Recorder } from './recorder.ts';

/** After this many repairs it gives up, and says so. */
const maxRounds = 10;

/**
 * Works as an agent without code intelligence does: searches the name, replaces it in all code, compiles, and takes back
 * what the compiler complains about.
 */
export const textAgent: Agent = {
  name: 'text',
  note:
    '`grep` for the name, a replacement in all source files, then up to ten rounds of the compiler: lines with errors get ' +
    'the old name back, or the new one.',
  version: async () => '1',

  async work(task, pack, directory) {
    const name = oldName(task);
    const recorder = new Recorder();
    const include = pack.extensions.map((extension) => `--include=*${extension}`);
    const { output } = await recorder.run('grep', ['-rnw', name, ...include, '.'], { cwd: directory });
    const files = [...new Set(output.split('\n').flatMap((line) => /^\.\/([^:]+):\d+:/.exec(line)?.[1] ?? []))];
    const pattern = `s/\\b${name}\\b/${task.newName}/g`;
    await recorder.run('sed', ['-i', pattern, ...files], { cwd: directory });
    for (let round = 0; round < maxRounds; round++) {
      const { exitCode, output: errors } = await compile(recorder, pack, directory);
      if (exitCode === 0) return recorder.work('done');
      if (!repair(recorder, directory, { errors, name, newName: task.newName })) break;
    }
    return recorder.work('open');
  },
};

async function compile(recorder: Recorder, pack: BenchPackage, directory: string) {
  const { command, args } = compilers[pack.language];
  const program = pack.language === 'python' ? await pythonOf(pack) : command;
  return recorder.run(program, args, { cwd: directory });
}

/** What somebody would run to see whether a package still compiles. */
const compilers: Readonly<Record<Language, { command: string; args: readonly string[] }>> = {
  go: { command: 'go', args: ['vet', '-mod=mod', './...'] },
  typescript: { command: join(root, 'node_modules/.bin/tsc'), args: ['--noEmit', '--pretty', 'false', '-p', '.'] },
  python: { command: 'python3', args: ['-m', 'compileall', '-q', '.'] },
  rust: { command: 'cargo', args: ['check', '--offline', '--quiet', '--message-format=short', '--tests'] },
  java: { command: 'sh', args: ['-c', "javac -proc:none -d /dev/null $(find . -name '*.java')"] },
  cpp: { command: 'sh', args: ['-c', "g++ -std=c++17 -fsyntax-only -I. -Iinclude $(find . -name '*.cpp')"] },
};

interface Repair {
  readonly errors: string;
  readonly name: string;
  readonly newName: string;
}

/** Gives lines with an error the other name. Returns false if no line with an error has either. */
function repair(recorder: Recorder, directory: string, { errors, name, newName }: Repair): boolean {
  const lines = new Set(
    [...errors.matchAll(/^(?:vet: )?(?:\.\/)?([\w./-]+)[:(](\d+)/gm)].map((match) => `${match[1]}:${match[2]}`),
  );
  let isChanged = false;
  for (const address of lines) {
    const [file = '', number = ''] = address.split(':');
    const path = join(directory, file);
    const text = readFileSync(path, 'utf8').split('\n');
    const line = text[Number(number) - 1] ?? '';
    const [from, to] = columnsOf(line, newName).length > 0 ? [newName, name] : [name, newName];
    if (columnsOf(line, from).length === 0) continue;
    text[Number(number) - 1] = line.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), to);
    writeFileSync(path, text.join('\n'));
    isChanged = true;
    recorder.record(`sed -i '${number}s/\\b${from}\\b/${to}/g' ${file}`, '');
  }
  return isChanged;
}
