import type { Ask } from '../../core/ask/ask.ts';
import type { Bot } from '../../core/bot/bot.ts';
import type { Observer } from '../../core/operations/kind.ts';
import type { Access } from '../../core/policy/access.ts';
import type { Schedules } from '../../core/schedules/schedule-store.ts';
import type { Instance, Power } from '../../platform/hosting/service.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { People } from '../../platform/slack/people.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';

/** The bot as the routes of instances have it. */
export interface Instances extends Bot {
  /** The route that lists the add-ons of an instance; undefined where the service has none. */
  readonly addonsRoute: string | undefined;
}

/** What the verbs that change instances have of the bot: they are declared before the rest of it is built. */
export interface InstanceVerbs extends Pick<
  Bot,
  'clock' | 'timings' | 'hosting' | 'links' | 'unit' | 'offers' | 'past' | 'isProtected' | 'approvalRules'
> {
  readonly access: Pick<Access, 'check' | 'require'>;
  readonly people: Pick<People, 'zone'>;
  readonly schedules: Pick<Schedules, 'list'>;
  /** Of the calendar. */
  readonly calendar: Pick<RedisClock, 'now'>;
  /** What a power action of several changes in costs, as far as the asker may know. */
  readonly price: (power: Power, instances: readonly Instance[], ask: Ask) => Promise<readonly Phrase[]>;
  readonly observer: Observer;
}
