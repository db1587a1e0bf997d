import { accessSync, constants, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readTextIfExists } from '../../base/files.ts';
import { receiptFile } from './layout.ts';

/** Describes an installation. It is written last, so a directory with a receipt is complete. */
export interface Receipt {
  readonly id: string;
  readonly version: string;
  readonly key: string;
  /** The entry script or binary, relative to the directory, with `/`. */
  readonly program: string;
  /** `name@version` of every package or module in it. */
  readonly contents: readonly string[];
  readonly target: string;
  /** ISO 8601, UTC. */
  readonly installedAt: string;
}

/** Matches programs that our own runtime runs. */
const isScript = /\.[cm]?js$/;

/** Writes the receipt of the finished installation in `directory`. */
export function writeReceipt(directory: string, receipt: Receipt): void {
  writeFileSync(join(directory, receiptFile), `${JSON.stringify(receipt, null, 2)}\n`);
}

/**
 * Returns the receipt in `directory`, or `undefined` if it is missing or invalid. @throws system errors other than a
 * missing file.
 */
export function readReceipt(directory: string): Receipt | undefined {
  const text = readTextIfExists(join(directory, receiptFile));
  return text === undefined ? undefined : parseReceipt(text);
}

/**
 * True if `directory` contains the complete installation with this key and program: its receipt has the key, and the
 * program exists. A receipt of another program counts too: several servers may run programs of the same packages, and
 * installing again would replace the files of a running one.
 *
 * @throws system errors other than a missing file, such as missing permissions.
 */
export function isComplete(directory: string, { key, program }: Pick<Receipt, 'key' | 'program'>): boolean {
  const receipt = readReceipt(directory);
  const path = join(directory, program);
  if (receipt?.key !== key || !existsSync(path)) return false;
  return receipt.program === program || isScript.test(program) || isExecutable(path);
}

/** Installing makes only the program of the receipt executable. */
function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function parseReceipt(text: string): Receipt | undefined {
  const schema = z.object({
    id: z.string(),
    version: z.string(),
    key: z.string(),
    program: z.string(),
    contents: z.array(z.string()),
    target: z.string(),
    installedAt: z.string(),
  });
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
