import { defineServer } from '../../servers/spec.ts';
import { typescript } from '../typescript/servers.ts';
import { angularQuirks } from './angular-corrections.ts';

const packages = {
  '@angular/language-server': '22.1.0',
  'typescript-language-server': '6.0.2',
  typescript: '6.0.3',
};

/** Server for the components' classes: ngserver reports no symbols and diagnostics for TypeScript files. */
const scripts = defineServer({
  ...typescript,
  id: 'angular',
  name: 'typescript-language-server for Angular',
  install: [{ from: 'npm', packages, entry: 'node_modules/typescript-language-server/lib/cli.mjs' }],
  referencesMissingFrom: { ...typescript.referencesMissingFrom, '.html': 'angular' },
  quirks: { ...typescript.quirks, ignoresUserProgram: true },
});

export const angular = defineServer({
  id: 'angular',
  name: 'Angular language server',
  homepage: 'https://github.com/angular/angular/tree/main/vscode-ng-language-service',
  files: { '.html': 'html', '.htm': 'html' },
  needsExplicitChoice: true,
  install: [
    {
      from: 'npm',
      packages,
      entry: 'node_modules/@angular/language-server/bin/ngserver',
    },
  ],
  versionKey: 'angular_language_server_version',
  args: [
    '--stdio',
    '--useClientSideFileWatcher',
    '--tsProbeLocations',
    '{directory}',
    '--ngProbeLocations',
    '{directory}',
  ],
  ready: { when: 'initialized' },
  // `#name` and `let name` declare variables of a template.
  nameRules: [{ from: /^(?:#|let )(?=[\w$]+$)/ }],
  watchedFiles: [...Object.keys(typescript.files), 'angular.json', 'tsconfig.json', 'package.json'],
  projectMarkers: ['tsconfig.json'],
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage', '.angular', '.nx'],
  quirks: { ...angularQuirks, companions: [scripts] },
  symbolsVersion: 2,
});
