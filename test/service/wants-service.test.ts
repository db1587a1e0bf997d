import { describe, expect } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wantsService } from '../../src/service/wants-service.ts';
import { whyNoService } from '../support/service.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';

describe('whether a client wants the service', () => {
  for (const [text, wanted] of [
    ['', true],
    ['projects: []\n', true],
    ['# service: off\n', true],
    ['service_idle_minutes: 3\n', true],
    ['{}', true],
    ['{"service": "auto"}', true],
    ['service: auto\n', true],
    ['service: off\n', false],
    ["service: 'off'\n", false],
    ['service : off\n', false],
    ['"service": off\n', false],
    ['{service: off}', false],
    ['{"service": "off"}', false],
  ] as const) {
    testUnless(whyNoService)(`is ${wanted} with the configuration \`${text.trim()}\``, () => {
      const home = makeTempDir();
      writeFileSync(join(home, 'serena_config.yml'), text);
      expect(wantsService(['start-mcp-server'], { SERENA_HOME: home })).toBe(wanted);
    });
  }
});
