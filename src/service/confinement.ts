import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Facts about what the kernel lets a process do, by name. */
type Confinement = ReadonlyMap<string, string>;

const namespaces = ['user', 'mnt', 'pid', 'net', 'ipc', 'uts', 'time', 'cgroup'];
const statusFields =
  /^(Uid|Gid|Groups|CapInh|CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs|Seccomp|Seccomp_filters):[ \t]*(.*)$/gm;
/** Without one of these the comparison would prove nothing. */
const required = [
  'user',
  'mnt',
  'pid',
  'net',
  'root',
  'label',
  'Uid',
  'Gid',
  'CapBnd',
  'CapEff',
  'NoNewPrivs',
  'Seccomp',
];

/**
 * Returns the facts about the process `pid`: namespaces, root directory, user, groups, capabilities, no-new-privileges,
 * seccomp filters, and the label of its security module.
 *
 * @throws {Error} if one of them cannot be read.
 */
export function confinementOf(pid: number): Confinement {
  const proc = `/proc/${pid}`;
  const facts = new Map<string, string>();
  const known = new Set(readdirSync('/proc/self/ns'));
  for (const name of namespaces) if (known.has(name)) facts.set(name, readlinkSync(`${proc}/ns/${name}`));
  const root = statSync(`${proc}/root/`, { bigint: true });
  facts.set('root', `${root.dev}:${root.ino}`);
  facts.set('label', labelOf(proc));
  for (const [, name = '', value = ''] of readFileSync(`${proc}/status`, 'utf8').matchAll(statusFields))
    facts.set(name, value.trim());
  for (const name of required) if (!facts.has(name)) throw new Error(`the kernel does not report \`${name}\``);
  return facts;
}

/** Returns the names of the facts in which two processes differ. */
function differences(one: Confinement, other: Confinement): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
}

/**
 * Returns why nothing can be concluded about a process with these facts; `undefined` if it is free. The kernel reports
 * that a process has a seccomp filter, but not which one, and a Landlock domain not at all: setting one up requires
 * no-new-privileges of all but administrators.
 */
export function confinementProblem(facts: Confinement): string | undefined {
  if (facts.get('NoNewPrivs') !== '0') return 'it runs with no-new-privileges';
  return facts.get('Seccomp') === '0' ? undefined : 'it runs with a seccomp filter';
}

/** The label of AppArmor or SELinux; a kernel without a security module has none. */
function labelOf(proc: string): string {
  try {
    return readFileSync(`${proc}/attr/current`, 'utf8').replace(/[\0\n]+$/, '');
  } catch (error) {
    // The file exists but cannot be read where no module provides a label.
    if (error instanceof Error && 'code' in error && (error.code === 'EINVAL' || error.code === 'ENOENT')) return '';
    throw error;
  }
}

/** The process at the other end of a connection. */
interface Peer {
  readonly pid: number;
  readonly uid: number;
}

const solSocket = 1;
const soPeerCred = 17;

/**
 * Returns the process that opened the other end of a Unix socket: of a service, the one that listens. The kernel recorded
 * it, so that the other end cannot choose it.
 *
 * @throws {Error} if this runtime or kernel does not report it.
 */
export function peerOf(socket: Socket): Peer {
  const fd: unknown = Object(Reflect.get(socket, '_handle')).fd;
  if (typeof fd !== 'number' || fd < 0) throw new Error('this runtime does not report the descriptor of a socket');
  readCredentials ??= loadReader();
  const [pid = 0, uid = -1] = readCredentials(fd);
  if (pid <= 0) throw new Error('the kernel does not report the process of a connection');
  return { pid, uid };
}

/** Returns the process id and user id of the other end of the socket with this descriptor; nothing if it has none. */
type CredentialReader = (fd: number) => readonly number[];

let readCredentials: CredentialReader | undefined;

function loadReader(): CredentialReader {
  const ffi = Object(process.getBuiltinModule('bun:ffi'));
  const libraries = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`];
  for (const library of libraries) {
    try {
      const { symbols } = ffi.dlopen(library, {
        getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
      });
      return (fd) => {
        const credentials = new Int32Array(3);
        const size = new Uint32Array([credentials.byteLength]);
        const result = symbols.getsockopt(fd, solSocket, soPeerCred, ffi.ptr(credentials), ffi.ptr(size));
        return result === 0 ? [...credentials] : [];
      };
    } catch {
      // The other C library.
    }
  }
  throw new Error('cannot load the C library');
}

/**
 * Returns why this process must not exchange anything with the process at the other end of a connection: it belongs to
 * another user, is confined differently, or cannot be examined; `undefined` if the two may do the same.
 */
export function peerProblem(socket: Socket): string | undefined {
  try {
    const peer = peerOf(socket);
    if (peer.uid !== process.getuid?.()) return 'it belongs to another user';
    const facts = confinementOf(peer.pid);
    const different = differences(confinementOf(process.pid), facts);
    if (different.length > 0) return `process ${peer.pid} is confined differently: ${different.join(', ')}`;
    return confinementProblem(facts);
  } catch (error) {
    return `cannot examine it: ${error instanceof Error ? error.message : String(error)}`;
  }
}
