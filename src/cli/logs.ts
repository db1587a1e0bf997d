import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { counted } from '../base/counted.ts';
import { pause } from '../base/deadline.ts';
import { isOutputClosed } from '../base/end-output.ts';
import { ExpectedError, isExpected } from '../base/errors.ts';
import { homeDirectory } from '../base/home.ts';
import { type LogFile, listLogFiles, removeLogs } from '../base/log-files.ts';
import { ownCaller } from './caller.ts';
import type { Environment } from './environment.ts';
import { printJson } from './output.ts';
import { exitCodes, usageError } from './report.ts';

/** Flags of `logs`. */
export interface LogFlags {
  readonly follow?: boolean;
  readonly clean?: boolean;
  readonly json?: boolean;
}

/**
 * Lists the log files, prints one of them, or removes them. Returns the exit code.
 *
 * @throws {ExpectedError} `usage.invalid` for flags that exclude each other; `file.not-found` for a file that is not listed.
 */
export async function logs(name: string | undefined, flags: LogFlags, environment: Environment): Promise<number> {
  const home = homeDirectory(environment.env);
  if (flags.clean === true && (name !== undefined || flags.follow === true || flags.json === true))
    throw usageError('`--clean` removes all log files', ['call it without a file and without other flags']);
  if (flags.clean === true) return await clean(home);
  const files = await listLogFiles(home);
  if (name === undefined && flags.follow !== true) {
    if (flags.json === true) printJson({ logs: files });
    else ownCaller.print(listOf(files));
    return exitCodes.ok;
  }
  const file = found(files, name ?? 'latest');
  if (flags.follow === true) return await follow(file, environment);
  await printFrom(file.path, 0);
  return exitCodes.ok;
}

async function clean(home: string): Promise<number> {
  const removed = await removeLogs(home, () => true);
  const kept = (await listLogFiles(home)).length;
  const rest = kept === 0 ? '' : `; kept ${counted(kept, 'file')} of running processes`;
  ownCaller.print(`Removed ${counted(removed.length, 'log file')}, ${sizeOf(removed)}${rest}\n`);
  return exitCodes.ok;
}

function listOf(files: readonly LogFile[]): string {
  if (files.length === 0) return 'There are no log files\n';
  const width = Math.max(...files.map(({ name }) => name.length));
  const rows = files.map((file) => {
    const use = file.isInUse ? '  in use' : '';
    return `${file.name.padEnd(width)}  ${sizeOf([file]).padStart(9)}${use}`;
  });
  return `${rows.join('\n')}\n${counted(files.length, 'file')}, ${sizeOf(files)}\n`;
}

function sizeOf(files: readonly LogFile[]): string {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return bytes < 100_000 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Only listed files can be printed, so that a name cannot select any other file. */
function found(files: readonly LogFile[], name: string): LogFile {
  const file = name === 'latest' ? files[0] : files.find((candidate) => candidate.name.endsWith(name));
  if (file !== undefined) return file;
  const problem = name === 'latest' ? 'there are no log files' : `there is no log file \`${name}\``;
  throw new ExpectedError('file.not-found', problem, { hints: ['run `serena logs` to list the log files'] });
}

/** Writes a file from an offset to stdout. Returns the offset of its end. */
async function printFrom(path: string, start: number): Promise<number> {
  const decoder = new StringDecoder('utf8');
  let end = start;
  for await (const chunk of createReadStream(path, { start })) {
    end += chunk.length;
    ownCaller.print(decoder.write(chunk));
  }
  ownCaller.print(decoder.end());
  return end;
}

const pollMs = 250;

async function follow(file: LogFile, { caller = ownCaller }: Environment): Promise<number> {
  const signal = caller.interruption();
  let offset = await printFrom(file.path, 0);
  try {
    while (!isOutputClosed()) {
      await pause(pollMs, signal);
      const { size } = await stat(file.path);
      if (size > offset) offset = await printFrom(file.path, offset);
    }
    return exitCodes.ok;
  } catch (error) {
    if (!isExpected(error, 'tool.cancelled')) throw error;
    return caller.interruptedExitCode() ?? exitCodes.ok;
  }
}
