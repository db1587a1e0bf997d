import { archiveFor, type Channel, jsonFile } from './channel.ts';

/** The manifest for a Scoop bucket. */
export const scoop: Channel = (facts) => {
  const { name, version, text, homepage, license } = facts;
  const { url, sha256 } = archiveFor(facts, 'windows-x64');
  const manifest = {
    version,
    description: text,
    homepage,
    license,
    architecture: { '64bit': { url, hash: sha256 } },
    bin: ['serena.exe', ['serena.exe', 'serena-hooks', 'hooks']],
  };
  return [jsonFile(`bucket/${name}.json`, manifest)];
};
