import { expect } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const directory = join(import.meta.dirname, '__answers__');

/**
 * Checks an answer against the committed one, `__answers__/<id>/<question>.txt`. With `UPDATE=1` in the environment it
 * writes that file instead.
 */
export function expectAnswer(id: string, question: string, answer: string): void {
  const path = join(directory, id, `${question}.txt`);
  const text = `${answer.trimEnd()}\n`;
  if (process.env.UPDATE === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  if (!existsSync(path)) throw new Error(`There is no ${path}: write it with UPDATE=1, then check that it is right`);
  expect(text).toBe(readFileSync(path, 'utf8'));
}
