import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveBenchServer } from '../../speed/raw.ts';
import type { BenchPackage } from '../model.ts';
import { symbenchCache } from '../packages.ts';
import { installServer } from './install-server.ts';

/** The product's language server as one program, for contenders that let their users choose. */
export interface ServerProgram {
  /** Absolute path of a program with the usual name. */
  readonly path: string;
  /** Directory of that program, to be put in front of `PATH`. */
  readonly directory: string;
  /** Arguments that make the server speak LSP over stdio. */
  readonly args: readonly string[];
  readonly initializationOptions: unknown;
}

/** Writes a script that starts the same server, runtime and version as the product, and returns where it is. */
export async function serverProgram(pack: BenchPackage, directory: string): Promise<ServerProgram> {
  await installServer(pack.serverId);
  const server = await resolveBenchServer(pack.serverId, directory);
  const isStdio = (arg: string) => arg === '--stdio';
  const env = Object.entries(server.env).filter(([name, value]) => process.env[name] !== value && name !== 'PATH');
  const lines = [
    '#!/bin/sh',
    ...env.map(([name, value]) => `export ${name}=${quoted(value)}`),
    `exec ${[server.command, ...server.args.filter((arg) => !isStdio(arg))].map(quoted).join(' ')} "$@"`,
  ];
  const programs = join(symbenchCache, 'contenders', 'servers');
  const path = join(programs, pack.program);
  mkdirSync(programs, { recursive: true });
  writeFileSync(path, `${lines.join('\n')}\n`);
  chmodSync(path, 0o755);
  const { initializationOptions } = server;
  return { path, directory: programs, args: server.args.filter(isStdio), initializationOptions };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
