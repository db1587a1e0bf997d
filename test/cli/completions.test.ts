import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../support/program.ts';
import { testUnless, whyNoProgram } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';

/** Command lines whose last word is completed, and what is offered: every candidate, or some of them. */
const lines: readonly (readonly [
  words: readonly string[],
  all: readonly string[] | undefined,
  some: readonly string[],
])[] = [
  [['comp'], ['completions'], []],
  [['tools', ''], ['list', 'description', 'call'], []],
  [['tools', 'd'], ['description'], []],
  [['completions', ''], ['bash', 'zsh', 'fish', 'powershell'], []],
  [['find', '--b'], ['--body'], []],
  [['--vers'], ['--version'], []],
  [['diagnostics', 'a.py', '--severity', 'w'], ['warning'], []],
  [['start-mcp-server', '--project', 'tools', '--transp'], ['--transport'], []],
  [[''], undefined, ['find', 'tools', 'start-mcp-server']],
];

interface Shell {
  readonly name: string;
  /** Returns the script that prints the candidates for a command line, one per line, perhaps with descriptions. */
  scriptFor(file: string, words: readonly string[]): string;
  readonly args: readonly string[];
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');

const shells: readonly Shell[] = [
  {
    name: 'bash',
    args: ['--norc', '-c'],
    scriptFor: (file, words) => `source ${file}
COMP_WORDS=(serena ${quoted(words)}) COMP_CWORD=${words.length}
_serena
printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  {
    name: 'zsh',
    args: ['-f', '-c'],
    // The functions that register completions and show candidates need a terminal.
    scriptFor: (file, words) => `compdef() { [[ "$*" == '_serena serena' ]] || print wrong }
source ${file}
_describe() { local -a shown=("\${(@P)@[-1]}"); print -rl -- "\${(@)shown}" }
_files() { print files }
words=(serena ${quoted(words)}) CURRENT=${words.length + 1}
_serena | sed 's/\\([^\\\\]\\):.*/\\1/'`,
  },
  {
    name: 'fish',
    args: ['--no-config', '-c'],
    scriptFor: (file, words) => `source ${file}; complete -C ${quoted([`serena ${words.join(' ')}`])}`,
  },
];

function candidates(shell: Shell, words: readonly string[], file: string): string[] {
  const script = shell.scriptFor(file, words);
  // An empty directory, so that no file is a candidate.
  const cwd = makeTempDir();
  const { stdout, stderr } = spawnSync(shell.name, [...shell.args, script], { encoding: 'utf8', cwd });
  expect(stderr).toBe('');
  const found = stdout.split('\n').map((line) => line.split('\t')[0] ?? '');
  const typed = words.at(-1) ?? '';
  // zsh filters the candidates itself.
  return found.filter((name) => name !== '' && name.startsWith(typed));
}

for (const shell of shells) {
  testUnless(whyNoProgram(shell.name))(`${shell.name} completes`, async () => {
    const { code, stdout } = await runProgram(['completions', shell.name]);
    expect(code).toBe(0);
    const file = join(makeTempDir(), '_serena');
    writeFileSync(file, stdout);
    for (const [words, all, some] of lines) {
      const found = candidates(shell, words, file);
      if (all !== undefined) expect({ words, found: found.toSorted() }).toEqual({ words, found: all.toSorted() });
      expect(found).toEqual(expect.arrayContaining([...some]));
    }
    // The value of an option that takes any text: files.
    expect(candidates(shell, ['find', '--project', ''], file)).toEqual(shell.name === 'zsh' ? ['files'] : []);
  });
}

describe('other shells', () => {
  test('powershell has every command and option', async () => {
    const { stdout } = await runProgram(['completions', 'powershell']);
    expect(stdout).toContain("'completions|Print the completions");
    expect(stdout).toContain("' diagnostics --severity' = @('error', 'warning', 'information', 'hint')");
  });

  test('an unknown one is wrong usage', async () => {
    const { code, stderr } = await runProgram(['completions', 'tcsh']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('bash, zsh, fish, powershell') });
  });
});

testUnless(whyNoProgram('pwsh'))('PowerShell completes', async () => {
  const { stdout } = await runProgram(['completions', 'powershell']);
  const file = join(makeTempDir(), 'serena.ps1');
  writeFileSync(file, stdout);
  const complete = (line: string) => {
    const script = `. ${file}; (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`;
    return spawnSync('pwsh', ['-NoProfile', '-Command', script], { encoding: 'utf8' }).stdout.trim().split(/\r?\n/);
  };
  expect(complete('serena tools d')).toEqual(['description']);
  expect(complete('serena tools ')).toEqual(['list', 'description', 'call']);
  expect(complete('serena diagnostics a.py --severity w')).toEqual(['warning']);
});
