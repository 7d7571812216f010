import type { Parts } from '../parts/parts.ts';
import type { RouteTable } from './routes.ts';

/** The bot as what knows all that can be asked for has it. */
export interface Routed extends Parts {
  readonly routes: RouteTable;
}
