import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { declaredCommands } from '../../scripts/support/command-tree.ts';
import { codeCommands } from '../../src/cli/code/table.ts';
import { pinned } from '../support/pins.ts';
import { runProgram } from '../support/program.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';

const page = fileURLToPath(new URL('../../docs/serena.1', import.meta.url));

const tree = declaredCommands();

/** Returns the command path of every command, in the order of the help. */
function pathsOf(command: Command, path: readonly string[] = []): (readonly string[])[] {
  const shown = command.createHelp().visibleCommands(command);
  const children = command.commands.filter((child) => shown.includes(child));
  return [path, ...children.flatMap((child) => pathsOf(child, [...path, child.name()]))];
}

const commands = pathsOf(tree);
const groups = commands.filter((path) =>
  commands.some((other) => other.length > path.length && path.every((word, index) => word === other[index])),
);

/** A term, such as an option, and its description, which may be empty. */
type Entry = string;

const entryOf = (term: string, description: string): Entry => `${term}  ${description}`.trimEnd();

/** Sections of the man page: entries by the first line, which is the usage of a command or the title. */
function manSections(): Map<string, Entry[]> {
  const text = readFileSync(page, 'utf8').replace(/^\.PP\n/gm, '.SH ');
  const plain = (line: string) => line.replace(/^\\&/, '').replaceAll('\\-', '-').replaceAll('\\e', '\\');
  const sections = text.split(/^\.S[SH]\s/m).map((section) => {
    const [title = '', description = '', ...tagged] = section.trimEnd().split(/\n(?:\.TP\n)?/);
    const entries: Entry[] = [];
    for (const line of description.startsWith('\\fB') ? [description, ...tagged] : tagged) {
      const [, term] = /^\\fB(.*)\\fR$/.exec(line) ?? [];
      if (term === undefined) entries.push(entryOf(entries.pop() ?? '', plain(line)));
      else entries.push(plain(term));
    }
    return [plain(title), description.startsWith('\\fB') ? entries : [plain(description), ...entries]] as const;
  });
  return new Map(sections);
}

/** Returns the entries of an indented list, whose lines are wrapped. */
function entriesOf(lines: readonly string[]): Entry[] {
  const joined = lines.join('\n').replace(/\n {3,}/g, ' ');
  return joined.split('\n').map((line) => {
    const [, term = '', description = ''] = /^ {2}(.*?)(?: {2,}(.*))?$/.exec(line) ?? [];
    return entryOf(term, description);
  });
}

/** Returns the lines of a command's help that the man page does not have, and checks that the help has all of the page's. */
function notInManPage(command: readonly string[], help: string, sections: Map<string, Entry[]>): string[] {
  const [usage = '', description = '', ...blocks] = help.trimEnd().split('\n\n');
  const name = usage.replace(/\n +/g, ' ').replace('Usage: serena ', '');
  const own = sections.get(name);
  if (own === undefined) {
    // A group: the page has the usage and the description of each of its commands.
    const lists = blocks.flatMap((block) => {
      const [title = '', ...lines] = block.split('\n');
      const others = entriesOf(lines).filter((entry) => {
        const [term = '', text = ''] = entry.split('  ');
        return sections.get([...command, term].join(' '))?.[0] !== `${text}.`;
      });
      return [title, ...others.map((entry) => `  ${entry}`)];
    });
    return [usage, description, ...lists];
  }
  const lists = blocks.filter((block) => /^(Arguments|Options):\n/.test(block));
  const entries = lists.flatMap((block) => entriesOf(block.split('\n').slice(1)));
  expect({ name, entries: [`${description.replaceAll('\n', ' ')}.`, ...entries] }).toEqual({ name, entries: own });
  const codes = blocks.filter((block) => block.startsWith('Exit codes:\n'));
  const status = sections.get('EXIT STATUS')?.slice(1);
  for (const block of codes) {
    expect(entriesOf(block.split('\n').slice(1)).map((entry) => `${entry}.`)).toEqual(status ?? []);
  }
  return blocks
    .filter((block) => !lists.includes(block) && !codes.includes(block))
    .flatMap((block) => block.split('\n'));
}

describe('help', () => {
  test('has of every command what the man page has, and the pinned text', async () => {
    const sections = manSections();
    const texts: string[] = [];
    for (const command of commands) {
      const { code, stdout, stderr } = await runProgram([...command, '--help']);
      // Every command has a usage example.
      if (!groups.includes(command)) expect(stdout).toContain('\nExample');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      // The layout is pinned of two commands: the program, and one with everything that a help may have.
      const isWhole = ['', 'search'].includes(command.join(' '));
      const others = notInManPage(command, stdout, sections);
      const text = isWhole ? stdout : others.map((line) => `${line}\n`).join('');
      texts.push(`$ ${['serena', ...command, '--help'].join(' ')}\n${text}`);
    }
    const found = texts.join('\n');
    expect(found).toBe(pinned('cli-help.txt', found));
  });

  test.each(['-h', 'help'])('also comes for %s', async (word) => {
    expect(await runProgram([word])).toEqual(await runProgram(['--help']));
  });

  test('is printed to stderr with exit code 2 if the command is missing', async () => {
    expect(groups.length).toBeGreaterThan(5);
    for (const command of groups) {
      const { code, stdout, stderr } = await runProgram(command);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toStartWith('Usage: serena ');
    }
  });
});

describe('man page', () => {
  testUnless(whyNoProgram('mandoc'))('mandoc finds nothing wrong with it', () => {
    const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', page], { encoding: 'utf8' });
    // A date would change the page without a reason.
    expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([]);
  });

  testUnless(whyNoProgram('groff'))('groff renders every command of it', () => {
    const { stdout, stderr } = spawnSync('groff', ['-man', '-T', 'ascii', '-P', '-c', '-ww', page], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    // Bold letters are printed twice.
    const text = stdout.replaceAll(new RegExp(`.${String.fromCharCode(8)}`, 'g'), '');
    for (const { name } of codeCommands) expect(text).toMatch(new RegExp(`^ {3}${name} \\[options\\]`, 'm'));
  });
});
