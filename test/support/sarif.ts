import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fetchPackages } from '../../scripts/support/fetch-packages.ts';

/** Has the schema of SARIF 2.1.0, and a validator for the draft in which it is written. */
const schemaPackage = '@microsoft/jest-sarif';

/** Returns the errors of a log of SARIF 2.1.0 according to its schema. */
export async function sarifErrors(log: unknown): Promise<readonly unknown[]> {
  const directory = join(await fetchPackages(schemaPackage, '1.0.0-beta.0'), 'node_modules');
  const load = createRequire(join(directory, 'package.json'));
  const schema = readFileSync(join(directory, schemaPackage, 'lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8');
  const Ajv = load('ajv');
  const meta = load('ajv/lib/refs/json-schema-draft-04.json');
  // It would print that it ignores the `$id` of another draft.
  const validator = new Ajv({ schemaId: 'id', meta, allErrors: true, logger: false });
  validator.validate(JSON.parse(schema), log);
  return validator.errors ?? [];
}
