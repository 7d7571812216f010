import { newId } from '../../platform/id.ts';
import type { Offers } from './offers.ts';

/** The same, but nothing new is kept: for what is shown where nobody can press it. */
export function unkept(offers: Offers): Offers {
  return {
    ...offers,
    make: async () => newId(),
    put: async () => undefined,
    write: async () => undefined,
  };
}
