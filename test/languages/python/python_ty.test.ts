import { pythonTy } from '../../../src/languages/python/servers.ts';
import { describeServer } from '../../servers/conformance.ts';
import { pythonQuestions } from './questions.ts';

describeServer(pythonTy, { fixture: 'python', questions: pythonQuestions });
