import { defineServer } from '../../servers/spec.ts';

export const lua = defineServer({
  id: 'lua',
  name: 'lua-language-server',
  homepage: 'https://github.com/LuaLS/lua-language-server',
  files: { '.lua': 'lua' },
  install: [
    {
      from: 'path',
      bins: ['lua-language-server'],
      hint: 'install lua-language-server, as with `brew install lua-language-server`',
    },
    {
      from: 'archive',
      version: '3.15.0',
      url: 'https://github.com/LuaLS/lua-language-server/releases/download/{version}/{file}',
      assets: {
        'linux-x64': { file: 'lua-language-server-3.15.0-linux-x64.tar.gz', bin: 'bin/lua-language-server' },
        'linux-arm64': { file: 'lua-language-server-3.15.0-linux-arm64.tar.gz', bin: 'bin/lua-language-server' },
        'darwin-x64': { file: 'lua-language-server-3.15.0-darwin-x64.tar.gz', bin: 'bin/lua-language-server' },
        'darwin-arm64': { file: 'lua-language-server-3.15.0-darwin-arm64.tar.gz', bin: 'bin/lua-language-server' },
        'win32-x64': { file: 'lua-language-server-3.15.0-win32-x64.zip', bin: 'bin/lua-language-server.exe' },
      },
    },
  ],
  args: ['--logpath={temp}', '--metapath={cache}/meta'],
  versionKey: 'lua_language_server_version',
  settings: { Lua: { telemetry: { enable: false }, workspace: { checkThirdParty: false } } },
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 60_000 },
  watchedFiles: ['.luarc.json'],
  ignoredDirectories: ['.luarocks', 'lua_modules', 'node_modules', 'build', 'dist'],
  // `M.add`, `M:open`
  nameRules: [{ from: /^(?:\w+[.:])+(?=\w+$)/ }],
  symbolsVersion: 2,
});
