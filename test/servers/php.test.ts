import { php } from '../../src/servers/catalog/specs/php.ts';
import { describeServer } from './conformance.ts';
import { phpQuestions } from './php-questions.ts';

describeServer(php, { fixture: 'php', questions: phpQuestions });
