import type { Instance } from '../../platform/hosting/service.ts';

/** A change as a sentence asks for it: a button, never begun by itself. */
export interface OfferedChange {
  readonly routeId: string;
  readonly verb: string;
  readonly words: readonly string[];
  readonly about: readonly Instance[];
}

/** What a sentence comes to. */
export type Understood =
  /** What only shows something, and is answered at once. */
  | {
      readonly what: 'read';
      readonly routeId: string;
      readonly words: readonly string[];
      /** Nothing of the sentence is left over. */
      readonly isWhole: boolean;
      /** The instances that its words name. */
      readonly about: readonly Instance[];
      /** Words that mean nothing here. */
      readonly unread: readonly string[];
    }
  /** Changes, of which none is begun without a press. `isWhich`: one of them is meant, and nobody can tell which. */
  | {
      readonly what: 'offers';
      readonly offers: readonly OfferedChange[];
      readonly isWhich: boolean;
      /** Names of which there are none. */
      readonly unknown?: readonly string[];
      /** What was said beside, as it was typed, and means nothing here. */
      readonly apart?: readonly string[];
    }
  /** A change that is not to be made: "don't restart web-1". `about`: none where it names none. */
  | { readonly what: 'refrain'; readonly routeId: string; readonly about: readonly Instance[] }
  /** A change of something that isn't named: its route asks of what. `unknown`: it is, by names that nothing has. */
  | {
      readonly what: 'which';
      readonly routeId: string;
      readonly words: readonly string[];
      readonly unknown: readonly string[];
    }
  /** Something that the bot doesn't do, and what it can show of it. */
  | {
      readonly what: 'cannot';
      readonly cannot: string;
      readonly about: readonly Instance[];
      /** It is ordered, though not as the bot can do it: a part of it would be something else. */
      readonly isOrder?: true;
    }
  | { readonly what: 'thanks' };
