// The anchor for start and memory: a minimal MCP server with the SDK and zod, compiled like the product.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'bare', version: '1.0.0' });
// As many tools as the product lists, with a few parameters each.
for (let index = 0; index < 10; index++) {
  server.registerTool(
    `tool_${index}`,
    {
      description: 'Does nothing. '.repeat(20),
      inputSchema: {
        relative_path: z.string().describe('A path.'),
        depth: z.int().default(0).describe('A depth.'),
        include_body: z.boolean().default(false).describe('Whether to include something.'),
        max_answer_chars: z.int().default(-1).describe('A limit.'),
      },
    },
    ({ relative_path }) => ({ content: [{ type: 'text', text: relative_path }] }),
  );
}
await server.connect(new StdioServerTransport());
