import { pythonPyrefly } from '../../src/servers/catalog/specs/python_pyrefly.ts';
import { describeServer } from './conformance.ts';
import { pythonQuestions } from './python-questions.ts';

describeServer(pythonPyrefly, { fixture: 'python', questions: pythonQuestions });
