import { pythonPyrefly } from '../../../src/languages/python/servers.ts';
import { describeServer } from '../../servers/conformance.ts';
import { pythonQuestions } from './questions.ts';

describeServer(pythonPyrefly, { fixture: 'python', questions: pythonQuestions });
