import { pythonTy } from '../../src/languages/python/servers.ts';
import { describeServer } from './conformance.ts';
import { pythonQuestions } from './python-questions.ts';

describeServer(pythonTy, { fixture: 'python', questions: pythonQuestions });
