import { beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync } from 'node:fs';
import { protobuf } from '../../../src/languages/protobuf/servers.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened, referencesTo } from '../../servers/opened.ts';
import { renderReferences, renderTree } from '../../servers/render.ts';
import { startClient } from '../../support/client.ts';
import { ownHome } from '../../support/homes.ts';
import { testUnless } from '../../support/skip.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const price = { namePath: 'Price', file: 'proto/shop/v1/price.proto' };

describeServer(protobuf, {
  fixture: 'protobuf',
  questions: {
    overview: ['proto/shop/v1/price.proto', 'proto/shop/v1/checkout.proto', 'proto/gift/v1/gift.proto'],
    find: ['Price', 'Price/Discount', '/Checkout/Pay', { part: 'EUR' }, 'nowhere'],
    body: [
      price,
      { namePath: 'Price/Discount/percent', file: 'proto/shop/v1/price.proto' },
      { namePath: 'Gift/value/card', file: 'proto/gift/v1/gift.proto' },
      { namePath: 'Checkout/Pay', file: 'proto/shop/v1/checkout.proto' },
    ],
    containing: [
      { file: 'proto/gift/v1/gift.proto', at: /🧾 \*\/ shop\.v1\.(Price)/ },
      { file: 'proto/shop/v1/checkout.proto', at: /returns \((Receipt)/ },
      { file: 'proto/gift/v1/gift.proto', at: /shop\.v1\.(Price) limit/ },
    ],
    references: [
      price,
      { namePath: 'Price/Discount', file: 'proto/shop/v1/price.proto' },
      { namePath: 'Price', file: 'proto/gift/v1/gift.proto' },
      { namePath: 'Currency', file: 'proto/shop/v1/price.proto' },
      { namePath: 'limit', file: 'proto/gift/v1/gift.proto' },
      { namePath: 'Price/cents', file: 'proto/shop/v1/price.proto' },
    ],
    implementation: price,
    diagnostics: { clean: 'proto/gift/v1/gift.proto', broken: 'proto/shop/v1/broken.proto' },
    rename: { file: 'proto/shop/v1/price.proto', at: /message (Price) /, to: 'Amount' },
    edit: {
      symbol: price,
      appended: '\nmessage Offer {\n  Price price = 1;\n}\n',
      defines: 'Offer',
      user: 'proto/shop/v1/checkout.proto',
      prepended: '// A shop.\n\n',
    },
    external: {
      symbol: price,
      file: 'proto/gift/v1/label.proto',
      text: 'syntax = "proto3";\n\npackage gift.v1;\n\nimport "shop/v1/price.proto";\n\nmessage Label {\n  shop.v1.Price price = 1;\n}\n',
      changed:
        'syntax = "proto3";\n\npackage gift.v1;\n\nimport "shop/v1/price.proto";\n\nmessage Free {\n  string name = 1;\n  shop.v1.Price free = 2;\n}\n',
      moved: 'proto/gift/v1/tag.proto',
    },
  },
});

beforeAll(() => install(protobuf), installTimeoutMs);

const header = 'syntax = "proto2";\n';
const shop = `${header}package shop;\nmessage Price {\n  message Discount {}\n}\n`;
const gift = `${header}package gift;\nimport "shop/price.proto";\nmessage Gift {\n  optional shop.Price price = 1;\n  optional .shop.Price.Discount discount = 2;\n}\n`;

/** Returns a project with two files, `shop/price.proto` and `gift/gift.proto`, in a directory. */
function projectIn(directory: string, files: Readonly<Record<string, string>>): Workspace {
  return makeWorkspace({ [`${directory}shop/price.proto`]: shop, [`${directory}gift/gift.proto`]: gift, ...files });
}

async function linesOfPrice(project: Workspace, directory: string): Promise<string> {
  await using opened = await Opened.open(project);
  return renderReferences(await opened.references('Price', `${directory}shop/price.proto`));
}

describe('buf: imports are resolved', () => {
  const places: Readonly<Record<string, { directory: string; files: Readonly<Record<string, string>> }>> = {
    'without a configuration, from the project on': { directory: '', files: {} },
    'in the modules of `buf.yaml`': {
      directory: 'api/',
      files: { 'buf.yaml': 'version: v2\nmodules:\n  - path: api\n  - path: missing\n  - path: ../other\n' },
    },
    'below a directory with a configuration': {
      directory: 'server/api/',
      files: { 'server/api/buf.yaml': 'version: v1\nlint:\n  use: [DEFAULT]\n' },
    },
    'in the directories of `buf.work.yaml`': {
      directory: 'api/',
      files: { 'buf.work.yaml': 'version: v1\ndirectories:\n  - api\n' },
    },
    'in the roots of an old configuration': {
      directory: 'api/',
      files: { 'buf.yaml': 'version: v1beta1\nbuild:\n  roots: [api/]\n' },
    },
  };
  for (const [title, { directory, files }] of Object.entries(places)) {
    test(
      title,
      async () => {
        const lines = await linesOfPrice(projectIn(directory, files), directory);
        expect(lines).toContain('optional shop.Price price = 1;');
        expect(lines).toContain('optional .shop.Price.Discount discount = 2;');
      },
      questionTimeoutMs,
    );
  }
});

testUnless(process.platform === 'win32' ? 'Windows runs no shell scripts' : undefined)(
  'buf: no program that the project names as a plugin is run',
  async () => {
    const project = projectIn('', {
      'plugin.sh': '#!/bin/sh\n: > "$(dirname "$0")/ran"\n',
    });
    chmodSync(project.path('plugin.sh'), 0o755);
    project.write('buf.yaml', `version: v2\nplugins:\n  - plugin: ${project.path('plugin.sh')}\n`);
    await using opened = await Opened.open(project);
    expect(await opened.ask((symbols) => symbols.diagnosticsOfFile('gift/gift.proto'))).toEqual([]);
    await opened.pool.stopAll();
    expect(existsSync(project.path('ran'))).toBe(false);
  },
  questionTimeoutMs,
);

test(
  'buf: a rename changes one part of qualified names, also in names of messages inside',
  async () => {
    const project = projectIn('', {});
    await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
    await client.ask('rename_symbol', { name_path: 'Price', relative_path: 'shop/price.proto', new_name: 'Amount' });
    expect(project.read('shop/price.proto')).toBe(shop.replace('Price', 'Amount'));
    expect(project.read('gift/gift.proto')).toBe(gift.replaceAll('shop.Price', 'shop.Amount'));
  },
  questionTimeoutMs,
);

const second = `${header}package second;
message A { optional Kind kind = 1 [default = ONE]; enum Kind { NONE = 0; ONE = 1; } }
message B {
  option (note) = { text: "}"; more { x: 1 } };
  repeated group Part = 7 { optional string name = 1; } // }
  extensions 100 to 200;
  extend A { optional B b = 100 [(words) = { list: ["a", "]"] }]; }
}
`;

test(
  'buf: ranges are those of statements, also with groups, values in braces and several on one line',
  async () => {
    await using opened = await Opened.open(makeWorkspace({ 'second.proto': second }));
    const tree = await opened.ask((symbols) => symbols.overview('second.proto'));
    expect(renderTree(opened.workspace, tree)).toMatchInlineSnapshot(`
      "Class A 2:0-2:86 name 2:8 | message A { optional Kind kind = 1 [default = ONE]; enum Kind { NONE = 0; ONE = 1; } }
      Field A/kind 2:12-2:51 name 2:26 | optional Kind kind = 1 [default = ONE]; enum Kind { NONE = 0; ONE = 1; } }
      Enum A/Kind 2:52-2:84 name 2:57 | enum Kind { NONE = 0; ONE = 1; } }
      EnumMember A/Kind/NONE 2:64-2:73 name 2:64 | NONE = 0; ONE = 1; } }
      EnumMember A/Kind/ONE 2:74-2:82 name 2:74 | ONE = 1; } }
      Class B 3:0-8:1 name 3:8 | message B {
      Class B/Part 5:2-5:55 name 5:17 | repeated group Part = 7 { optional string name = 1; } // }
      Field B/Part/name 5:28-5:53 name 5:44 | optional string name = 1; } // }
      Field B/b 7:13-7:65 name 7:24 | optional B b = 100 [(words) = { list: ["a", "]"] }]; }"
    `);
    const { answer, missing } = await opened.askPartly((symbols) =>
      referencesTo(symbols, 'A/Kind/ONE', 'second.proto'),
    );
    expect(renderReferences(answer)).toBe('(none)');
    expect(missing).toEqual([expect.stringContaining('cannot resolve 1 occurrence of `ONE`')]);
  },
  questionTimeoutMs,
);
