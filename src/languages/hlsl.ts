import { defineServer, filesOf, onPath } from '../servers/spec.ts';

export const hlsl = defineServer({
  id: 'hlsl',
  name: 'shader-language-server',
  homepage: 'https://github.com/antaalt/shader-sense',
  files: filesOf({
    hlsl: '.cginc .compute .fx .fxh .hlsl .hlsli .shader',
    glsl: '.comp .frag .geom .glsl .tesc .tese .vert',
    wgsl: '.wgsl',
  }),
  install: [
    onPath('shader-language-server', 'install Rust, and run `cargo install shader_language_server`'),
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
  ignoredDirectories: ['Library', 'Temp', 'Logs', 'obj', 'Packages'],
});
