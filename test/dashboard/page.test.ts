import { afterAll, beforeAll, describe, expect } from 'bun:test';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { BrowserPage, whyNoChromium } from '../support/chromium.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { linkOf, startWithDashboard } from '../support/dashboard.ts';
import { ownHome } from '../support/homes.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { copyFixture, makeWorkspace } from '../support/workspace.ts';

const browserTest = testUnless(whyNoChromium);
const views = ['overview', 'calls', 'usage', 'logs', 'memories', 'edits', 'configuration', 'servers', 'symbols'];
const hostile = '<img src=x onerror="document.title=`run`"><script>document.title=`run`</script>';
const Rules = z.array(z.looseObject({ id: z.string(), nodes: z.array(z.looseObject({ html: z.string() })) }));
const Result = z.looseObject({ violations: Rules, passes: Rules });

let client: TestClient;
let page: BrowserPage;
let link: string;

describe('the page of the dashboard', () => {
  if (whyNoChromium === undefined) {
    beforeAll(async () => {
      const { root } = makeWorkspace({ 'a.txt': 'one\n', [`${hostile.replaceAll('/', '_')}.txt`]: `${hostile}\n` });
      client = await startWithDashboard(root);
      const relative_path = `${hostile.replaceAll('/', '_')}.txt`;
      await client.ask('read_file', { relative_path });
      await client.call('find_symbol', { name_path_pattern: hostile, relative_path });
      await client.call(hostile);
      await client.ask('replace_content', { relative_path, needle: 'img', repl: 'svg', mode: 'literal' });
      await client.ask('write_memory', { memory_name: hostile.replaceAll('/', '_'), content: hostile });
      link = await linkOf(client);
      page = await BrowserPage.start();
      await page.look({ scheme: 'light', width: 1000 });
      await page.open(link);
      await page.until(`document.querySelector('#main h3') !== null`);
    });

    afterAll(async () => {
      await page[Symbol.asyncDispose]();
      await client.close();
    });
  }

  browserTest('removes the token from the URL, and signs in again without it', async () => {
    expect(await page.evaluate('location.hash')).toBe('');
    await page.send('Page.reload');
    await page.until(`document.getElementById('connection')?.textContent === 'Connected'`);
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  browserTest('shows hostile names as text in every view', async () => {
    for (const view of views) {
      await show(view);
      expect(await page.evaluate(`document.querySelectorAll('main img, main script, main svg').length`)).toBe(0);
      expect(await page.evaluate('document.title')).not.toContain('run');
    }
    await show('calls');
    await page.until(`document.querySelector('main').textContent.includes(${JSON.stringify(hostile.slice(0, 20))})`);
    await show('edits');
    await page.evaluate(`document.querySelector('summary').click()`);
    await page.until(`document.querySelector('pre')?.textContent.includes('<svg src=x')`);
    expect(page.problems).toEqual([]);
  });

  browserTest('has no problem that axe finds, light and dark, wide and narrow', async () => {
    const directory = process.env.DASHBOARD_SCREENSHOTS ?? makeTempDir('screenshots');
    mkdirSync(directory, { recursive: true });
    for (const scheme of ['light', 'dark'] as const) {
      for (const width of [1000, 400]) {
        await page.look({ scheme, width });
        for (const view of views) {
          await show(view);
          await page.evaluate(`document.querySelector('summary')?.click()`);
          const where = `${view}, ${scheme}, ${width}`;
          expect({ where, found: await violationsOf(page) }).toEqual({ where, found: [] });
          const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
          expect({ where, isTooWide: await page.evaluate(isTooWide) }).toEqual({ where, isTooWide: false });
          await page.screenshot(join(directory, `${view}-${scheme}-${width}.png`));
        }
      }
    }
  });

  browserTest('is used with the keyboard', async () => {
    await show('overview');
    await page.evaluate('document.activeElement.blur()');
    const reached: unknown[] = [];
    for (let count = 0; count < 4; count++) {
      await page.press('Tab');
      reached.push(await page.evaluate('document.activeElement.textContent'));
    }
    expect(reached).toEqual(expect.arrayContaining(['Calls']));
    await page.evaluate(`document.querySelector('nav a[href="#calls"]').focus()`);
    await page.press('Enter');
    await page.until(`document.querySelector('h2').textContent === 'Calls'`);
    await page.evaluate(`document.querySelector('summary').focus()`);
    await page.press('Enter');
    await page.until(`document.querySelector('details').open`);
  });

  browserTest('undoes an edit and makes it again', async () => {
    await show('edits');
    await page.evaluate(`document.querySelector('main button').click()`);
    await page.until(`document.querySelector('main .state')?.textContent === 'undone'`);
    expect(await page.evaluate(`document.querySelector('main button').textContent`)).toBe('Redo');
    await page.evaluate(`document.querySelector('main button').click()`);
    await page.until(`document.querySelector('main .state') === null`);
  });

  browserTest('changes a setting, and shows why it does not', async () => {
    const change = async (key: string, text: string) => {
      await page.evaluate(`document.querySelector('[aria-label="Change ${key}"]').click()`);
      await page.evaluate(`document.querySelector('main form input').value = '${text}'`);
      await page.evaluate(`document.querySelector('main form').requestSubmit()`);
    };
    await show('configuration');
    await change('tool_timeout', 'soon');
    await page.until(`document.getElementById('notice').textContent.includes('must be a number; found')`);
    await show('configuration');
    await change('tool_timeout', '77');
    await page.until(`document.querySelector('main').textContent.includes('tool_timeout77user')`);
  });
});

describe('the language servers on the page of the dashboard', () => {
  browserTest('show how far an installation is', async () => {
    // A mirror that sends the first byte of a file, and the rest never.
    const mirror = createServer((_, response) => response.writeHead(200, { 'Content-Length': 1_000_000 }).write('x'));
    await new Promise<void>((resolve) => mirror.listen(0, '127.0.0.1', resolve));
    const address = mirror.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const { root } = makeWorkspace({ 'a.txt': 'one\n' });
    const env = { SERENA_MIRROR: `http://127.0.0.1:${port}/` };
    await using own = await startWithDashboard(root, { ls_specific_settings: {} }, env);
    await using servers = await BrowserPage.start();
    await servers.open(await linkOf(own));
    await servers.until(`document.querySelector('#main h3') !== null`);
    await servers.evaluate(`location.hash = '#servers'`);
    await servers.until(`document.querySelector('[aria-label^="Install bash"]') !== null`);
    await servers.evaluate(`document.querySelector('[aria-label^="Install bash"]').click()`);
    await servers.until(`document.querySelector('[data-installation=bash]').textContent.startsWith('Downloading')`);
    mirror.closeAllConnections();
    await new Promise((resolve) => mirror.close(resolve));
    // What the mirror does not have is downloaded from the registry.
    await servers.until(`document.querySelector('[aria-label^="Remove bash"]') !== null`);
    expect(await servers.evaluate(`document.querySelector('[data-installation=bash]')`)).toBe(null);
  });
});

describe('the symbols on the page of the dashboard', () => {
  browserTest('are a graph around one of them, and each neighbor can be shown in its place', async () => {
    const { root } = copyFixture('python');
    await using client = await startClient({
      args: ['--project', root],
      env: ownHome({ web_dashboard: true }),
    });
    await using graph = await BrowserPage.start();
    await graph.look({ scheme: 'light', width: 1000 });
    await graph.open(await linkOf(client));
    await graph.until(`document.querySelector('#main h3') !== null`);
    await graph.evaluate(`location.hash = '#symbols'`);
    await graph.until(`document.querySelector('main form') !== null`);
    await graph.evaluate(`document.querySelector('main form input').value = 'checkout'`);
    await graph.evaluate(`document.querySelector('main form').requestSubmit()`);
    await graph.until(`document.querySelector('.callers .node strong')?.textContent === 'sale'`);
    await graph.until(`document.querySelectorAll('.graph line').length === document.querySelectorAll('.node').length`);
    if (process.env.DASHBOARD_SCREENSHOTS !== undefined) {
      for (const width of [1000, 400]) {
        await graph.look({ scheme: 'light', width });
        await graph.screenshot(join(process.env.DASHBOARD_SCREENSHOTS, `graph-light-${width}.png`));
      }
    }
    await graph.evaluate(`document.querySelector('.callers .node').click()`);
    await graph.until(`document.querySelector('.center strong')?.textContent === 'sale'`);
    expect(graph.problems).toEqual([]);
    // pyright has no type hierarchy; the answer says where subtypes come from.
    await graph.evaluate(
      `[...document.querySelectorAll('main form input')].forEach((input, at) => (input.value = ['Discount', ''][at]))`,
    );
    await graph.evaluate(`document.querySelector('main form').requestSubmit()`);
    await graph.until(`document.querySelector('.subtypes .node strong')?.textContent === 'HalfOff'`);
    expect(await graph.evaluate(`document.querySelector('.subtypes .labels')?.textContent`)).toContain(
      'the subtypes are',
    );
    for (const scheme of ['light', 'dark'] as const) {
      await graph.look({ scheme, width: 400 });
      expect(await violationsOf(graph)).toEqual([]);
    }
  });
});

async function show(view: string): Promise<void> {
  await page.evaluate(`location.hash = '#${view}'`);
  const title = view === 'servers' ? 'Language servers' : view[0]?.toUpperCase() + view.slice(1);
  await page.until(`document.querySelector('h2')?.textContent === '${title}'`);
  await page.until(`document.querySelectorAll('main .card, main .log li, main .graph').length > 0`);
}

/** Returns what axe objects to on the page as it is now, each with the elements concerned. */
async function violationsOf(shown: BrowserPage): Promise<string[][]> {
  await shown.evaluate(readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'));
  const { violations, passes } = Result.parse(await shown.evaluate('axe.run()'));
  expect(passes.map(({ id }) => id)).toContain('color-contrast');
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
}
