import type { PythonEntry, Runner } from '../source/source.ts';
import { serverDirectories } from '../store/layout.ts';

// Arguments that follow `-c` are the program's own.
const script = `
import importlib, sys
program, least = sys.argv.pop(1), sys.argv.pop(1)
if sys.version_info < tuple(map(int, least.split('.'))):
    sys.exit('Python ' + least + ' or newer is needed, and ' + sys.executable + ' is ' + sys.version.split()[0])
sys.path.insert(0, program)
while '=' in sys.argv[1]:
    place, value = sys.argv.pop(1).split('=', 1)
    module, name = place.split(':')
    setattr(importlib.import_module(module), name, int(value) if value.isdigit() else value)
module, name = sys.argv.pop(1).split(':')
sys.exit(getattr(importlib.import_module(module), name)())
`.trim();

/**
 * Returns how the user's own Python runs `entry` of the packages in the directory that is the server's program.
 * It imports those and the standard library, and nothing else: neither from the working directory, which is taken to be
 * hostile, nor from what the machine or the user has installed. `home` is our home directory.
 */
export function pythonRunner(entry: PythonEntry, home: string): Exclude<Runner, string> {
  // Isolated, without packages of the machine, and with what Python compiles kept out of the installation.
  const flags = ['-I', '-S', '-X', `pycache_prefix=${serverDirectories(home).pythonCache}`];
  const set = Object.entries(entry.set ?? {}).map(([place, value]) => `${place}=${value}`);
  const by = process.platform === 'win32' ? 'python' : 'python3';
  return {
    by,
    args: [...flags, '-c', script, '{program}', entry.atLeast, ...set, entry.python],
    hint: `Install Python ${entry.atLeast} or newer`,
  };
}
