import { mustRun, unpackArchive } from '../../speed/fetch.ts';
import { pythonEdits } from '../edits/python-edits.ts';
import { pytest, pythonProgram } from '../exercises/exercises.ts';
import type { BenchLanguage, BenchPackage } from '../model.ts';
import { pythonDiagnostics } from '../oracles/python-diagnostics.ts';
import { pythonImplementations } from '../oracles/python-implementations.ts';
import { pythonOverview } from '../oracles/python-overview.ts';
import { pythonReferences } from '../oracles/python-references.ts';
import { pythonTraps } from '../traps/python.ts';

const shared = {
  language: 'python',
  serverId: 'python',
  languageId: 'python',
  extensions: ['.py'],
  program: 'pyright-langserver',
  readyMessage: { method: 'window/logMessage', pattern: /Found \d+ source file/ },
} as const;

/** What runs a package's code, and whether it is new. */
type Running = Pick<BenchPackage, 'exercise' | 'libraries' | 'isNew'>;

function pythonPackage(
  name: string,
  requirement: string,
  roots: readonly string[],
  running: Running = {},
): BenchPackage {
  return {
    ...shared,
    ...running,
    name,
    configurations: roots,
    async fetch(directory) {
      const args = ['download', '--quiet', '--no-deps', '--no-binary', ':all:', requirement];
      await mustRun('pip', args, directory);
      await unpackArchive(directory, '.tar.gz');
    },
  };
}

/** Packages and oracles of Python. */
export const python: BenchLanguage = {
  references: pythonReferences,
  overview: pythonOverview,
  edits: pythonEdits,
  implementations: pythonImplementations,
  diagnostics: pythonDiagnostics,
  traps: pythonTraps,
  outside: ({ name, version, configurations = ['.'], libraries = [] }) =>
    pythonPackage(`${name} ${version}`, `${name}==${version}`, configurations, { libraries }),
  packages: [
    pythonPackage('attrs 25.3.0', 'attrs==25.3.0', ['src', 'tests', 'bench'], {
      // The other tests need packages that take long, or test type checkers.
      exercise: pytest([
        'tests/test_funcs.py',
        'tests/test_dunders.py',
        'tests/test_slots.py',
        'tests/test_next_gen.py',
      ]),
      libraries: ['pytest==8.3.3', 'hypothesis==6.115.0'],
    }),
    pythonPackage('click 8.2.1', 'click==8.2.1', ['src', 'tests'], {
      // Its tests of pagers end otherwise each time on a busy machine.
      exercise: pytest(['tests'], ['--ignore=tests/typing', '--deselect=tests/test_utils.py::test_echo_via_pager']),
      libraries: ['pytest==8.3.3'],
    }),
    pythonPackage('rich 13.9.4', 'rich==13.9.4', ['.'], {
      exercise: pythonProgram('rich.py'),
      libraries: ['markdown-it-py==3.0.0', 'pygments==2.19.1'],
    }),
    pythonPackage('flask 3.1.0', 'flask==3.1.0', ['src', 'tests'], {
      exercise: pytest(['tests']),
      libraries: [
        'pytest==8.3.3',
        'werkzeug==3.1.3',
        'jinja2==3.1.6',
        'itsdangerous==2.2.0',
        'click==8.1.8',
        'blinker==1.9.0',
        'asgiref==3.8.1',
        'python-dotenv==1.0.1',
      ],
    }),
    pythonPackage('marshmallow 3.23.1', 'marshmallow==3.23.1', ['src', 'tests'], {
      isNew: true,
      exercise: pytest(['tests'], ['--ignore=tests/mypy_test_cases']),
      libraries: ['pytest==8.3.3', 'packaging==24.2', 'simplejson==3.19.3'],
    }),
    pythonPackage('wtforms 3.2.1', 'wtforms==3.2.1', ['src', '.'], {
      isNew: true,
      exercise: pytest(['tests']),
      libraries: ['pytest==8.3.3', 'markupsafe==3.0.2', 'babel==2.16.0', 'email-validator==2.2.0'],
    }),
    pythonPackage('humanize 4.11.0', 'humanize==4.11.0', ['src', 'tests'], {
      isNew: true,
      exercise: pytest(['tests']),
      libraries: ['pytest==8.3.3', 'freezegun==1.5.1'],
    }),
    pythonPackage('boltons 25.0.0', 'boltons==25.0.0', ['.'], {
      exercise: pytest(['tests']),
      libraries: ['pytest==8.3.3'],
    }),
  ],
};
