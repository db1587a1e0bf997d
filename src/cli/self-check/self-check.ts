import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import serverLock from '../../../resources/server-lock.json' with { type: 'json' };
import heapStatistics from '../../../resources/shims/heap-statistics.cjs.txt' with { type: 'text' };
import ownCode from '../../../resources/shims/own-code.cjs.txt' with { type: 'text' };
import ownPlugins from '../../../resources/shims/own-plugins.cjs.txt' with { type: 'text' };
import { counted } from '../../base/counted.ts';
import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { parsedResources } from '../../generated/parsed-resources.ts';
import { resources } from '../../generated/resources.ts';
import { tryServer } from '../../mcp/try-server.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printJson } from '../output.ts';
import { exitCodes } from '../report.ts';

/**
 * Checks that this program is intact and works: its file, its embedded data, and one start as a server. Needs no network
 * and changes nothing outside a temporary directory. Returns the exit code: failed if something is wrong.
 */
export async function checkSelf(flags: { readonly json?: boolean }, environment: Environment): Promise<number> {
  const findings = [
    checkBuild(environment),
    ...checkProgramFile(environment),
    ...checkResources(environment, embeddedTexts()),
    await checkServer(environment),
  ];
  const failures = findings.filter(({ status }) => status === 'FAILED').length;
  if (flags.json) {
    const { version, build } = environment;
    const facts = { version, commit: build?.commit ?? null, date: build?.date ?? null };
    printJson({ ...facts, findings, failures });
  } else {
    ownCaller.print(findings.map(render).join(''));
  }
  return failures > 0 ? exitCodes.failed : exitCodes.ok;
}

/** Reports version, commit, date and platform of this program's build. */
function checkBuild({ version, build }: Environment): SelfCheckFinding {
  if (build === undefined) return { check: 'build', status: 'ok', what: `Serena ${version}, run from its sources` };
  const parts = [
    `Serena ${version}`,
    build.commit === '' ? 'unknown commit' : `commit ${build.commit}`,
    build.date === '' ? 'unknown date' : `of ${build.date}`,
    `for ${build.target}`,
  ];
  return { check: 'build', status: 'ok', what: parts.join(', ') };
}

function render({ check, status, what, fix }: SelfCheckFinding): string {
  const line = `${status.padEnd(6)}  ${check.padEnd(9)}  ${what.replaceAll('\n', '\n                   ')}\n`;
  return fix === undefined ? line : `${line}                   ${fix}\n`;
}

interface SelfCheckFinding {
  readonly check: 'build' | 'program' | 'resources' | 'server';
  readonly status: 'ok' | 'FAILED';
  readonly what: string;
  /** The next step, in the imperative; absent if all is well. */
  readonly fix?: string;
}

/** Fix for a damaged program. */
const replaceFix = 'Reinstall the program, and do not strip, compress or patch it';

/** Checks that the program's file is unchanged since its build or its signing. */
function checkProgramFile({ command, build }: Environment, platform = process.platform): SelfCheckFinding[] {
  if (build === undefined) return [];
  const [path] = command;
  try {
    return [platform === 'darwin' ? checkSignature(path) : checkFile(path, readFileSync(path))];
  } catch (error) {
    const what = `cannot read ${path}: ${messageOf(error)}`;
    return [{ check: 'program', status: 'FAILED', what, fix: `make it readable: chmod +r ${path}` }];
  }
}

function checkFile(path: string, program: Uint8Array): SelfCheckFinding {
  const seal = checkSeal(program);
  if (seal === 'intact') {
    const hash = createHash('sha256').update(program).digest('hex');
    return { check: 'program', status: 'ok', what: `${path} is unchanged since its build: sha256 ${hash}` };
  }
  const what =
    seal === 'changed' ? 'has changed since it was built' : 'is truncated, or was rewritten by another program';
  return { check: 'program', status: 'FAILED', what: `${path} ${what}`, fix: replaceFix };
}

function checkSignature(path: string): SelfCheckFinding {
  const done = spawnSync('/usr/bin/codesign', ['--verify', '--strict', path], { encoding: 'utf8' });
  if (done.status === 0) return { check: 'program', status: 'ok', what: `${path} is unchanged since it was signed` };
  const what = `The signature of ${path} is not valid: ${(done.error?.message ?? done.stderr).trim()}`;
  return { check: 'program', status: 'FAILED', what, fix: replaceFix };
}

/** Compares the embedded resources with the digests recorded by the build. */
export function checkResources({ build }: Environment, embedded: Texts): SelfCheckFinding[] {
  if (build === undefined) return [];
  const found = parse(digestOf(embedded));
  const built = parse(build.resources);
  const names = [...new Set([...found.keys(), ...built.keys()])];
  const different = names.filter((name) => found.get(name) !== built.get(name)).sort();
  if (different.length === 0) {
    return [
      { check: 'resources', status: 'ok', what: `${names.length} embedded resources are unchanged since the build` },
    ];
  }
  const what = `Embedded resources have changed since the build: ${different.join(', ')}`;
  return [{ check: 'resources', status: 'FAILED', what, fix: replaceFix }];
}

function parse(digest: string): Map<string, string> {
  const entries = digest.split(',').map((entry): [string, string] => {
    const at = entry.lastIndexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
  return new Map(entries);
}

// A cold start takes 0.1 s; on a machine that scans every new program it may take seconds.
const timeoutMs = 30_000;
const word = 'self-check';

/** Starts this program as a client does, with an empty project and home directory, and calls two tools. */
export async function checkServer({ command, env }: Environment): Promise<SelfCheckFinding> {
  const directory = makeDirectory();
  if (typeof directory !== 'string') return directory;
  try {
    const project = join(directory, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'here.txt'), `${word}\n`);
    const [program, ...args] = command;
    const known = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    const start = {
      command: [program, ...args, 'start-mcp-server', '--project', project] as const,
      env: { ...Object.fromEntries(known), SERENA_HOME: join(directory, 'home') },
      cwd: directory,
    };
    const questions = [
      { tool: 'read_file', args: { relative_path: 'here.txt' }, expected: word },
      // Runs in a worker thread, whose code is embedded separately.
      { tool: 'search_for_pattern', args: { substring_pattern: word }, expected: 'here.txt' },
    ];
    const toolCount = await tryServer({ ...start, command: [...start.command] }, questions, timeoutMs);
    const what = `As an MCP server it lists ${counted(toolCount, 'tool')}, reads a file and searches`;
    return { check: 'server', status: 'ok', what };
  } catch (error) {
    const what = `As an MCP server it does not respond correctly: ${messageOf(error)}`;
    const fix = 'Run `serena start-mcp-server` manually and read its stderr output';
    return { check: 'server', status: 'FAILED', what, fix };
  } finally {
    removeDirectory(directory);
  }
}

/** Returns the absolute path of a new temporary directory, or the finding that there can be none. */
function makeDirectory(platform = process.platform): string | SelfCheckFinding {
  try {
    return mkdtempSync(join(tmpdir(), 'serena-self-check-'));
  } catch (error) {
    const what = `The server was not tried: the temporary directory ${tmpdir()} is not usable: ${messageOf(error)}`;
    const variable = platform === 'win32' ? 'TEMP' : 'TMPDIR';
    return {
      check: 'server',
      status: 'FAILED',
      what,
      fix: `Set \`${variable}\` to a directory that exists and is writable`,
    };
  }
}

/** A directory that cannot be removed says nothing about the program. */
function removeDirectory(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    log('self-check').warn(`cannot remove \`${path}\`: ${messageOf(error)}`);
  }
}

/** Embedded texts by name. */
export type Texts = Readonly<Record<string, string>>;

/** Returns all data embedded in the program, as text. */
export function embeddedTexts(): Texts {
  const parsed = Object.entries(parsedResources).map(([path, content]) => [`parsed ${path}`, content]);
  return {
    ...resources,
    ...Object.fromEntries(parsed),
    'server-lock.json': JSON.stringify(serverLock),
    'shims/heap-statistics.cjs.txt': heapStatistics,
    'shims/own-code.cjs.txt': ownCode,
    'shims/own-plugins.cjs.txt': ownPlugins,
  };
}

/** Returns the SHA-256 of each text, as comma-separated `name=hex` pairs, sorted by name. */
export function digestOf(texts: Texts): string {
  const lines = Object.entries(texts).map(
    ([name, text]) => `${name}=${createHash('sha256').update(text).digest('hex')}`,
  );
  return lines.sort().join(',');
}

/** Beginning of the line that a build appends to the program. */
const sealPrefix = '\nserena-seal sha256:';
const sealBytes = sealPrefix.length + 64 + 1;

/**
 * Returns the seal that a build appends to `program`, so that the program can check later that it is intact. Operating
 * systems ignore bytes after the program's own. On macOS the signature has this role instead.
 */
export function sealOf(program: Uint8Array): string {
  return `${sealPrefix}${createHash('sha256').update(program).digest('hex')}\n`;
}

/** Compares a program with its seal; `absent` if it has none, or was truncated. */
export function checkSeal(program: Uint8Array): 'intact' | 'changed' | 'absent' {
  const end = Math.max(0, program.length - sealBytes);
  const found = Buffer.from(program.subarray(end)).toString('latin1');
  if (!found.startsWith(sealPrefix)) return 'absent';
  return found === sealOf(program.subarray(0, end)) ? 'intact' : 'changed';
}
