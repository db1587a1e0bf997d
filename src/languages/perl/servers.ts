import { defineServer } from '../../servers/spec.ts';
import { perlProgram, perlQuirks } from './corrections.ts';

export const perl = defineServer({
  id: 'perl',
  name: 'Perl::LanguageServer',
  homepage: 'https://github.com/richterger/Perl-LanguageServer',
  files: { '.pl': 'perl', '.pm': 'perl', '.t': 'perl' },
  install: [
    {
      from: 'path',
      bins: ['perl'],
      hint: 'install Perl, and in it `cpan Perl::LanguageServer`, or `apt install libperl-languageserver-perl`',
      probe: ['-MPerl::LanguageServer', '-e', '1'],
    },
  ],
  args: ['-MPerl::LanguageServer', '-MPerl::LanguageServer::Methods::textDocument', '-e', perlProgram],
  ownSettings: { file_filter: ['.pm', '.pl', '.t'], ignore_dirs: null },
  initializationOptions: { fileFilter: '{file_filter}', ignoreDirs: '{ignore_dirs}' },
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: ['blib', 'local', '.carton', 'vendor', '_build', 'cover_db'],
  quirks: perlQuirks,
  symbolsVersion: 3,
});
