import { typescriptNative } from '../../src/servers/catalog/specs/typescript_native.ts';
import { describeServer } from './conformance.ts';
import { typescriptQuestions } from './typescript-questions.ts';

describeServer(typescriptNative, { fixture: 'typescript', questions: typescriptQuestions });
