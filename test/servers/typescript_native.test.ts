import { typescriptNative } from '../../src/languages/typescript/servers.ts';
import { describeServer } from './conformance.ts';
import { typescriptQuestions } from './typescript-questions.ts';

describeServer(typescriptNative, { fixture: 'typescript', questions: typescriptQuestions });
