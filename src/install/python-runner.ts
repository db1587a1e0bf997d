import { serverFolders } from './layout.ts';
import type { Runner } from './source.ts';

// Arguments that follow `-c` are the program's own.
const script = `
import importlib, sys
sys.path.insert(0, sys.argv.pop(1))
module, name = sys.argv.pop(1).split(':')
sys.exit(getattr(importlib.import_module(module), name)())
`.trim();

/**
 * Returns how the user's own Python runs `entry` (`module:name`) of the packages in the folder that is the server's program.
 * It imports those and the standard library, and nothing else: neither from the working directory, which is taken to be
 * hostile, nor from what the machine or the user has installed. `home` is our home folder.
 */
export function pythonRunner(entry: string, home: string): Exclude<Runner, string> {
  // Isolated, without packages of the machine, and with what Python compiles kept out of the installation.
  const flags = ['-I', '-S', '-X', `pycache_prefix=${serverFolders(home).pythonCache}`];
  const by = process.platform === 'win32' ? 'python' : 'python3';
  return { by, args: [...flags, '-c', script, '{program}', entry] };
}
