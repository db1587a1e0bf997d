import { typescriptVts } from '../../src/servers/catalog/specs/typescript_vts.ts';
import { describeServer } from './conformance.ts';
import { typescriptQuestions } from './typescript-questions.ts';

describeServer(typescriptVts, { fixture: 'typescript', questions: typescriptQuestions });
