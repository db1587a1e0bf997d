import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpp } from '../../src/languages/cpp/servers.ts';
import { whyNoServer } from './server-needs.ts';
import { makeTempDir } from './temp.ts';

/**
 * Returns the reason why clangd cannot be tested here, or `undefined` if it can. In this process it then starts without
 * an index of the standard library: making one takes more time than most tests, and clangd does not end before.
 */
export function whyNoClangd(): string | undefined {
  const configuration = makeTempDir('configuration');
  mkdirSync(join(configuration, 'clangd'));
  writeFileSync(join(configuration, 'clangd/config.yaml'), 'Index:\n  StandardLibrary: No\n');
  process.env.XDG_CONFIG_HOME = configuration;
  return whyNoServer(cpp);
}
