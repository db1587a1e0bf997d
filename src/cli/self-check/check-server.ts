import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted } from '../../base/counted.ts';
import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { tryServer } from '../../mcp/try-server.ts';
import type { Environment } from '../environment.ts';
import type { SelfCheckFinding } from './finding.ts';

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
