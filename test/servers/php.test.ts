import { php } from '../../src/languages/php/servers.ts';
import { describeServer } from './conformance.ts';
import { phpQuestions } from './php-questions.ts';

describeServer(php, { fixture: 'php', questions: phpQuestions });
