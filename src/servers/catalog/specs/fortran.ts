import { fortlsQuirks } from '../quirks/fortls.ts';
import { defineServer } from '../spec.ts';

export const fortran = defineServer({
  id: 'fortran',
  name: 'fortls',
  homepage: 'https://fortls.fortran-lang.org',
  files: {
    '.f90': 'fortran',
    '.f95': 'fortran',
    '.f03': 'fortran',
    '.f08': 'fortran',
    '.f': 'fortran',
    '.for': 'fortran',
    '.fpp': 'fortran',
    '.F90': 'fortran',
    '.F': 'fortran',
  },
  install: [{ from: 'pypi', packages: { fortls: '3.2.2' }, run: { python: 'fortls.__init__:main', atLeast: '3.9' } }],
  versionKey: 'fortls_version',
  // It would ask the Python Package Index for a newer one.
  args: ['--disable_autoupdate'],
  ready: { when: 'initialized' },
  // It publishes diagnostics of documents that are opened, and of none that changes.
  reopensWhenMatching: /^/,
  watchedFiles: ['.fortls', '.fortlsrc'],
  ignoredDirectories: ['build', 'Build', 'BUILD', 'bin', 'lib', 'mod', 'obj', '.cmake', 'CMakeFiles'],
  quirks: fortlsQuirks,
  symbolsVersion: 2,
});
