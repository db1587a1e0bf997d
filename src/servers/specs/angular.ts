import { defineServer } from '../spec.ts';

export const angular = defineServer({
  id: 'angular',
  name: 'Angular language server',
  homepage: 'https://github.com/angular/angular/tree/main/vscode-ng-language-service',
  files: { '.html': 'html', '.htm': 'html', '.ts': 'typescript', '.mts': 'typescript', '.cts': 'typescript' },
  needsExplicitChoice: true,
  install: [
    {
      from: 'npm',
      packages: { '@angular/language-server': '22.1.0', typescript: '6.0.3' },
      entry: 'node_modules/@angular/language-server/bin/ngserver',
    },
  ],
  versionKey: 'angular_language_server_version',
  args: ['--stdio', '--tsProbeLocations', '{folder}', '--ngProbeLocations', '{folder}'],
  ready: { when: 'initialized' },
  watchedFiles: ['angular.json', 'tsconfig.json', 'package.json'],
  projectMarkers: ['tsconfig.json'],
  ignoredDirectories: ['node_modules', 'dist', 'build', 'coverage', '.angular', '.nx'],
  symbolsVersion: 1,
});
