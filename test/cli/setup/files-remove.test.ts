import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { Home, rows, textIn } from '../../support/client-files.ts';

describe.each(rows.map((row) => [row.id, row] as const))('setup %s', (_id, row) => {
  test('--remove gives back every byte and deletes the backup', async () => {
    for (const text of [row.existing, row.existing.replaceAll('\n', '\r\n'), '']) {
      const home = new Home(row, text);
      await home.setUp();
      const { code, stdout, stderr } = await home.setUp('--remove');
      expect({ code, stdout, stderr }).toEqual({
        code: 0,
        stdout: expect.stringContaining('as it was before'),
        stderr: '',
      });
      expect([home.text, home.names.length]).toEqual([text, 1]);
      expect((await home.setUp('--remove')).stdout).toContain('nothing');
    }
  });

  test('--remove deletes a file that setup created', async () => {
    const home = new Home(row);
    await home.setUp();
    expect((await home.setUp('--remove')).code).toBe(0);
    expect(home.names).toEqual([]);
  });

  test('--remove keeps what the user has changed since, byte for byte', async () => {
    const home = new Home(row, row.existing);
    await home.setUp();
    writeFileSync(home.file, home.text.replace('mine', 'still mine'));
    const { code, stdout } = await home.setUp('--remove');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('.backup-2') });
    expect(home.text).toBe(row.existing.replace('mine', 'still mine'));
  });

  test('--remove keeps an entry that setup did not write', async () => {
    const text = textIn(row, {
      json: JSON.stringify({ SERVERS: { serena: { command: 'uvx', args: ['serena', 'start-mcp-server'] } } }),
      toml: '[SERVERS.serena]\ncommand = "uvx"\n',
      yaml: 'SERVERS:\n  serena:\n    cmd: uvx\n',
      list: 'SERVERS:\n- name: serena\n  command: uvx\n',
    });
    const home = new Home(row, text);
    const { code, stdout } = await home.setUp('--remove');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('setup did not write it') });
    expect([home.text, home.names.length]).toEqual([text, 1]);
  });
});
