import type { Bot } from '../../core/bot/bot.ts';
import type { Change } from '../../core/changes/change.ts';
import type { Route } from '../../core/intake/route.ts';
import type { Places } from '../../core/policy/places.ts';
import type { AgentStore } from './record.ts';

/** The bot as agents, and who answers what they propose, have it. */
export interface Proposing extends Bot {
  readonly agents: AgentStore;
  /** Where instances may be spoken of whoever is there. */
  readonly places: Pick<Places, 'allow'>;
  /** Whether agents may ask at all. */
  readonly hasAgents: boolean;
  /** Verbs of instances. */
  readonly changes: readonly Change[];
  /** The route that a proposal asks for. */
  readonly findRoute: (routeId: string) => Route | undefined;
}
