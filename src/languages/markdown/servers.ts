import { defineServer, onPath } from '../../servers/spec.ts';

export const markdown = defineServer({
  id: 'markdown',
  name: 'Marksman',
  homepage: 'https://github.com/artempyanykh/marksman',
  files: { '.md': 'markdown', '.markdown': 'markdown' },
  install: [
    onPath('marksman', 'install marksman, as with `brew install marksman`'),
    {
      from: 'archive',
      version: '2024-12-18',
      url: 'https://github.com/artempyanykh/marksman/releases/download/{version}/{file}',
      assets: {
        'linux-x64': { file: 'marksman-linux-x64', bin: 'marksman' },
        'linux-arm64': { file: 'marksman-linux-arm64', bin: 'marksman' },
        'darwin-x64': { file: 'marksman-macos', bin: 'marksman' },
        'darwin-arm64': { file: 'marksman-macos', bin: 'marksman' },
        'win32-x64': { file: 'marksman.exe', bin: 'marksman.exe' },
      },
    },
  ],
  args: ['server'],
  needsExplicitChoice: true,
  isMarkupOrData: true,
  versionKey: 'marksman_version',
  watchedFiles: ['.marksman.toml'],
  ignoredDirectories: ['node_modules', '.obsidian', '.vitepress', '.vuepress'],
});
