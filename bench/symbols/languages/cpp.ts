import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchDebianSource } from '../../speed/fetch-debian.ts';
import { cppEdits } from '../edits/cpp-edits.ts';
import { cppProgram } from '../exercises/exercises.ts';
import type { BenchLanguage, BenchPackage, Exercise } from '../model.ts';
import { cppDiagnostics } from '../oracles/cpp-diagnostics.ts';
import { cppImplementations } from '../oracles/cpp-implementations.ts';
import { cppOverview } from '../oracles/cpp-overview.ts';
import { cppReferences } from '../oracles/cpp-references.ts';
import { symbenchCache } from '../packages.ts';
import { cppTraps } from '../traps/cpp.ts';

interface DebianSource {
  readonly name: string;
  /** `package=version` of Debian. */
  readonly source: string;
  /** Arguments of the compiler, the same for all files. */
  readonly args: readonly string[];
  /** Files and directories that remain, by path: what is compiled, and what that includes. All if there is none. */
  readonly kept: readonly string[];
  /** Any file of the compilation database. */
  readonly firstFile: string;
  readonly exercise?: Exercise;
}

/** Relative directories let a copy of a package have the same compilation database. */
function databaseOf(directory: string, args: readonly string[]): string {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.cpp'));
  const commands = files.sort().map((file) => ({
    directory: '.',
    file,
    arguments: ['g++', ...args, '-c', file, '-o', `${file}.o`],
  }));
  return `${JSON.stringify(commands, undefined, 1)}\n`;
}

function cppPackage({ name, source, args, kept, firstFile, exercise }: DebianSource): BenchPackage {
  return {
    ...(exercise === undefined ? {} : { exercise }),
    language: 'cpp',
    name,
    serverId: 'cpp',
    languageId: 'cpp',
    extensions: ['.cpp', '.h', '.inl'],
    program: 'clangd',
    configurations: args,
    // Indexing begins with the first opened file.
    firstFile,
    readyMessage: { method: '$/progress', pattern: /backgroundIndexProgress.*"kind":"end"/ },
    async fetch(directory) {
      await fetchDebianSource(directory, source, join(symbenchCache, 'apt'));
      for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
        const isNeeded =
          kept.length === 0 ||
          kept.some((one) => path === one || path.startsWith(`${one}/`) || one.startsWith(`${path}/`));
        if (!isNeeded) rmSync(join(directory, path), { recursive: true, force: true });
      }
      writeFileSync(join(directory, 'compile_commands.json'), databaseOf(directory, args));
    },
  };
}

/** Packages and oracles of C++. */
export const cpp: BenchLanguage = {
  references: cppReferences,
  overview: cppOverview,
  edits: cppEdits,
  implementations: cppImplementations,
  diagnostics: cppDiagnostics,
  traps: cppTraps,
  outside: ({ name, version, configurations = ['-std=c++17'] }) =>
    cppPackage({
      name: `${name} ${version}`,
      source: `${name}=${version}`,
      args: configurations,
      kept: [],
      firstFile: '',
    }),
  packages: [
    cppPackage({
      name: 'tinyxml2 9.0.0',
      source: 'tinyxml2=9.0.0+dfsg-3.1',
      args: ['-std=c++17'],
      kept: ['tinyxml2.cpp', 'tinyxml2.h', 'xmltest.cpp', 'contrib'],
      firstFile: 'tinyxml2.cpp',
    }),
    cppPackage({
      name: 'jsoncpp 1.9.5',
      source: 'libjsoncpp=1.9.5-4',
      args: ['-std=c++17', '-Iinclude'],
      kept: ['include', 'src', 'example'],
      firstFile: 'src/lib_json/json_value.cpp',
    }),
    cppPackage({
      name: 'pugixml 1.13',
      source: 'pugixml=1.13-0.2',
      args: ['-std=c++17', '-Isrc'],
      kept: ['src', 'docs/samples/save_custom_writer.cpp', 'docs/samples/traverse_walker.cpp'],
      firstFile: 'src/pugixml.cpp',
      exercise: cppProgram('pugixml.cpp', ['src/pugixml.cpp']),
    }),
    cppPackage({
      name: 'muparser 2.3.3',
      source: 'muparser=2.3.3-0.1',
      args: ['-std=c++17', '-Iinclude'],
      kept: ['include', 'src', 'samples'],
      firstFile: 'src/muParser.cpp',
      exercise: cppProgram(
        'muparser.cpp',
        ['', 'Base', 'Bytecode', 'Callback', 'Error', 'Int', 'Test', 'TokenReader'].map(
          (name) => `src/muParser${name}.cpp`,
        ),
      ),
    }),
    {
      ...cppPackage({
        name: 'tinyxml 2.6.2',
        source: 'tinyxml=2.6.2-6+deb12u1',
        args: ['-std=c++17'],
        kept: [
          'tinyxml.cpp',
          'tinyxml.h',
          'tinyxmlerror.cpp',
          'tinyxmlparser.cpp',
          'tinystr.cpp',
          'tinystr.h',
          'xmltest.cpp',
        ],
        firstFile: 'tinyxml.cpp',
      }),
      isNew: true,
    },
    {
      ...cppPackage({
        name: 'box2d 2.4.1',
        source: 'box2d=2.4.1-3',
        args: ['-std=c++17', '-Iinclude', '-Isrc'],
        kept: ['include', 'src'],
        firstFile: 'src/dynamics/b2_world.cpp',
      }),
      isNew: true,
    },
    {
      ...cppPackage({
        name: 'pystring 1.1.4',
        source: 'pystring=1.1.4-1',
        args: ['-std=c++17'],
        kept: ['pystring.cpp', 'pystring.h', 'test.cpp', 'unittest.h'],
        firstFile: 'pystring.cpp',
      }),
      isNew: true,
    },
    cppPackage({
      name: 'rapidjson 1.1.0',
      source: 'rapidjson=1.1.0+dfsg2-7.1',
      args: ['-std=c++17', '-Iinclude'],
      kept: ['include', 'example'],
      firstFile: 'example/simpledom/simpledom.cpp',
    }),
  ],
};
