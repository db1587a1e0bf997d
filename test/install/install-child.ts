// Installs the server that its argument describes (JSON of an `InstallRequest`) with its own environment, and prints
// one line of JSON: the installation, or what an expected failure says.
import { ExpectedError } from '../../src/base/errors.ts';
import { ensureInstalled } from '../../src/install/install.ts';

try {
  const installed = await ensureInstalled({ ...JSON.parse(process.argv[2] ?? ''), env: process.env });
  console.log(JSON.stringify(installed));
} catch (error) {
  if (!(error instanceof ExpectedError)) throw error;
  console.log(JSON.stringify({ code: error.code, message: error.message, hints: error.hints }));
}
