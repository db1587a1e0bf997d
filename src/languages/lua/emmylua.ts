import { defineServer } from '../../servers/spec.ts';
import { selectedMembers } from './selected-members.ts';

export const luaEmmylua = defineServer({
  id: 'lua_emmylua',
  name: 'EmmyLua',
  homepage: 'https://github.com/EmmyLuaLs/emmylua-analyzer-rust',
  files: { '.lua': 'lua' },
  needsExplicitChoice: true,
  install: [
    { from: 'path', bins: ['emmylua_ls'], hint: 'install EmmyLua, as with `cargo install emmylua_ls`' },
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
  args: [],
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
