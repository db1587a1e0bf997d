import { stringify } from 'yaml';
import { archiveFor, type Channel } from './channel.ts';

const schemaVersion = '1.10.0';

/** The three manifests of WinGet's repository of packages. */
export const winget: Channel = (facts) => {
  const { wingetId, version, title, author, license, homepage, summary, text, keywords, name } = facts;
  const { url, sha256 } = archiveFor(facts, 'windows-x64');
  const [publisher = '', ...rest] = wingetId.split('.');
  const directory = `manifests/${publisher.charAt(0).toLowerCase()}/${publisher}/${rest.join('/')}/${version}`;
  const file = (part: string, type: string, content: object) => ({
    path: `${directory}/${wingetId}${part}.yaml`,
    text: stringify({
      PackageIdentifier: wingetId,
      PackageVersion: version,
      ...content,
      ManifestType: type,
      ManifestVersion: schemaVersion,
    }),
  });
  return [
    file('', 'version', { DefaultLocale: 'en-US' }),
    file('.installer', 'installer', {
      InstallerType: 'zip',
      NestedInstallerType: 'portable',
      NestedInstallerFiles: [{ RelativeFilePath: 'serena.exe', PortableCommandAlias: name }],
      Installers: [{ Architecture: 'x64', InstallerUrl: url, InstallerSha256: sha256.toUpperCase() }],
    }),
    file('.locale.en-US', 'defaultLocale', {
      PackageLocale: 'en-US',
      Publisher: author,
      PackageName: title,
      PackageUrl: homepage,
      License: license,
      ShortDescription: summary,
      Description: text,
      Tags: keywords,
    }),
  ];
};
