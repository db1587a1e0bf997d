import { typescriptVts } from '../../src/languages/typescript/servers.ts';
import { describeServer } from './conformance.ts';
import { typescriptQuestions } from './typescript-questions.ts';

describeServer(typescriptVts, { fixture: 'typescript', questions: typescriptQuestions });
