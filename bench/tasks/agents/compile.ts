import { join } from 'node:path';
import { root } from '../../../scripts/support/paths.ts';
import type { BenchPackage, Language } from '../../symbols/model.ts';
import { pythonOf } from '../../symbols/running/python-of.ts';
import type { Recorder } from './recorder.ts';

/** What a compiler says about a directory. */
interface Compiled {
  readonly isRight: boolean;
  readonly output: string;
  /** The lines with errors, as `file:line`, from 1. */
  readonly lines: ReadonlySet<string>;
}

/** Runs what somebody would run to see whether a package still compiles. */
export async function compile(recorder: Recorder, pack: BenchPackage, directory: string): Promise<Compiled> {
  const { command, args } = compilers[pack.language];
  const program = pack.language === 'python' ? await pythonOf(pack) : command;
  const { exitCode, output } = await recorder.run(program, args, { cwd: directory });
  const lines = [...output.matchAll(/^(?:vet: )?(?:\.\/)?([\w./-]+)[:(](\d+)/gm)];
  return { isRight: exitCode === 0, output, lines: new Set(lines.map((match) => `${match[1]}:${match[2]}`)) };
}

const compilers: Readonly<Record<Language, { command: string; args: readonly string[] }>> = {
  go: { command: 'go', args: ['vet', '-mod=mod', './...'] },
  typescript: { command: join(root, 'node_modules/.bin/tsc'), args: ['--noEmit', '--pretty', 'false', '-p', '.'] },
  python: { command: 'python3', args: ['-m', 'compileall', '-q', '.'] },
  rust: { command: 'cargo', args: ['check', '--offline', '--quiet', '--message-format=short', '--tests'] },
  java: { command: 'sh', args: ['-c', "javac -proc:none -cp 'lib/*' -d /dev/null $(find . -name '*.java')"] },
  cpp: { command: 'sh', args: ['-c', "g++ -std=c++17 -fsyntax-only -I. -Iinclude -Isrc $(find . -name '*.cpp')"] },
};
