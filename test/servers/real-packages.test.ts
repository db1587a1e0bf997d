// Symbols of packages from the registries are moved and renamed through the compiled program, and the language's own
// compiler judges what is left.
import { beforeAll, describe, expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { go as goPackages } from '../../bench/symbols/languages/go.ts';
import { java as javaPackages } from '../../bench/symbols/languages/java.ts';
import { python as pythonPackages } from '../../bench/symbols/languages/python.ts';
import { rust as rustPackages } from '../../bench/symbols/languages/rust.ts';
import { typescript as typescriptPackages } from '../../bench/symbols/languages/typescript.ts';
import type { BenchLanguage } from '../../bench/symbols/model.ts';
import { go } from '../../src/languages/go/servers.ts';
import { python } from '../../src/languages/python/servers.ts';
import { rust } from '../../src/languages/rust/servers.ts';
import { typescript } from '../../src/languages/typescript/servers.ts';
import { startClient } from '../support/client.ts';
import { type CompileCommand, checkTypes, expectCompiles, whyNotRun } from '../support/compiles.ts';
import { ownHome } from '../support/homes.ts';
import { findJdtls } from '../support/jdtls.ts';
import { rounds } from '../support/rounds.ts';
import { whyNoRustAnalyzer } from '../support/rust.ts';
import { testUnless, whyNoGo, whyNoProgram } from '../support/skip.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';
import { install, installedAt, installTimeoutMs } from './opened.ts';

const timeoutMs = 900_000;

/** Calls that change a package, each with the files that it must change. */
type Change = readonly [tool: string, args: Readonly<Record<string, unknown>>, changed: readonly string[]];

function moved(name_path: string, from: string, to: string, ...others: string[]): Change {
  return ['move_symbol', { name_path, relative_path: from, new_relative_path: to }, [from, to, ...others]];
}

function reExported(...[name_path, from, to]: [name_path: string, from: string, to: string]): Change {
  return ['move_symbol', { name_path, relative_path: from, new_relative_path: to, re_export: true }, [from, to]];
}

function renamed(name_path: string, relative_path: string, new_name: string, ...others: string[]): Change {
  return ['rename_symbol', { name_path, relative_path, new_name }, [relative_path, ...others]];
}

/** `rename_file` of a file or directory; `users` are the other files that it must change. */
function movedFile(from: string, to: string, ...users: string[]): Change {
  return ['rename_file', { relative_path: from, new_relative_path: to }, users];
}

interface RealPackage {
  readonly language: BenchLanguage;
  readonly name: string;
  readonly changes: readonly Change[];
  /** Files to add before. */
  readonly added?: Readonly<Record<string, string>>;
  readonly compile: readonly CompileCommand[];
  readonly whyNot?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  install?(): Promise<void>;
}

const jdtls = findJdtls();
const java =
  'bin' in jdtls
    ? { env: { PATH: `${jdtls.bin}:${process.env.PATH}` }, whyNot: whyNoProgram('javac') }
    : { whyNot: jdtls.whyNot };

/** Returns a command that ends before a faster compiler of the virtual machine would pay. */
function javac(args: string): CompileCommand {
  return ['sh', '-c', `javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -proc:none ${args}`];
}

const packages: Readonly<Record<string, RealPackage>> = {
  TypeScript: {
    language: typescriptPackages,
    name: 'immer 10.1.1',
    install: () => install(typescript),
    changes: [
      moved('latest', 'src/utils/common.ts', 'src/core/scope.ts'),
      moved('PatchPath', 'src/utils/plugins.ts', 'src/types/types-external.ts'),
      reExported('isPlainObject', 'src/utils/common.ts', 'src/utils/plain.ts'),
      renamed('shallowCopy', 'src/utils/common.ts', 'copyShallowly', 'src/core/current.ts'),
    ],
    added: { 'src/process.d.ts': 'declare const process: { env: Record<string, string | undefined> };\n' },
    compile: [checkTypes],
  },
  Go: {
    language: goPackages,
    name: 'lo 1.51.0',
    whyNot: whyNoGo(),
    install: () => install(go),
    changes: [
      moved('Filter', 'slice.go', 'filter.go'),
      moved('Try', 'errors.go', 'slice.go'),
      renamed('Contains', 'intersect.go', 'Includes', 'map.go'),
    ],
    compile: [['go', 'vet', '.']],
  },
  Rust: {
    language: rustPackages,
    name: 'semver 1.0.27',
    whyNot: whyNoRustAnalyzer(),
    install: () => install(rust),
    changes: [
      renamed('Prerelease', 'src/lib.rs', 'PreRelease', 'src/parse.rs'),
      movedFile('src/parse.rs', 'src/parsing.rs', 'src/lib.rs'),
    ],
    compile: [['cargo', 'check', '--offline', '--quiet', '--tests']],
  },
  Java: {
    language: javaPackages,
    name: 'gson 2.10.1',
    ...java,
    changes: [
      movedFile(
        'src/main/java/com/google/gson/annotations',
        'src/main/java/com/google/gson/marks',
        'src/main/java/com/google/gson/internal/Excluder.java',
      ),
      renamed(
        'LazilyParsedNumber',
        'src/main/java/com/google/gson/internal/LazilyParsedNumber.java',
        'LazyNumber',
        'src/main/java/com/google/gson/ToNumberPolicy.java',
      ),
    ],
    compile: [javac(`-cp 'lib/*' -d out $(find src/main -name "*.java")`)],
  },
  ...rounds<Readonly<Record<string, RealPackage>>>(
    {},
    {
      'Java, in another package': {
        language: javaPackages,
        name: 'javapoet 1.13.0',
        ...java,
        changes: [renamed('NameAllocator', 'src/main/java/com/squareup/javapoet/NameAllocator.java', 'Names')],
        compile: [javac('-d out $(find src -name "*.java")')],
      },
    },
  ),
};

describe('moved and renamed code of a real package compiles,', () => {
  for (const [name, real] of Object.entries(packages)) {
    beforeAll(async () => {
      if (real.whyNot === undefined) await real.install?.();
    }, installTimeoutMs);
    testUnless(real.whyNot ?? whyNotRun(real.compile[0] ?? ['true']))(
      `in ${name}`,
      async () => {
        await using project = await unpacked(real);
        for (const command of real.compile) expectCompiles(project, command);
        await change(project, real);
        for (const command of real.compile) expectCompiles(project, command);
      },
      timeoutMs,
    );
  }

  describe('in Python', () => {
    beforeAll(() => install(python), installTimeoutMs);
    const click = {
      language: pythonPackages,
      name: 'click 8.2.1',
      changes: [
        moved('make_str', 'src/click/utils.py', 'src/click/_strings.py', 'src/click/core.py'),
        moved('join_options', 'src/click/formatting.py', 'src/click/parser.py', 'src/click/core.py'),
        reExported('_posixify', 'src/click/utils.py', 'src/click/_posix.py'),
        moved('format_filename', 'src/click/utils.py', 'src/click/_strings.py', 'src/click/types.py'),
        renamed('HelpFormatter', 'src/click/formatting.py', 'HelpWriter', 'src/click/core.py'),
      ],
    };
    testUnless(whyNotRun(['pip']) ?? whyNotRun(['python3']))(
      'as pyright and the interpreter say',
      async () => {
        await using project = await unpacked(click);
        const before = await pyrightErrors(project);
        await change(project, click);
        expect(await pyrightErrors(project)).toEqual(before);
        expectCompiles(project, ['python3', '-c', importAll]);
      },
      timeoutMs,
    );
  });
});

async function unpacked({
  language,
  name,
  added = {},
}: Pick<RealPackage, 'language' | 'name' | 'added'>): Promise<Workspace> {
  const pack = language.packages.find((one) => one.name === name);
  if (pack === undefined) throw new Error(`there is no package ${name}`);
  const project = makeWorkspace({});
  await pack.fetch(project.root);
  for (const [path, text] of Object.entries(added)) project.write(path, text);
  return project;
}

async function change(project: Workspace, { changes, env = {} }: Pick<RealPackage, 'changes' | 'env'>): Promise<void> {
  const home = ownHome({ included_optional_tools: ['move_symbol'] });
  await using client = await startClient({ args: ['--project', project.root], env: { ...home, ...env } });
  for (const [tool, args, changed] of changes) {
    const textOf = (file: string) => (existsSync(project.path(file)) ? project.read(file) : undefined);
    const before = changed.map(textOf);
    await client.ask(tool, args);
    expect(changed.filter((file, index) => textOf(file) === before[index])).toEqual([]);
  }
}

const importAll = `
import importlib, pkgutil, sys
sys.path.insert(0, "src")
import click
for module in pkgutil.iter_modules(click.__path__):
    if module.name != "_winconsole":
        importlib.import_module(f"click.{module.name}")
`;

/** Returns the errors that the command of pyright reports, without their lines, sorted. */
async function pyrightErrors(project: Workspace): Promise<string[]> {
  const program = join(await installedAt(python), 'node_modules/pyright/index.js');
  // Node runs it in half of the time that Bun needs, and ends before its optimizing compilers would pay.
  const node = Bun.which('node');
  const [runtime, ...flags] = node === null ? [process.execPath] : [node, '--max-lazy', '--no-opt'];
  const { stdout } = spawnSync(runtime, [...flags, program, '--outputjson', 'src', 'tests'], {
    cwd: project.root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  const { generalDiagnostics } = JSON.parse(stdout);
  const errors: string[] = [];
  for (const { severity, message } of generalDiagnostics) if (severity === 'error') errors.push(message);
  return errors.sort();
}
