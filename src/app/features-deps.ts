import type { Examine, Names } from '../features/doctor/index.ts';
import type { Config } from './config/config.ts';
import type { Lamplighter } from '../features/lamplighter/home.ts';
import type { Change } from '../core/changes/change.ts';
import type { Bot } from '../core/bot/bot.ts';
import type { Parts } from '../core/parts/parts.ts';

/** What verbs that change something are given to choose from. */
export type ChangesDeps = Parts & Pick<Bot, 'past' | 'schedules'> & { readonly config: Config };

/** The verbs that change something, by noun. */
export interface Changes {
  readonly instances: readonly Change[];
  readonly addons: readonly Change[];
}

/** What features are given to choose from. */
export interface FeaturesDeps extends Bot {
  readonly config: Config;
  readonly changes: Changes;
  readonly otherAccounts: Lamplighter['otherAccounts'];
  /** People whom the configuration of the account names, and where it does. */
  readonly namedPeople: () => readonly Names[];
  readonly examine: Examine;
}

/** Verbs that are declared elsewhere and join those of the features. */
export type MoreChanges = (deps: ChangesDeps) => Partial<Changes>;
