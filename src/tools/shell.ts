import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { ExpectedError } from '../base/errors.ts';
import type { Gap } from '../base/gap.ts';
import { runShell, type ShellOutcome } from '../base/process/run-shell.ts';
import { withoutMiddle } from '../text/characters.ts';
import { maxAnswerChars, optionalText } from './parameters.ts';
import { defineTool } from './tool.ts';

/** Characters of each stream that shorter answers retain. */
const retainedChars = [64_000, 16_000, 4_000, 1_000, 250];

export const executeShellCommand = defineTool({
  name: 'execute_shell_command',
  description: `Runs a shell command and waits for it to end: builds, tests, version control and the like. It gets no
input. Background processes continue until this server ends. Returns a JSON object with stdout, return_code (nonzero
is not a tool error), cwd and stderr.`,
  toolset: 'shell',
  effect: 'edits',
  reachesOutside: true,
  needs: 'project',
  input: () => ({
    command: z
      .string()
      .describe(
        'Command line for /bin/sh, or for cmd on Windows. Write to stderr with >&2: /dev/stderr does not exist.',
      ),
    cwd: optionalText('Working directory, absolute or relative to the project root; null = project root.'),
    capture_stderr: z.boolean().default(true).describe("Return stderr; if false, it goes to this server's log."),
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
    const label = 'Output without its middle';
    return {
      value: rendered((text) => text),
      shorter: [
        ...retainedChars.map((chars) => () => `${label}:\n${rendered((text) => withoutMiddle(text, chars))}`),
        () => `Result without output:\n${JSON.stringify({ return_code: outcome.returnCode, cwd })}`,
      ],
      gaps: omissions(outcome),
      notes: outcome.hasLeftProcesses
        ? ['The command left processes running. They end with this server; their further output is not shown']
        : [],
    };
  },
});

/** Checks relative paths only: an absolute path may be anywhere. */
function workingDirectory(root: string, cwd: string): string {
  if (isAbsolute(cwd)) return cwd;
  const directory = resolve(root, cwd);
  if (isDirectory(directory)) return directory;
  throw new ExpectedError('file.not-found', `there is no directory \`${cwd}\` in the project`, {
    hints: ['pass a directory relative to the project root, or an absolute path', 'omit `cwd` to use the project root'],
  });
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Includes paths that are invalid on this platform.
    return false;
  }
}

function omissions({ stdout, stderr }: ShellOutcome): Gap[] {
  return Object.entries({ stdout, stderr }).flatMap(([name, output]) => {
    if (output === undefined || output.omittedBytes === 0) return [];
    return [
      {
        missing: `${output.omittedBytes} bytes from the middle of ${name}`,
        reason: 'the command wrote more than the limit',
        next: 'Redirect the output to a file, and read the relevant parts',
      },
    ];
  });
}
