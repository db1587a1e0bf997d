// usage: bun test/support/with-seccomp.ts <program> [arg…]
// Runs the program under a seccomp filter that allows everything, without no-new-privileges if this user may do that.
import { dlopen, ptr } from 'bun:ffi';
import { spawn } from 'node:child_process';

const prSetNoNewPrivs = 38;
const prSetSeccomp = 22;
const seccompModeFilter = 2;
const allow = 0x7fff0000;

const { symbols } = dlopen('libc.so.6', {
  prctl: { args: ['i32', 'u64', 'u64', 'u64', 'u64'], returns: 'i32' },
});
// One BPF instruction: return `allow`.
const filter = new Uint8Array(8);
new DataView(filter.buffer).setUint16(0, 0x06, true);
new DataView(filter.buffer).setUint32(4, allow, true);
const program = new BigUint64Array([1n, BigInt(ptr(filter))]);
const set = () => symbols.prctl(prSetSeccomp, seccompModeFilter, ptr(program), 0, 0);
if (set() !== 0 && (symbols.prctl(prSetNoNewPrivs, 1, 0, 0, 0) !== 0 || set() !== 0)) process.exit(1);
const [command = '', ...args] = process.argv.slice(2);
// The thread that spawns has the filter.
const child = spawn(command, args, { stdio: 'inherit' });
child.once('exit', (code) => process.exit(code ?? 1));
