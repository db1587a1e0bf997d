import type { Place } from '../../text/place.ts';
import type { Position } from '../../text/position.ts';

export interface Occurrence extends Place {
  /** Expression before the name, such as `self.`; empty for a bare name. */
  readonly qualifier: string;
  /** Where the file declares the variable or parameter that the name means, if its syntax tree shows that. */
  readonly binding?: Position;
}
