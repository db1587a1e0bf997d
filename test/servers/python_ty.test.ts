import { pythonTy } from '../../src/servers/catalog/specs/python_ty.ts';
import { describeServer } from './conformance.ts';
import { pythonQuestions } from './python-questions.ts';

describeServer(pythonTy, { fixture: 'python', questions: pythonQuestions });
