import type { ServiceIdentity } from '../../service/service-address.ts';
import type { Environment } from '../environment.ts';

/** Returns what determines the service of this program and environment. */
export function serviceIdentity({ env, version, build }: Environment): ServiceIdentity {
  return { env, version: `${version}+${build?.commit ?? ''}`, program: process.execPath };
}
