import type { Quirks } from '../../servers/quirks.ts';
import { defineServer } from '../../servers/spec.ts';
import type { Range } from '../../text/place.ts';
import { referencesOfAll, withEach } from '../corrections.ts';

/**
 * The program that runs Perl::LanguageServer 2.5, with these corrections:
 *
 * - The server looks definitions up in an index that it builds only after `workspace/didChangeConfiguration`, without
 *   reporting the end. The same notification makes it compile every opened file, which runs the project's `BEGIN`
 *   blocks, and write a cache into the project. Here each request reads the files as they are.
 * - The server returns lines without columns, definitions of the same name in no order, and unencoded paths as URIs.
 *   Here the columns are found in the lines, and the last definition before the reference, in the same file, comes
 *   first.
 *
 * Keys are quoted, because a bare one would be a placeholder. Covered by `test/languages/perl/perl.test.ts`.
 */
const perlProgram = `
use strict;
no warnings 'redefine';
use Encode ();

package Perl::LanguageServer::Workspace;

my %parsed;
sub _parse_perl_source_cached {
  my ($self, $uri, $source, $path, $stats, $server) = @_;
  my $known = $parsed{$path};
  return $known->{'vars'} if $known && $known->{'source'} eq $source;
  my $vars = $self->parse_perl_source($uri, $source, $server);
  $parsed{$path} = { source => $source, vars => $vars };
  return $vars;
}

sub symbols {
  my ($self) = @_;
  my $options = $self->config->{'initializationOptions'} // {};
  my $suffixes = join '|', map { quotemeta } @{$options->{'fileFilter'} // ['.pm', '.pl', '.t']};
  $self->file_filter_regex("(?:$suffixes)\\$");
  $self->ignore_dir->{$_} = 1 for @{$options->{'ignoreDirs'} // []};
  my %found;
  $self->_parse_dir($self, path_of($_->{'uri'}), \\%found, {}) for @{$self->config->{'workspaceFolders'}};
  return \\%found;
}

sub path_of {
  (my $path = substr $_[0], 7) =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ge;
  return $path;
}

package Perl::LanguageServer::Methods::textDocument;

my $located = \\&_get_symbols;
*_get_symbols = sub {
  my ($self, $workspace, $req, @rest) = @_;
  my ($uri, $pos) = ($req->params->{'textDocument'}{'uri'}, $req->params->{'position'});
  my $name = $self->get_symbol_from_doc($workspace, $uri, $pos);
  my $here = Perl::LanguageServer::Workspace::path_of($uri);
  my %rank;
  for my $found (@{$located->($self, $workspace, $req, @rest)}) {
    my $path = substr $found->{'uri'}, 7;
    my $line = $found->{'range'}{'start'}{'line'};
    my $isBefore = $path eq $here && $line <= $pos->{'line'};
    $rank{"$path:$line"} = [$path ne $here, !$isBefore, $isBefore ? -$line : $line, $path, $line];
  }
  my @ordered = sort {
    $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] || $a->[3] cmp $b->[3] || $a->[2] <=> $b->[2]
  } values %rank;
  my %lines;
  return [map {
    my ($path, $line) = @$_[3, 4];
    my $where = uri_of($path);
    $lines{$path} //= [lines_of($path)];
    map +{ uri => $where, range => { start => { line => $line, character => $_->[0] }, end => { line => $line, character => $_->[1] } } },
      columns_of($name, $lines{$path}[$line]);
  } @ordered];
};

sub uri_of {
  (my $uri = $_[0]) =~ s{([^\\w.~/-])}{sprintf '%%%02X', ord $1}gea;
  return "file://$uri";
}

sub lines_of {
  my ($path) = @_;
  open my $file, '<:encoding(UTF-8)', $path or return;
  return <$file>;
}

sub columns_of {
  my ($name, $text) = @_;
  my @columns;
  while ($text =~ /(?<![\\w\\$\\@%])\\Q$name\\E(?!\\w)/g) {
    push @columns, [map { length(Encode::encode('UTF-16LE', substr $text, 0, $_)) / 2 } $-[0], $+[0]];
  }
  return @columns ? @columns : [0, 0];
}

package main;

Perl::LanguageServer::run;
`;

/**
 * Perl::LanguageServer 2.5 reports no true columns:
 *
 * ```perl
 * my $total = 1;   # the name has an empty range
 * sub twice {      # the name is at column 2
 * }                # the end is at column 9999
 * ```
 */
const adjustSymbols: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const lines = text.split(/\r?\n/);
  return withEach(symbols, (symbol) => {
    const { start, end } = symbol.range;
    const { line } = symbol.selectionRange.start;
    const selectionRange = nameIn(symbol.name, line, lines[line] ?? '') ?? symbol.selectionRange;
    const isEmpty = start.line === end.line && end.character === 0;
    const length = lines[end.line]?.length ?? 0;
    const character = isEmpty ? length : Math.min(end.character, length);
    return { ...symbol, range: { start, end: { line: end.line, character } }, selectionRange };
  });
};

function nameIn(name: string, line: number, text: string): Range | undefined {
  const found = new RegExp(`(?<![\\w$@%])${RegExp.escape(name)}(?!\\w)`).exec(text);
  if (found === null) return undefined;
  return { start: { line, character: found.index }, end: { line, character: found.index + name.length } };
}

const perlQuirks: Quirks = {
  adjustSymbols,
  references: referencesOfAll,
  noDiagnosticsReason: 'does not compile files here, because that runs their `BEGIN` blocks',
};

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
  ignoredDirectories: ['blib', 'local', '.carton', 'vendor', '_build', 'cover_db'],
  quirks: perlQuirks,
  symbolsVersion: 3,
});
