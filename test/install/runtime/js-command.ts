// Prints what `jsCommand()` answers to its argument (JSON of a `JsProgram`) under the runtime that runs this.
import { jsCommand } from '../../../src/install/runtime/js-runtime.ts';

console.log(JSON.stringify(jsCommand(JSON.parse(process.argv[2] ?? ''))));
