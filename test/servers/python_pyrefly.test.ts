import { pythonPyrefly } from '../../src/languages/python/servers.ts';
import { describeServer } from './conformance.ts';
import { pythonQuestions } from './python-questions.ts';

describeServer(pythonPyrefly, { fixture: 'python', questions: pythonQuestions });
