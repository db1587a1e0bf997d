import { skillText } from '../../../src/cli/setup/skill.ts';
import { hookConfiguration } from '../../../src/hooks/hook-configuration.ts';
import { type Channel, jsonFile } from './channel.ts';

/** A plugin of Claude Code with the server, the skill and the hooks, and a marketplace that lists it alone. */
export const claudePlugin: Channel = (facts) => {
  const { name, version, text, author, homepage, license, keywords, summary } = facts;
  const owner = { name: author };
  // Hooks run at every call of a tool: starting npx each time would take longer than the hooks.
  const hooks = hookConfiguration('claude-code', {
    commandOf: (hook) => `serena hooks ${hook} --client=claude-code`,
  });
  return [
    jsonFile('.claude-plugin/plugin.json', {
      ...{ name, version, description: text, author: owner, homepage, license, keywords },
    }),
    jsonFile('.claude-plugin/marketplace.json', {
      name: `${name}-marketplace`,
      owner,
      metadata: { description: summary, version },
      plugins: [{ name, source: './', description: text, version }],
    }),
    jsonFile('.mcp.json', {
      mcpServers: {
        serena: { command: 'serena', args: ['start-mcp-server', '--context=claude-code', '--project-from-cwd'] },
      },
    }),
    jsonFile('hooks/hooks.json', hooks.content),
    { path: `skills/${name}/SKILL.md`, text: skillText() },
    { path: 'README.md', text: readme(facts) },
  ];
};

function readme({
  title,
  text,
  homepage,
  npmPackage,
}: Record<'title' | 'text' | 'homepage' | 'npmPackage', string>): string {
  return `# ${title} for Claude Code

${text}

The plugin starts the command \`serena\`, which must be on your \`PATH\`: install it as ${homepage} describes, or with
\`npm install --global ${npmPackage}\`.
`;
}
