import { join } from 'node:path';
import { root } from '../../../scripts/support/paths.ts';
import { languages } from '../languages.ts';
import { byCause } from '../publishing/by-cause.ts';
import { causesIn } from '../publishing/causes-in.ts';
import type { Entry } from '../publishing/entry.ts';
import { tableLine } from '../table-line.ts';
import { editContenders } from './edit-contenders.ts';
import { renderEditComparison } from './render-edit-comparison.ts';
import { renderEdits } from './render-edits.ts';

const maxDetail = 110;
const ellipsis = ' …';

/** Returns the section of the page about renames and deletions. */
export function renderEditsPage(entries: readonly Entry[]): string[] {
  if (entries.length === 0) return [];
  return [
    '## Renames and deletions\n',
    'Each symbol is renamed to a fresh name and back, and deleted safely, in a copy of the package. Contenders that were asked',
    'about fewer symbols were asked about the first of the same sample; each row of this table is about the changes that its',
    'contender and this program were both asked for. Changes are right if they pass or are right to delete or to refuse, and',
    'harmful if they are corrupt, damage the package or delete used code; the others are refused although they are possible,',
    'or labelled:\n',
    `${renderEditComparison(entries)}\n`,
    '- **pass**: the package compiles, its files differ in this name alone, its names lead where they led, its exercise',
    '  prints what it printed, and renaming back restores the bytes; **corrupt**: one of these does not hold; **refused**:',
    '  nothing changed, and the answer says why.',
    '- **labelled**: the edit alone is not right, but the answer gives the file and line of everything that may be missing, and',
    '  all but renaming back holds once the new name is in these lines, too: in those that may mean the symbol, or also in',
    '  those where the name is text. Somebody has to do that; neither right nor harmful. Only this program names such lines.',
    '- **deleted unused** and **refused used** are right; **refused unused** is too careful; **deleted used** destroys code;',
    '  **damaged**: more than the symbol was deleted, or the package no longer compiles.\n',
    'What an edit does to the behavior of a package is judged in two ways, both only where it compiles:\n',
    '- Names: before and after, a compiler resolves every name to its declarations, and every member to those that it',
    '  overrides or implements, in the package and in libraries. With positions and the new name mapped back, both must be',
    '  the same. A member that overrides another is used, also if nothing names it: calls of the other may lead to it.',
    '- The exercise: tests of the package, or a small program that uses it, print the same before and after.\n',
    'Members that override others, are overridden, or both, are samples of their own: **family rename** and **family',
    'delete**. In Python these have also methods that stand alone, and in Rust the items of `impl` blocks of traits, because',
    'the other samples have neither.\n',
    '**signature**: the parameters of a function change, by turns in one of these ways: one is added with a default or with an',
    'argument for each call, removed, renamed, moved or made passable by name only. It passes if the package compiles and its',
    'exercise prints what it printed, and is labelled if the answer is incomplete and names the lines that are left.\n',
    '**unused**: everything that `find_unused` calls unused, or used by tests only, and a sample of all declarations. The',
    'manifests of the copy are changed so that it is no library, whose declarations others may use. **found unused**: the',
    'compiler needs it not, alone and together with all others (without the tests, if only they use it); **left out used** is',
    'right, too; **undecided**: the answer names a reason; **missed unused**: not in the answer; **called unused**: wrong;',
    '**not judged**: the compiler cannot say, for example about another operating system.\n',
    ...exercisesIn(entries),
    '',
    'The contenders:\n',
    ...editContenders.map(({ name, note }) => `- **${name}**: ${note}`),
    '',
    ...languages.map(({ edits: { description } }) => `- ${description}`),
    '',
    renderEdits(entries),
    '## Renames and deletions of this product that were not right\n',
    'One row for each cause in a package, with the detail of the first symbol; `docs/symbench.json` has those of all.\n',
    renderEditFailures(entries),
  ];
}

/** Returns how the packages are exercised, one line each. */
function exercisesIn(entries: readonly Entry[]): string[] {
  const known = new Set(entries.flatMap(({ packages }) => Object.keys(packages)));
  const packages = languages.flatMap((language) => language.packages).filter(({ name }) => known.has(name));
  const lines = packages.flatMap(({ name, exercise }) =>
    exercise === undefined ? [] : [`- ${name}: ${exercise.description}.`],
  );
  const without = packages.filter(({ exercise }) => exercise === undefined).map(({ name }) => name);
  return without.length === 0 ? lines : [...lines, `- Without exercise: ${without.join(', ')}.`];
}

/** Returns the changes of this product that were not what they should be. */
function renderEditFailures(entries: readonly Entry[]): string {
  const causeOf = causesIn(join(root, 'bench/symbols/edits/causes.json'));
  const head = ['package', 'task', 'symbol', 'verdict', 'noted', 'detail', 'cause'];
  return [
    tableLine(head),
    tableLine(head.map(() => '---')),
    ...byCause(entries, causeOf).map(({ task, cause, failures }) => {
      const [{ package: name, verdict, isNoted, detail = '' }] = failures;
      const symbols = failures.map(({ question }) => `\`${question}\``).join(', ');
      return tableLine([name, task, symbols, verdict, isNoted ? 'yes' : '', brief(detail), cause]);
    }),
    '',
  ].join('\n');
}

/** Returns the beginning of a detail, without the name of the tool that failed. */
function brief(detail: string): string {
  const text = detail.replace(/Error executing tool \w+: (?:\w+: )?/, '');
  return text.length > maxDetail + ellipsis.length ? `${text.slice(0, maxDetail)}${ellipsis}` : text;
}
