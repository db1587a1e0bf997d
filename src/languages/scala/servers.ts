import { defineServer, onPath } from '../../servers/spec.ts';

export const scala = defineServer({
  id: 'scala',
  name: 'Metals',
  homepage: 'https://scalameta.org/metals',
  files: { '.scala': 'scala', '.sbt': 'scala' },
  install: [onPath('metals', 'install Coursier, and run `coursier install metals`')],
  requires: [{ program: 'java', hint: 'install Java 17 or newer' }],
  ownSettings: { terminate_bloop_on_stop: false },
  ignoredSettings: [
    ...[
      'metals_version',
      'client_name',
      'on_stale_lock',
      'log_multi_instance_notice',
      'auto_import_build',
      'project_roots',
    ],
    ...['project_root_scan_depth', 'indexing_timeout', 'indexing_start_grace', 'indexing_quiet_period'],
  ],
  initializationOptions: { isExitOnShutdown: true },
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 180_000 },
  watchedFiles: ['build.sbt', 'build.sc', 'build.mill'],
  ignoredDirectories: ['.bloop', '.metals', 'target'],
  quirks: {
    // Metals starts one Bloop server for all of the user's builds, which other editors may use, too.
    daemons: { matching: /\bbloop\.(?:Bloop|Server\b)/, setting: 'terminate_bloop_on_stop' },
  },
});
