export const POWERS = ['start', 'stop', 'restart'] as const;
export type Power = (typeof POWERS)[number];

/** What some services do without waiting for the system of an instance, beside the graceful way. */
export const FORCIBLE = ['stop', 'restart'] as const;
export type Forcible = (typeof FORCIBLE)[number];
/** What can be asked of an instance's power. */
export type AskedOfPower = Power | `force-${Forcible}`;

/** An accepted write on its way. */
export interface Action {
  readonly state: 'running' | 'done' | 'failed';
  /** Why it failed, where the service says so; foreign text. */
  readonly said?: string;
}

export interface IdentifiedAction extends Action {
  readonly id: string;
}

/** An action as the service lists it with its instance. */
export interface BegunAction extends IdentifiedAction {
  /** Undefined where it is nothing that the bot asks for. */
  readonly does: AskedOfPower | undefined;
  /** By the service's clock, Unix ms; it may be cut to the second. */
  readonly startedAt: number;
}

/** What was begun on an instance. */
export interface Begun {
  readonly actions: readonly BegunAction[];
  /** Whether there are actions that it doesn't have. */
  readonly hasMore: boolean;
  /** Where it doesn't have all: since when it does, by the service's clock, Unix ms, as far as the service's list tells. */
  readonly reachesBackTo?: number;
  /** When the service answered, by its own clock: Unix ms, cut to the second. Undefined where it doesn't say. */
  readonly servedAt?: number;
}

/** What people read about a service, and which of the things that not every service does it does. */
export interface AboutService {
  /** How people call it: "Hetzner Cloud". */
  readonly name: string;
  readonly deletion: Deletion | NoDeletion;
  /** What is to be paid for an instance that is stopped, as a sentence; undefined where nobody says. */
  readonly stoppedCosts?: string;
  /** What it does once a balance is used up; undefined where it has none, or promises nothing. */
  readonly atZero?: AtZero;
  /** It tops a balance up by itself, as whoever runs the bot says: no service tells. */
  readonly isToppedUp?: boolean;
  /** What it counts a balance in, as people call it. */
  readonly unit?: string;
  /** What it bills in, as a code like USD, where it is paid afterwards. */
  readonly currency?: string;
  readonly offers: {
    readonly deletion: boolean;
    readonly addons: boolean;
    /** How it is paid; undefined where it says nothing of money. */
    readonly billing: 'prepaid' | 'postpaid' | undefined;
    /** What a month is spent on, and its invoices and payments, where it is paid afterwards. */
    readonly charges: boolean;
    readonly bills: boolean;
    /** What can be done without waiting for the system of an instance. */
    readonly forcing: readonly Forcible[];
  };
  /** What has been done for certain once the service's own action has ended well. */
  readonly actionProves: readonly AskedOfPower[];
}

/** What a service counts in, as people call it. Pure. */
export function unitOf({ unit = 'credits' }: Pick<AboutService, 'unit'>): string {
  return unit;
}

/** What becomes of what is paid by the day once nothing is left, in the service's own truth. */
export interface AtZero {
  /** What it does with them first, after "the host": "pauses". */
  readonly does: string;
  /** When it deletes them, where it does: "after some days". */
  readonly deletes?: string;
  /** Whether a top-up brings back by itself what it has paused. */
  readonly resumes: boolean;
}

/** What a deletion does, in the service's own truth. */
export interface Deletion {
  /** What goes with an instance, each an item of a list: "its server, with its disk". */
  readonly takes: readonly string[];
  /** What stays, as a sentence without its full stop. */
  readonly leaves: string;
  /** What goes, as one sentence for the card of a deletion that can still be canceled. */
  readonly inShort: string;
  /** The service deletes only what is stopped: one that runs is to be stopped first, which people are told before they are asked. */
  readonly onlyStopped?: true;
  /**
   * Set where the service deletes nothing at once, and cancels: the instance runs, and costs, until the end of this. After "the end
   * of": "its paid month". The bot calls it canceled once the instance has `endsAt`, and never by the answer alone.
   */
  readonly atEndOf?: string;
}

/** A service at which the bot can delete nothing. */
export interface NoDeletion {
  /** Why, and where it is done, as a sentence: "Servers are canceled in the console, to the end of their month." */
  readonly notOffered: string;
}
