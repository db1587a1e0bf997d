import { defineServer } from '../spec.ts';

export const cppCcls = defineServer({
  id: 'cpp_ccls',
  name: 'ccls',
  homepage: 'https://github.com/MaskRay/ccls',
  files: {
    '.c': 'c',
    '.h': 'c',
    '.c++': 'cpp',
    '.cc': 'cpp',
    '.cp': 'cpp',
    '.cpp': 'cpp',
    '.cxx': 'cpp',
    '.hh': 'cpp',
    '.hpp': 'cpp',
    '.hxx': 'cpp',
    '.inl': 'cpp',
    '.ino': 'cpp',
    '.ipp': 'cpp',
    '.tpp': 'cpp',
    '.txx': 'cpp',
    '.m': 'objective-c',
    '.mm': 'objective-cpp',
  },
  install: [{ from: 'path', bins: ['ccls'], hint: 'Install ccls, as with `apt install ccls` or `brew install ccls`' }],
  args: [],
  needsExplicitChoice: true,
  // By itself it keeps its index in the project, and reads an open file anew only when it is saved.
  initializationOptions: { cache: { directory: '{cache}/index' }, index: { onChange: true } },
  // It tells what is wrong in a file before it knows the uses in it, misses uses even with a database, and begins a progress
  // that does not always end: the files in question are opened and given a while, and else the answer says what is missing.
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 20_000 },
  projectMarkers: [],
  mayAnswerStale: true,
  watchedFiles: ['compile_commands.json', '.ccls'],
  ignoredDirectories: ['.ccls-cache'],
  symbolsVersion: 1,
});
