import type { Place } from '../../text/place.ts';

/** An occurrence of a name in code. */
export interface Occurrence extends Place {
  /** Expression before the name, such as `self.`; empty for a bare name. */
  readonly qualifier: string;
}
