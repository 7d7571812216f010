import type { Bot } from '../../core/bot/bot.ts';
import type { Places } from '../../core/policy/places.ts';
import type { NounOf } from './words.ts';

/** The bot as what tells of the audit has it. */
export interface Audited extends Bot, NounOf {
  /** How long entries are kept, in ms. */
  readonly keepMs: number;
  /** Where instances may be spoken of whoever is there. */
  readonly places: Pick<Places, 'allow'>;
}
