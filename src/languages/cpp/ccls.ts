import { defineServer } from '../../servers/spec.ts';

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
    '.C': 'cpp',
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
  install: [{ from: 'path', bins: ['ccls'], hint: 'install ccls, as with `apt install ccls` or `brew install ccls`' }],
  args: [],
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
  symbolsVersion: 1,
});
