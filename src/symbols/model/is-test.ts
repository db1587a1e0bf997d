import { isTestFile as isTestFileOf } from '../../languages/profiles.ts';
import { namePathOf } from './name-path.ts';
import type { SymbolNode } from './symbol.ts';

/** Conventions of several languages for the paths of tests. `django/test/` and others of Python are libraries for tests. */
const testPaths: readonly RegExp[] = [
  /(?:^|\/)(?:tests|__tests__|specs?|testdata|androidTest)\//,
  /(?:^|\/)test\/.*(?<!\.py)$/,
  /(?:^|\/)(?:test_[^/]*|conftest|tests?)\.\w+$/,
  /[._-](?:test|tests|spec|unittest)\.\w+$/,
];

/** True for files that have tests by the conventions of their language, and those of Rust, which may have them in modules. */
export function mayHaveTests(file: string): boolean {
  return file.endsWith('.rs') || isTestFile(file);
}

/** True for symbols of files that have tests by the conventions of their language, and of the module `tests` in Rust. */
export function isTest(symbol: SymbolNode): boolean {
  if (isTestFile(symbol.file)) return true;
  return symbol.file.endsWith('.rs') && /^tests?\//.test(namePathOf(symbol));
}

/** True for files that have tests by the conventions of their language. */
export function isTestFile(file: string): boolean {
  return isTestFileOf(file) || testPaths.some((pattern) => pattern.test(file));
}
