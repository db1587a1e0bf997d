import { cpp } from '../../src/servers/specs/cpp.ts';
import { describeServer } from './conformance.ts';
import { cppQuestions } from './cpp-questions.ts';

describeServer(cpp, { fixture: 'cpp', questions: cppQuestions });
