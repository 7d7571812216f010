import type { FindNamed, FindSubject } from './subject.ts';
import type { Routed } from './routes.ts';
import type { ResolveThis } from './this.ts';

/** The bot as what answers has it. */
export interface Answering extends Routed {
  readonly resolveThis: ResolveThis;
  readonly findSubject: FindSubject;
  readonly findNamed: FindNamed;
}
