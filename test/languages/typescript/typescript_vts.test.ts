import { typescriptVts } from '../../../src/languages/typescript/servers.ts';
import { describeServer } from '../../servers/conformance.ts';
import { typescriptQuestions } from './questions.ts';

describeServer(typescriptVts, { fixture: 'typescript', questions: typescriptQuestions });
