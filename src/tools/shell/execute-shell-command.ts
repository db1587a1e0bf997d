import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import type { Gap } from '../../base/gap.ts';
import { runShell, type ShellOutcome } from '../../base/process/run-shell.ts';
import { withoutMiddle } from '../../text/characters.ts';
import { maxAnswerChars } from '../parameters.ts';
import { defineTool } from '../tool.ts';

/** What is left of each stream in shorter answers, in characters. */
const keptChars = [64_000, 16_000, 4_000, 1_000, 250];

export const executeShellCommand = defineTool({
  name: 'execute_shell_command',
  description: `Runs a command in the system's shell and waits for it to end, for builds, tests, version control and the
like. Nothing can be typed into it. Processes that it puts in the background go on until this server ends.
Returns a JSON object with stdout, return_code (not 0 is no error of the call), cwd and stderr.`,
  toolset: 'shell',
  effect: 'edits',
  reachesOutside: true,
  needs: 'project',
  input: z.object({
    command: z
      .string()
      .describe('Command line for /bin/sh, or for cmd on Windows. Write to stderr with >&2: there is no /dev/stderr.'),
    cwd: z
      .string()
      .nullable()
      .default(null)
      .describe('Directory to run it in: absolute, or relative to the project root; null means the project root.'),
    capture_stderr: z
      .boolean()
      .default(true)
      .describe("Whether to return what it writes to stderr; otherwise that goes to this server's log."),
    max_answer_chars: maxAnswerChars,
  }),
  async run({ project, env, call }, input) {
    const cwd = workingDirectory(project.root, input.cwd ?? '');
    const outcome = await runShell(input.command, {
      ...{ cwd, env, capturesStderr: input.capture_stderr },
      signal: call.signal,
    });
    const rendered = (render: (text: string) => string) =>
      JSON.stringify({
        stdout: render(outcome.stdout.text),
        return_code: outcome.returnCode,
        cwd,
        stderr: outcome.stderr === undefined ? null : render(outcome.stderr.text),
      });
    const label = 'The output without its middle';
    return {
      value: rendered((text) => text),
      shorter: [
        ...keptChars.map((chars) => () => `${label}:\n${rendered((text) => withoutMiddle(text, chars))}`),
        () => `The result without its output:\n${JSON.stringify({ return_code: outcome.returnCode, cwd })}`,
      ],
      gaps: omissions(outcome),
      notes: outcome.hasLeftProcesses
        ? ['The command left processes running. They end with this server; what they write from now on is not shown']
        : [],
    };
  },
});

/** Only a relative path is checked: an absolute one may be anywhere (`spec/tools.md` §14). */
function workingDirectory(root: string, cwd: string): string {
  if (isAbsolute(cwd)) return cwd;
  const directory = resolve(root, cwd);
  if (isDirectory(directory)) return directory;
  throw new ExpectedError('file.not-found', `There is no directory \`${cwd}\` in the project`, {
    hints: [
      'Pass a directory relative to the project root, or an absolute path',
      'Leave `cwd` out for the project root',
    ],
  });
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Also a path that no file can have.
    return false;
  }
}

function omissions({ stdout, stderr }: ShellOutcome): Gap[] {
  return Object.entries({ stdout, stderr }).flatMap(([name, output]) => {
    if (output === undefined || output.omittedBytes === 0) return [];
    return [
      {
        missing: `${output.omittedBytes} bytes from the middle of ${name}`,
        reason: 'the command wrote more than is kept',
        next: 'Send the output to a file, and read what matters of that',
      },
    ];
  });
}
