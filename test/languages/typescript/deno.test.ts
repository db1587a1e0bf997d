import { delimiter, join } from 'node:path';
import { root } from '../../../scripts/support/paths.ts';
import { deno } from '../../../src/languages/typescript/servers.ts';
import { describeServer } from '../../servers/conformance.ts';
import { typescriptQuestions } from './questions.ts';

/** Deno is on `PATH` during development, as one of this repository's packages. */
const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);

describeServer(deno, { fixture: 'typescript', questions: typescriptQuestions, env: { PATH: path } });
