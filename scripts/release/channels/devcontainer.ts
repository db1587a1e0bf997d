import { type Channel, jsonFile } from './channel.ts';

/** A development container feature: installs the program with the published installer, which has its hashes. */
export const devcontainer: Channel = ({ name, title, version, text, homepage, keywords, installers }) => [
  jsonFile(`src/${name}/devcontainer-feature.json`, {
    id: name,
    version: version.replace(/-.*$/, ''),
    name: title,
    description: text,
    documentationURL: homepage,
    keywords,
    options: {
      version: { type: 'string', default: version, description: 'Version to install' },
    },
    installsAfter: ['common-utils'],
  }),
  { path: `src/${name}/install.sh`, text: installScript, isProgram: true },
  { path: `src/${name}/install-serena.sh`, text: installers.sh, isProgram: true },
];

const installScript = `#!/bin/sh
# Runs as root while the container is built. The options of the feature are variables: VERSION.
set -eu
cd "$(dirname "$0")"
SERENA_INSTALL_DIR=/usr/local/bin sh ./install-serena.sh \${VERSION:+"$VERSION"}
ln -sf serena /usr/local/bin/serena-hooks
`;
