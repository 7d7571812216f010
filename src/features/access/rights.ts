import type { Bot } from '../../core/bot/bot.ts';
import type { Change } from '../../core/changes/change.ts';
import type { Holdings } from '../../core/policy/owned.ts';

/** The bot as what looks for all that people hold has it: it is looked for before features are built. */
export interface WhoHolds extends Pick<
  Bot,
  | 'clock'
  | 'people'
  | 'userGroups'
  | 'outbox'
  | 'access'
  | 'accessStore'
  | 'accessRequests'
  | 'approvals'
  | 'favorites'
  | 'schedules'
> {
  /** People whom the configuration names, and where it does, as a person finds it there. */
  readonly namedPeople: () => readonly { readonly from: string; readonly names: readonly string[] }[];
  /** What people hold that other features keep. */
  readonly moreHoldings: Holdings;
}

/** The bot as the routes have it that say who may do what. */
export interface Rights extends Bot, WhoHolds {
  /** The name of the file that roles are kept in; undefined where they are given in Slack. */
  readonly rolesFile: string | undefined;
  /** Every verb that changes something. */
  readonly changes: readonly Change[];
}
