import { pythonBasedpyright } from '../../../src/languages/python/servers.ts';
import { describeServer } from '../../servers/conformance.ts';
import { pythonQuestions } from './questions.ts';

describeServer(pythonBasedpyright, { fixture: 'python', questions: pythonQuestions });
