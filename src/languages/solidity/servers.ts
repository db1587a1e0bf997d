import { defineServer, npmPackage } from '../../servers/spec.ts';

export const solidity = defineServer({
  id: 'solidity',
  name: 'nomicfoundation-solidity-language-server',
  homepage: 'https://github.com/NomicFoundation/hardhat-vscode',
  files: { '.sol': 'solidity' },
  install: [npmPackage('@nomicfoundation/solidity-language-server', '0.8.4', 'out/index.js')],
  versionKey: 'solidity_language_server_version',
  args: ['--stdio'],
  // On macOS Hardhat stores compilers below `~/Library`, and reports no errors if it cannot write there.
  env: process.platform === 'darwin' ? { HOME: '{cache}' } : {},
  watchedFiles: ['foundry.toml', 'remappings.txt', 'hardhat.config.ts', 'hardhat.config.js'],
  ignoredDirectories: ['node_modules', 'artifacts', 'cache', 'typechain-types'],
});
