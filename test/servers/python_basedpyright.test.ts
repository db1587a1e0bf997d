import { pythonBasedpyright } from '../../src/servers/catalog/specs/python_basedpyright.ts';
import { describeServer } from './conformance.ts';
import { pythonQuestions } from './python-questions.ts';

describeServer(pythonBasedpyright, { fixture: 'python', questions: pythonQuestions });
