import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whyNoProgram } from './skip.ts';
import { makeTempDir } from './temp.ts';

/** A certificate for `127.0.0.1` and `localhost`, signed by an authority that no machine trusts. */
export interface Certificates {
  /** Absolute path of the authority's certificate, for `cafile` and `NODE_EXTRA_CA_CERTS`. */
  readonly caPath: string;
  readonly ca: string;
  readonly keyPath: string;
  readonly certificatePath: string;
}

/** Returns the reason why this machine cannot create certificates, or `undefined` if it can. */
export function whyNoCertificates(): string | undefined {
  return whyNoProgram('openssl');
}

/**
 * Creates an authority and a certificate for a loopback server with the additional DNS `names`; both are valid for two
 * days.
 */
export function makeCertificates(...names: readonly string[]): Certificates {
  const directory = makeTempDir('certificates');
  const at = (name: string) => join(directory, name);
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'ignore' });
  const newKey = ['-newkey', 'rsa:2048', '-nodes'];
  openssl('req', '-x509', ...newKey, '-days', '2', '-keyout', 'ca-key.pem', '-out', 'ca.pem', '-subj', '/CN=Test CA');
  openssl('req', '-new', ...newKey, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=127.0.0.1');
  const others = names.map((name) => `,DNS:${name}`).join('');
  writeFileSync(at('names.txt'), `subjectAltName=IP:127.0.0.1,DNS:localhost${others}\n`);
  const signed = ['-in', 'request.pem', '-CA', 'ca.pem', '-CAkey', 'ca-key.pem', '-CAcreateserial'];
  openssl('x509', '-req', ...signed, '-days', '2', '-extfile', 'names.txt', '-out', 'certificate.pem');
  const caPath = at('ca.pem');
  return { caPath, ca: readFileSync(caPath, 'utf8'), keyPath: at('key.pem'), certificatePath: at('certificate.pem') };
}
