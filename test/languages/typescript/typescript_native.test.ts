import { typescriptNative } from '../../../src/languages/typescript/servers.ts';
import { describeServer } from '../../servers/conformance.ts';
import { typescriptQuestions } from './questions.ts';

describeServer(typescriptNative, { fixture: 'typescript', questions: typescriptQuestions });
