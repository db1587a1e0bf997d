import { appendFileSync, chmodSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configureSync, getLogger, type LogLevel, type LogRecord, type Sink } from '@logtape/logtape';
import { messageOf } from './errors.ts';
import { homePaths, readOnlyWarning } from './home.ts';
import { removeOldLogs } from './log-files.ts';
import { recentLog } from './recent-log.ts';
import { visibleText } from './visible-text.ts';

/** By then the first call has usually been answered: thousands of files may have to be looked at. */
const removeOldLogsAfterMs = 5_000;

/** The names that `--log-level` accepts, with the logging library's name for each. */
export const logLevels = {
  DEBUG: 'debug',
  INFO: 'info',
  WARNING: 'warning',
  ERROR: 'error',
  CRITICAL: 'fatal',
} as const satisfies Record<string, LogLevel>;

export type LogLevelName = keyof typeof logLevels;

/** True if `name` is the name of a log level. */
export function isLogLevel(name: string | undefined): name is LogLevelName {
  return name !== undefined && name in logLevels;
}

/** Returns the level for one of Python's numbers (10, 20, 30 …) in configuration files; INFO if it is absent. */
export function logLevelFromNumber(level: number | undefined): LogLevelName {
  if (level === undefined) return 'INFO';
  if (level < 20) return 'DEBUG';
  if (level < 30) return 'INFO';
  if (level < 40) return 'WARNING';
  return level < 50 ? 'ERROR' : 'CRITICAL';
}

/** Writes log records of one part of the program. */
export type PartLog = Readonly<Record<'debug' | 'info' | 'warn' | 'error', (message: string) => void>>;

/** Returns the log of one part of the program, such as `log('lsp')`. Silent until `startLog` has run. */
export function log(part: string): PartLog {
  const logger = getLogger(['serena', part]);
  // The library would expand braces in a message as placeholders, and messages quote servers and users.
  const literal = (message: string) => ['{message}', { message }] as const;
  return {
    debug: (message) => logger.debug(...literal(message)),
    info: (message) => logger.info(...literal(message)),
    warn: (message) => logger.warn(...literal(message)),
    error: (message) => logger.error(...literal(message)),
  };
}

/**
 * Sends log records to stderr and to a new file below `<home>/logs`, and returns the file's absolute path, or
 * `undefined` if the file cannot be created (the reason goes to stderr: a full disk must not stop this program). Old log
 * files are removed a few seconds later.
 *
 * File names and records have the layout of the reference: see docs/compatibility.md, Files on disk.
 */
export function startLog(options: {
  home: string;
  prefix: string;
  level: LogLevelName;
  now: Date;
}): string | undefined {
  const { path, sink, problem } = openLogFile(options.home, options.prefix, options.now);
  const stderr: Sink = (record) => void process.stderr.write(format(record));
  configureSync({
    reset: true,
    sinks: { stderr, file: sink ? quiet(sink) : () => undefined, recent: remember },
    loggers: [
      { category: ['serena'], lowestLevel: logLevels[options.level], sinks: ['stderr', 'file', 'recent'] },
      { category: ['logtape', 'meta'], lowestLevel: 'error', sinks: ['stderr'] },
    ],
  });
  setTimeout(() => void removeOldLogs(options.home, options.now.getTime()), removeOldLogsAfterMs).unref();
  if (problem !== undefined) {
    log('log').warn(readOnlyWarning(options.home) ?? `cannot write a log file below \`${options.home}\`: ${problem}`);
  }
  return path;
}

function openLogFile(home: string, prefix: string, now: Date): { path?: string; sink?: Sink; problem?: string } {
  const stamp = now.toISOString();
  const directory = join(homePaths(home).logs, stamp.slice(0, 10));
  const time = stamp.slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  const path = join(directory, `${prefix}_${time}_${process.pid}.txt`);
  try {
    for (const each of [dirname(directory), directory]) makeUnreadable(each);
    return { path, sink: fileSink(path) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Creates a directory unless it exists, and keeps others out: logs quote the code of the user. A link is kept. */
function makeUnreadable(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stats = lstatSync(directory);
  if (stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o077) !== 0)
    chmodSync(directory, 0o700);
}

/**
 * Appends each record at once, but does not wait until it is on the disk, which takes milliseconds: only a crash of the
 * whole system loses records.
 *
 * @throws system errors.
 */
function fileSink(path: string): Sink {
  const fd = openSync(path, 'a', 0o600);
  return (record) => appendFileSync(fd, format(record));
}

/** A log file that cannot be written (full disk) must never fail the call that logs. */
function quiet(sink: Sink): Sink {
  return (record) => {
    try {
      sink(record);
    } catch {
      // The record is also on stderr.
    }
  };
}

/** Keeps a record for the dashboard. */
function remember(record: LogRecord): void {
  const { level, category, timestamp } = record;
  recentLog.add({ level, part: category.slice(1).join('.'), timeMs: timestamp, message: textOf(record) });
}

function format(record: LogRecord): string {
  const level = record.level.toUpperCase().padEnd(5);
  const time = new Date(record.timestamp).toISOString().replace('T', ' ').replace('.', ',').slice(0, 23);
  return `${level} ${time} [${process.pid}] ${record.category.join('.')} - ${visibleText(textOf(record))}\n`;
}

function textOf({ message }: LogRecord): string {
  return message.map((part) => (typeof part === 'string' ? part : String(part))).join('');
}
