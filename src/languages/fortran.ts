import { defineServer } from '../servers/spec.ts';
import { fortlsQuirks } from './fortran-corrections.ts';

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
  // Otherwise it queries the Python Package Index for a newer version.
  args: ['--disable_autoupdate'],
  ready: { when: 'initialized' },
  watchedFiles: ['.fortls', '.fortlsrc'],
  ignoredDirectories: ['build', 'Build', 'BUILD', 'bin', 'lib', 'mod', 'obj', '.cmake', 'CMakeFiles'],
  quirks: fortlsQuirks,
  symbolsVersion: 3,
});
