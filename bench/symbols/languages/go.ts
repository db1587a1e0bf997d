import { fetchGoModule } from '../../speed/fetch.ts';
import { goEdits } from '../edits/go-edits.ts';
import { goTests } from '../exercises/exercises.ts';
import type { BenchLanguage, BenchPackage, Exercise } from '../model.ts';
import { goDiagnostics } from '../oracles/go-diagnostics.ts';
import { goImplementations } from '../oracles/go-implementations.ts';
import { goOverview } from '../oracles/go-overview.ts';
import { goReferences } from '../oracles/go-references.ts';
import { goTraps } from '../traps/go.ts';

const shared = {
  language: 'go',
  serverId: 'go',
  languageId: 'go',
  extensions: ['.go'],
  program: 'gopls',
} as const;

function goPackage(name: string, module: string, configurations: readonly string[], exercise?: Exercise): BenchPackage {
  return {
    ...shared,
    name,
    configurations,
    ...(exercise === undefined ? {} : { exercise }),
    fetch: (directory) => fetchGoModule(directory, module),
  };
}

const chiExamples = [
  'custom-handler',
  'custom-method',
  'fileserver',
  'graceful',
  'hello-world',
  'limits',
  'logging',
  'pathvalue',
  'router-walk',
  'todos-resource',
];

/** Packages and oracles of Go. */
export const go: BenchLanguage = {
  references: goReferences,
  overview: goOverview,
  edits: goEdits,
  implementations: goImplementations,
  diagnostics: goDiagnostics,
  traps: goTraps,
  outside: ({ name, version, configurations = ['linux'] }) =>
    goPackage(`${name} ${version}`, `${name}@${version}`, configurations),
  packages: [
    {
      ...goPackage('chi 5.2.3', 'github.com/go-chi/chi/v5@v5.2.3', ['linux'], goTests()),
      // `./...` leaves out directories that begin with an underscore.
      targets: ['./...', ...chiExamples.map((name) => `./_examples/${name}`)],
    },
    // Its tests wait for events of the file system and do not end alike each time.
    // A file per operating system: most of its symbols exist in some configurations only.
    goPackage('fsnotify 1.9.0', 'github.com/fsnotify/fsnotify@v1.9.0', [
      'linux',
      'windows',
      'darwin',
      'freebsd',
      'solaris',
    ]),
    goPackage('cobra 1.8.1', 'github.com/spf13/cobra@v1.8.1', ['linux'], goTests(['-skip', 'TestFailGen'])),
    goPackage('pflag 1.0.5', 'github.com/spf13/pflag@v1.0.5', ['linux'], goTests()),
    {
      ...goPackage('logrus 1.9.3', 'github.com/sirupsen/logrus@v1.9.3', ['linux', 'windows', 'darwin'], goTests()),
      isNew: true,
    },
    {
      // Tests with a limit of time fail on a busy machine.
      ...goPackage('goldmark 1.7.8', 'github.com/yuin/goldmark@v1.7.8', ['linux'], goTests(['-skip', 'Performance'])),
      isNew: true,
    },
    { ...goPackage('hey 0.1.4', 'github.com/rakyll/hey@v0.1.4', ['linux'], goTests()), isNew: true },
    goPackage('lo 1.51.0', 'github.com/samber/lo@v1.51.0', ['linux']),
  ],
};
