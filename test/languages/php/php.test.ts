import { php } from '../../../src/languages/php/servers.ts';
import { describeServer } from '../../servers/conformance.ts';
import { phpQuestions } from './questions.ts';

describeServer(php, { fixture: 'php', questions: phpQuestions });
