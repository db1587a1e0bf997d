import { join } from 'node:path';
import { readTextIfExists } from '../../base/files.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { ownCaller } from '../caller.ts';
import { exitCodeMeanings } from '../code/exit-codes.ts';
import { codeCommands } from '../code/table.ts';
import type { Environment } from '../environment.ts';
import { printLines } from '../output.ts';
import { usageError } from '../report.ts';
import { commandLine, stableCommand } from '../stable-command.ts';
import { type Client, clients, skillsDirectory, subagentFile } from './clients.ts';
import { hasEntry } from './entry.ts';
import { isOwn, removeSealed, sealed, writeSealed } from './sealed-file.ts';

/**
 * Writes a skill that explains the commands for agents, or with `isPrint` prints it. A file that this program did not write,
 * or that was edited since, is not replaced.
 *
 * @throws {ExpectedError} `usage.invalid` for a client without a known directory for skills; `file.exists`.
 */
export async function setUpSkill(
  client: Client,
  environment: Environment,
  { isPrint }: { isPrint: boolean },
): Promise<void> {
  const path = skillPath(client, environment);
  if (path === undefined) {
    throw usageError(`\`--skill\` does not support \`${client.id}\``, [
      `use one of: ${clients.flatMap(({ id, skills }) => (skills ? [id] : [])).join(', ')}`,
      'or save the output of `serena setup claude-code --skill --print` where the client reads skills',
    ]);
  }
  const text = sealed(skillText());
  if (isPrint) {
    ownCaller.print(text);
    return;
  }
  const lines = [`${writeSealed(path, text) ? 'Wrote' : 'Unchanged'}: \`${path}\``];
  if (findProgram('serena', environment.env) === undefined) {
    const command = commandLine(stableCommand(environment));
    lines.push(`The skill runs \`serena\`, which is not on \`PATH\`; add a command of this name that runs: ${command}`);
  }
  if (!(await hasEntry(client, environment))) {
    lines.push(`The skill needs no server; to offer the tools as well, run \`serena setup ${client.id}\``);
  }
  printLines(lines);
}

/** Returns the absolute paths of the skills and sub-agents that this program wrote and nobody edited since. */
export function ownSkills(environment: Environment): string[] {
  const paths = clients.flatMap((client) => [
    ...[skillPath(client, environment), subagentFile(client, environment)].filter((path) => path !== undefined),
  ]);
  return [...new Set(paths)].filter((path) => isOwn(readTextIfExists(path) ?? ''));
}

/** Removes the skill that {@link setUpSkill} wrote, unless it was edited since. Returns true if there was a skill. */
export function removeSkill(client: Client, environment: Environment): boolean {
  return removeSealed(skillPath(client, environment), 'the skill');
}

function skillPath(client: Client, environment: Environment): string | undefined {
  const directory = skillsDirectory(client, environment);
  return directory && join(directory, 'serena', 'SKILL.md');
}

/** Returns the text of the skill: which command to use when. An agent reads details in the help when it needs them. */
export function skillText(): string {
  const commands = codeCommands.map(({ name, usage, operands, description }) => {
    const line = ['serena', name, usage ?? operands.map((operand) => operand.name).join(' ')].join(' ');
    return `- \`${line}\`: ${description}`;
  });
  const codes = exitCodeMeanings.map(([code, meaning]) => `- ${code}: ${meaning}`);
  return `---
name: serena
description: Finds, reads, renames and replaces symbols (classes, functions, methods) and their references with the serena command line. Use when exploring or changing code in a repository instead of grep and whole-file reads.
---

# Symbols on the command line

If you have tools of the server Serena, such as \`find_symbol\`, call these: they answer the same questions. The commands are for pipes
and scripts, and for agents without the tools, as sub-agents often are.

Work from the outside in: \`serena overview\` for an unknown file, \`serena explore <symbol>\` for a symbol with its source and users,
\`serena refs\` before you change or remove it, \`serena path <from> <to>\` for how one function reaches another. Use \`serena search\` for text that is not a symbol. \`serena undo\` takes an edit back.

${commands.join('\n')}

\`serena rename\`, \`move\`, \`delete\` and \`signature\` need no search before and no check after: the answer says what changed and
what it causes. If it lists open places, run its last command with the ids of those that mean the symbol.

A symbol is a name path such as \`Basket/total\`, or \`<file>#<name path>\` if several symbols have that name. \`--help\` lists the
options of a command, and \`serena tools list --all\` the tools without a short command. \`--json\` prints JSON.

Exit codes:

${codes.join('\n')}

If the code is 3, the answer says what is open, and stderr what it does not cover.
`;
}
