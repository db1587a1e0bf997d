import { describe, expect } from 'bun:test';
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Ended, runProgram } from '../support/program.ts';
import { testUnless } from '../support/skip.ts';
import { mountSmall, type SmallDisk, whyNoMount } from '../support/small-disk.ts';
import { makeTempDir } from '../support/temp.ts';

const diskTest = testUnless(whyNoMount());
/** Amounts with which nothing, a part of the new file, or all of it can be written. */
const amountsKb = [0, 4, 12, 30, 52, 66, 80, 120, 200];
/** Numbers of new files with which nothing, a part or all of the work can be done. */
const fileCounts = [0, 1, 2, 3, 10];

/** A file on a disk that is nearly full, and a command that changes it. */
interface Case {
  readonly disk: SmallDisk;
  readonly file: string;
  readonly text: string;
  /** Another name of the file (hard link). */
  readonly otherName?: string;
  readonly isChanged: (text: string) => boolean;
  readonly run: () => Promise<Ended>;
}

/** Runs the command with each amount of free space: the file must be as before, or as the command says it is. */
async function sweep({ disk, file, otherName, text, isChanged, run }: Case): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const codes = new Set<number | null>();
  const limits = [
    ...amountsKb.map((freeKb) => ({ freeKb, apply: () => disk.fill(freeKb) })),
    ...fileCounts.map((files) => ({ files, apply: () => disk.fillInodes(files) })),
  ];
  for (const { apply, ...limit } of limits) {
    disk.fill(10_000);
    for (const name of readdirSync(dirname(file))) rmSync(join(dirname(file), name), { recursive: true });
    writeFileSync(file, text);
    if (otherName !== undefined) {
      rmSync(otherName, { force: true });
      linkSync(file, otherName);
    }
    apply();
    const { code, stderr } = await run();
    codes.add(code);
    const now = readFileSync(file, 'utf8');
    if (otherName !== undefined) expect(readFileSync(otherName, 'utf8')).toBe(now);
    if (code === 0)
      expect({ limit, isChanged: isChanged(now), stderr }).toEqual({ limit, isChanged: true, stderr: '' });
    else {
      expect({ limit, isUnchanged: now === text, code }).toEqual({ limit, isUnchanged: true, code: 74 });
      expect(stderr).toContain('no space left on device');
      expect(stderr).not.toContain('Internal error');
      // No part of a new file or of a copy remains.
      expect(readdirSync(dirname(file)).filter((name) => name !== 'serena_config.lock')).toHaveLength(1);
    }
  }
  expect([...codes].sort()).toEqual([0, 74]);
}

describe('on a full disk', () => {
  for (const [which, links] of [
    ['', 0],
    [' that has another name', 1],
  ] as const) {
    diskTest(`\`setup\` leaves the configuration of a client${which} whole, and says that it failed`, async () => {
      await using disk = mountSmall('400k', 'nr_inodes=60');
      const servers = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`k${index}`, 'x'.repeat(80)]));
      await sweep({
        disk,
        file: join(disk.directory, '.cursor', 'mcp.json'),
        ...(links > 0 && { otherName: join(disk.directory, 'mcp.json') }),
        text: `${JSON.stringify({ mcpServers: servers }, null, 2)}\n`,
        isChanged: (text) => JSON.parse(text).mcpServers.serena !== undefined,
        run: () => runProgram(['setup', 'cursor'], { env: { HOME: disk.directory, SERENA_HOME: makeTempDir() } }),
      });
    });

    diskTest(`\`config set\` leaves a configuration${which} whole, and says that it failed`, async () => {
      await using disk = mountSmall('400k', 'nr_inodes=60');
      const comments = Array.from({ length: 900 }, (_, index) => `# comment ${index} ${'x'.repeat(40)}`);
      await sweep({
        disk,
        file: join(disk.directory, 'home', 'serena_config.yml'),
        ...(links > 0 && { otherName: join(disk.directory, 'serena_config.yml') }),
        text: [...comments, 'log_level: 20', ''].join('\n'),
        isChanged: (text) => text === [...comments, 'log_level: 30', ''].join('\n'),
        run: () =>
          runProgram(['config', 'set', 'log_level', '30'], { env: { SERENA_HOME: join(disk.directory, 'home') } }),
      });
    });
  }
});
