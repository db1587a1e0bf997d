import { pythonBasedpyright } from '../../src/languages/python/servers.ts';
import { describeServer } from './conformance.ts';
import { pythonQuestions } from './python-questions.ts';

describeServer(pythonBasedpyright, { fixture: 'python', questions: pythonQuestions });
