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
