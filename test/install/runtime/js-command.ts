// Prints the result of `jsCommand()` for its argument (JSON of a `JsProgram`) under the current runtime.
import { jsCommand } from '../../../src/install/runtime/js-runtime.ts';

console.log(JSON.stringify(jsCommand(JSON.parse(process.argv[2] ?? ''))));
