import { type Channel, jsonFile } from './channel.ts';

/** Version of the schema of the MCP registry's descriptions. */
const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** The description for the MCP registry, with the npm package and the bundles. */
export const serverJson: Channel = (facts) => {
  const { mcpName, title, summary, version, homepage, npmPackage, bundles } = facts;
  const transport = { type: 'stdio' };
  const packages = [
    {
      registryType: 'npm',
      identifier: npmPackage,
      version,
      runtimeHint: 'npx',
      transport,
      packageArguments: [{ type: 'positional', value: 'start-mcp-server' }],
    },
    ...bundles.map(({ url, sha256 }) => ({ registryType: 'mcpb', identifier: url, fileSha256: sha256, transport })),
  ];
  const isGitHub = new URL(homepage).hostname === 'github.com';
  const description = {
    $schema: schema,
    name: mcpName,
    title,
    description: summary,
    version,
    ...(isGitHub ? { repository: { url: homepage, source: 'github' } } : { websiteUrl: homepage }),
    packages,
  };
  return [jsonFile('server.json', description)];
};
