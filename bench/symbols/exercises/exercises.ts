import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { packageProgram, root } from '../../../scripts/support/paths.ts';
import { type ProcessResult, run } from '../../../scripts/support/run.ts';
import type { BenchPackage, Exercise } from '../model.ts';
import { packageKey, symbenchCache } from '../packages.ts';
import { pythonOf } from '../running/python-of.ts';

const timeoutMs = 300_000;

/** Returns the absolute path of a program in this directory; `.txt` keeps it from being checked with these sources. */
function sourceOf(name: string): string {
  return join(root, 'bench/symbols/exercises', `${name}.txt`);
}

/** Returns the lines of what a program prints, and that it failed, if it did. */
function linesOf({ exitCode, stdout, stderr }: ProcessResult): string[] {
  const lines = stdout.split('\n').filter((line) => line !== '');
  const [reason = ''] = stderr.trim().split('\n').slice(-1);
  return exitCode === 0 ? lines : [...lines, `exit code ${exitCode}: ${reason}`];
}

/** Returns an exercise that runs the package's tests with pytest; `libraries` of the package have to contain it. */
export function pytest(paths: readonly string[], options: readonly string[] = []): Exercise {
  return {
    description: `its tests (\`${['pytest', ...options, ...paths].join(' ')}\`)`,
    async run(pack, directory) {
      const usual = ['-q', '-p', 'no:cacheprovider', '-o', 'addopts=', '--tb=no', '-rfE'];
      const args = ['-m', 'pytest', ...usual, ...options, ...paths];
      const result = await run(await pythonOf(pack), args, {
        cwd: directory,
        env: pythonEnv(pack, directory),
        timeoutMs,
      });
      const failed = [...result.stdout.matchAll(/^(?:FAILED|ERROR) (\S+)/gm)].map(([line]) => line);
      const [, summary = 'no summary'] =
        /^(\d+ .*?) in [\d.]+s/m.exec(result.stdout.replaceAll(/^=+ | =+$/gm, '')) ?? [];
      return [...failed.sort(), summary];
    },
  };
}

function pythonEnv({ configurations }: BenchPackage, directory: string): Record<string, string> {
  const paths = configurations.map((path) => join(directory, path));
  return {
    PYTHONPATH: paths.join(delimiter),
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONHASHSEED: '0',
    // In the package, they would count as changed by the edit.
    HYPOTHESIS_STORAGE_DIRECTORY: join(symbenchCache, 'hypothesis'),
  };
}

/** Returns an exercise that runs a program of this directory in a Python package. */
export function pythonProgram(name: string): Exercise {
  const path = 'exercise.py';
  return {
    description: `\`exercises/${name}\``,
    program: { source: sourceOf(name), path },
    async run(pack, directory) {
      const env = pythonEnv(pack, directory);
      return linesOf(await run(await pythonOf(pack), [join(directory, path)], { cwd: directory, env, timeoutMs }));
    },
  };
}

/** Returns an exercise that runs the package's tests with `go test`. */
export function goTests(options: readonly string[] = []): Exercise {
  return {
    description: `its tests (\`${['go', 'test', ...options, './...'].join(' ')}\`)`,
    async run(_pack, directory) {
      const args = ['test', '-vet=off', ...options, './...'];
      const env = { GOFLAGS: '-mod=mod', CGO_ENABLED: '0' };
      const { stdout } = await run('go', args, { cwd: directory, env, timeoutMs });
      const kept = stdout.split('\n').filter((line) => /^(?:ok|FAIL|---|\?|panic)\b/.test(line.trimStart()));
      // `ok  example.com/a  0.004s [no tests to run]`
      return kept.map((line) => line.replace(/\s+(?:\(cached\)|\(?[\d.]+s\)?)(?= \[|$)/, '').trim());
    },
  };
}

/** Returns an exercise that runs the package's tests with `cargo test`. */
export function cargoTests(options: readonly string[] = []): Exercise {
  return {
    description: `its tests (\`${['cargo', 'test', ...options].join(' ')}\`)`,
    async run(pack, directory) {
      const target = join(symbenchCache, 'rust-targets', packageKey(pack));
      // Cargo compares times: one file that is newer makes it compile what an earlier run left changed.
      utimesSync(join(directory, 'src/lib.rs'), new Date(), new Date());
      const args = ['test', '--offline', '--quiet', '--no-fail-fast', '--target-dir', target, ...options];
      const { stdout } = await run('cargo', args, { cwd: directory, timeoutMs });
      return [...stdout.matchAll(/^(?:test result: .*?| {4}\S+)(?=; finished in|$)/gm)].map(([line]) => line.trim());
    },
  };
}

/**
 * Returns an exercise that runs a program of this directory in the sources of a TypeScript package. `definitions` are
 * constants that the package's build replaces.
 */
export function typescriptProgram(name: string, definitions: readonly string[] = []): Exercise {
  const path = 'src/exercise.ts';
  const defined = definitions.flatMap((definition) => ['--define', definition]);
  return {
    description: `\`exercises/${name}\``,
    program: { source: sourceOf(name), path },
    async run(pack, directory) {
      const out = join(symbenchCache, 'typescript-programs', packageKey(pack));
      rmSync(out, { recursive: true, force: true });
      // Libraries are compiled so that a field without a value does not hide an inherited method.
      const args = ['-p', directory, '--noEmit', 'false', '--outDir', out, '--useDefineForClassFields', 'false'];
      // Whether there are errors is another question.
      await run(packageProgram('tsc'), args, { cwd: directory, timeoutMs });
      return linesOf(await run(bun, [...defined, join(out, 'src', 'exercise.js')], { timeoutMs }));
    },
  };
}

const bun = join(root, 'node_modules/.bin/bun');

/** Returns an exercise that compiles a Java package with a program of this directory, and runs that. */
export function javaProgram(name: string): Exercise {
  const path = join('src/main/java', name);
  return {
    description: `\`exercises/${name}\``,
    program: { source: sourceOf(name), path },
    async run(pack, directory) {
      const classes = join(symbenchCache, 'java-classes', packageKey(pack));
      rmSync(classes, { recursive: true, force: true });
      const paths = ['-cp', [join(directory, 'lib', '*'), classes].join(delimiter)];
      const sources = ['--source-path', join(directory, 'src/main/java')];
      const compiled = await run(
        'javac',
        ['-nowarn', '-proc:none', '-d', classes, ...paths, ...sources, join(directory, path)],
        {
          timeoutMs,
        },
      );
      if (compiled.exitCode !== 0) return linesOf(compiled);
      return linesOf(await run('java', [...paths, basename(name, '.java')], { cwd: directory, timeoutMs }));
    },
  };
}

/** Returns an exercise that compiles files of a C++ package (paths) with a program of this directory, and runs it. */
export function cppProgram(name: string, files: readonly string[]): Exercise {
  const path = 'exercise.cpp';
  return {
    description: `\`exercises/${name}\``,
    program: { source: sourceOf(name), path },
    include(directory) {
      const database = join(directory, 'compile_commands.json');
      const text = readFileSync(database, 'utf8');
      const [file = ''] = files;
      // The entry of another file with this one in its place.
      const entry = text.match(/^ \{[^}]*?\n \}/gm)?.find((one) => one.includes(`"${file}"`)) ?? '';
      writeFileSync(database, text.replace(/\n\]\n$/, `,\n${entry.replaceAll(file, path)}\n]\n`));
    },
    async run(pack, directory) {
      const program = join(symbenchCache, 'cpp-programs', packageKey(pack));
      const args = ['-w', ...pack.configurations, '-o', program, path, ...files];
      await run('mkdir', ['-p', join(symbenchCache, 'cpp-programs')]);
      const compiled = await run('g++', args, { cwd: directory, timeoutMs });
      return compiled.exitCode === 0
        ? linesOf(await run(program, [], { cwd: directory, timeoutMs }))
        : linesOf(compiled);
    },
  };
}
