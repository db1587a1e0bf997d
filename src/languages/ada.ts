import { defineServer, onPath } from '../servers/spec.ts';

const version = '2026.2.202604091';
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];

function assetFor(platform: string) {
  const [system, processor] = platform.split('-');
  const program = system === 'win32' ? 'ada_language_server.exe' : 'ada_language_server';
  return { file: `als-${version}-${platform}.tar.gz`, bin: `integration/vscode/ada/${processor}/${system}/${program}` };
}

export const ada = defineServer({
  id: 'ada',
  name: 'Ada Language Server',
  homepage: 'https://github.com/AdaCore/ada_language_server',
  files: { '.ada': 'ada', '.adb': 'ada', '.ads': 'ada' },
  install: [
    onPath('ada_language_server', 'install ada_language_server, as with `alr install ada_language_server`'),
    {
      from: 'archive',
      version,
      url: 'https://github.com/AdaCore/ada_language_server/releases/download/{version}/{file}',
      assets: Object.fromEntries(platforms.map((platform) => [platform, assetFor(platform)])),
    },
  ],
  versionKey: 'als_version',
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 120_000 },
  watchedFiles: ['.gpr', 'alire.toml'],
  ignoredDirectories: ['obj', 'lib', '.obj', '.objects'],
});
