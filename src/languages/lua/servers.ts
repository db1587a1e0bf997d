import type { Quirks } from '../../servers/quirks.ts';
import { defineServer, onPath } from '../../servers/spec.ts';
import { withEach } from '../corrections.ts';

/**
 * EmmyLua 0.25 selects the type with the member, so that a request at the start of the selection is about the type:
 *
 * ```lua
 * function Basket:total() end   -- the selection is `Basket:total`, here `total`
 * ```
 *
 * Covered by "references" of its conformance answers.
 */
const selectedMembers: NonNullable<Quirks['adjustSymbols']> = (symbols) =>
  withEach(symbols, (symbol) => {
    const { start, end } = symbol.selectionRange;
    const member = /[.:]([^.:]+)$/.exec(symbol.name)?.[1];
    if (member === undefined || start.line !== end.line) return symbol;
    return { ...symbol, selectionRange: { start: { ...end, character: end.character - member.length }, end } };
  });

export const lua = defineServer({
  id: 'lua',
  name: 'lua-language-server',
  homepage: 'https://github.com/LuaLS/lua-language-server',
  files: { '.lua': 'lua' },
  install: [
    onPath('lua-language-server', 'install lua-language-server, as with `brew install lua-language-server`'),
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

export const luaEmmylua = defineServer({
  id: 'lua_emmylua',
  name: 'EmmyLua',
  homepage: 'https://github.com/EmmyLuaLs/emmylua-analyzer-rust',
  files: { '.lua': 'lua' },
  needsExplicitChoice: true,
  install: [
    onPath('emmylua_ls', 'install EmmyLua, as with `cargo install emmylua_ls`'),
    {
      from: 'archive',
      version: '0.25.1',
      url: 'https://github.com/EmmyLuaLs/emmylua-analyzer-rust/releases/download/{version}/{file}',
      assets: {
        'linux-x64': { file: 'emmylua_ls-linux-x64-glibc.2.17.tar.gz', bin: 'emmylua_ls' },
        'linux-arm64': { file: 'emmylua_ls-linux-aarch64-glibc.2.17.tar.gz', bin: 'emmylua_ls' },
        'darwin-x64': { file: 'emmylua_ls-darwin-x64.tar.gz', bin: 'emmylua_ls' },
        'darwin-arm64': { file: 'emmylua_ls-darwin-arm64.tar.gz', bin: 'emmylua_ls' },
        'win32-x64': { file: 'emmylua_ls-win32-x64.zip', bin: 'emmylua_ls.exe' },
        'win32-arm64': { file: 'emmylua_ls-win32-arm64.zip', bin: 'emmylua_ls.exe' },
      },
    },
  ],
  versionKey: 'emmylua_ls_version',
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 60_000 },
  watchedFiles: ['.emmyrc.json', '.luarc.json'],
  ignoredDirectories: ['.luarocks', 'lua_modules', 'node_modules', 'build', 'dist', '.cache'],
  // Functions are named as they are written: `shop.total`, `Basket:total`.
  nameRules: [{ from: /^.*[.:]/ }],
  // Counts code points, without announcing it.
  quirks: { adjustSymbols: selectedMembers, positionEncodings: ['utf-32'] },
  symbolsVersion: 2,
});
