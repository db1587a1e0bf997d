import { defineServer } from '../servers/spec.ts';

export const hlsl = defineServer({
  id: 'hlsl',
  name: 'shader-language-server',
  homepage: 'https://github.com/antaalt/shader-sense',
  files: {
    '.cginc': 'hlsl',
    '.compute': 'hlsl',
    '.fx': 'hlsl',
    '.fxh': 'hlsl',
    '.hlsl': 'hlsl',
    '.hlsli': 'hlsl',
    '.shader': 'hlsl',
    '.comp': 'glsl',
    '.frag': 'glsl',
    '.geom': 'glsl',
    '.glsl': 'glsl',
    '.tesc': 'glsl',
    '.tese': 'glsl',
    '.vert': 'glsl',
    '.wgsl': 'wgsl',
  },
  install: [
    {
      from: 'path',
      bins: ['shader-language-server'],
      hint: 'install Rust, and run `cargo install shader_language_server`',
    },
    {
      from: 'archive',
      version: '1.3.1',
      url: 'https://github.com/antaalt/shader-sense/releases/download/v{version}/{file}',
      assets: {
        'linux-x64': { file: 'shader-language-server-x86_64-unknown-linux-gnu.zip', bin: 'shader-language-server' },
        'win32-x64': { file: 'shader-language-server-x86_64-pc-windows-msvc.zip', bin: 'shader-language-server.exe' },
        'win32-arm64': {
          file: 'shader-language-server-aarch64-pc-windows-msvc.zip',
          bin: 'shader-language-server.exe',
        },
      },
    },
  ],
  args: ['--stdio'],
  versionKey: 'version',
  ready: { when: 'initialized' },
  watchedFiles: [],
  ignoredDirectories: ['Library', 'Temp', 'Logs', 'obj', 'Packages'],
  symbolsVersion: 1,
});
