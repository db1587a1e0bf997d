import type { PythonEntry, Runner } from '../source/source.ts';
import { serverDirectories } from '../store/layout.ts';

// Python passes the arguments after `-c` to the script.
const script = `
import importlib, sys
program, minimum = sys.argv.pop(1), sys.argv.pop(1)
if sys.version_info < tuple(map(int, minimum.split('.'))):
    sys.exit('Python ' + minimum + ' or newer is needed, and ' + sys.executable + ' is ' + sys.version.split()[0])
sys.path.insert(0, program)
while '=' in sys.argv[1]:
    attribute, value = sys.argv.pop(1).split('=', 1)
    module, name = attribute.split(':')
    setattr(importlib.import_module(module), name, int(value) if value.isdigit() else value)
module, name = sys.argv.pop(1).split(':')
sys.exit(getattr(importlib.import_module(module), name)())
`.trim();

/**
 * Returns the runner that calls `entry` with the user's Python and the packages in the server's program directory.
 * Python imports only those packages and the standard library: nothing from the working directory, which is treated as
 * hostile, and no packages installed on the machine or by the user. `home` is the absolute path of SERENA_HOME.
 */
export function pythonRunner(entry: PythonEntry, home: string, platform = process.platform): Exclude<Runner, string> {
  // Isolated mode, without site packages, and with bytecode written outside the installation.
  const flags = ['-I', '-S', '-X', `pycache_prefix=${serverDirectories(home).pythonCache}`];
  const set = Object.entries(entry.set ?? {}).map(([attribute, value]) => `${attribute}=${value}`);
  const by = platform === 'win32' ? 'python' : 'python3';
  return {
    by,
    args: [...flags, '-c', script, '{program}', entry.atLeast, ...set, entry.python],
    hint: `install Python ${entry.atLeast} or newer`,
  };
}
