import type { PersonRecord } from '../people.ts';
import type { Person } from './acting/person.ts';
import type { ApiCall } from './api/calls.ts';
import type { FailNext, Matcher, SlackFault } from './api/faults.ts';
import type { HistoryLimit } from './api/history-limit.ts';
import type { PaceLimits } from './api/pace-limit.ts';
import type { Held } from './api/hold.ts';
import type { BotAnswer } from './bot/door.ts';
import type { WireAnswer } from './bot/http-door.ts';
import type { RawRequest } from './bot/raw-request.ts';
import type { DisconnectReason } from './bot/sockets.ts';
import type { Look, Truthy } from './changes.ts';
import type { Json } from './json.ts';
import type { OAuthHandle } from './oauth/oauth-handle.ts';
import type { OAuthSetup } from './oauth/installs.ts';
import type { ChannelHandle } from './workspace/channel-handle.ts';
import type { Channel, ChannelSetup } from './workspace/channel.ts';
import type { Execution } from './workspace/executions.ts';
import type { PostedMessage } from './workspace/posted-message.ts';
import type { ScheduledMessage } from './workspace/scheduled.ts';
import type { Usergroup } from './workspace/usergroup.ts';
import type { View } from './workspace/views.ts';
import type { SlackAddresses } from './world.ts';

export interface SlackDoubleOptions {
  readonly people?: readonly PersonRecord[];
  readonly channels?: readonly ChannelSetup[];
  readonly signingSecret?: string;
  readonly botToken?: string;
  readonly appToken?: string;
  /** The bot token's scopes. */
  readonly scopes?: readonly string[];
  /** How the app is installed over OAuth, in which workspaces, and whether its tokens expire. */
  readonly oauth?: OAuthSetup;
  /**
   * Whether the workspace belongs to an Enterprise organization: payloads and answers name it, and `grace`, `neighbor`
   * and `outsider` are there. `org-wide token`: the app is installed in the organization and in no one workspace.
   */
  readonly inOrganization?: boolean | 'org-wide token';
  /** The event types the app subscribed to. */
  readonly events?: readonly string[];
  /** The app's slash commands; every command is the app's when left out. */
  readonly commands?: readonly string[];
  /** The sandbox's time in milliseconds, for ts, triggers and response URLs. */
  readonly clock?: () => number;
  /** How long Slack waits for an answer, and how long a trigger is good for; 3000 as in life. */
  readonly deadlineMs?: number;
  /** Slack's limits on reading history for apps that are distributed; without, there are none. */
  readonly historyLimit?: HistoryLimit;
  /** How often the app may post and edit; without, as often as it likes. */
  readonly paceLimits?: PaceLimits;
  /** Under which addresses the bot reaches it, where something else leads there; without, where it listens. */
  readonly addresses?: SlackAddresses;
  /** Faults of its own accord, asked for every call; for runs with many. */
  readonly weather?: (call: ApiCall) => SlackFault | undefined;
}

/** A Slack workspace on this machine. */
export interface SlackDouble {
  readonly signingSecret: string;
  readonly botToken: string;
  readonly appToken: string;

  /** Where it listens, without a path. Empty before it does. */
  readonly url: string;
  /** Listens on 127.0.0.1. `apiUrl` is what the bot's `slackApiUrl` wants. */
  start(port?: number): Promise<{ apiUrl: string }>;
  /** Closes every connection; calls that wait for one are answered. */
  stop(): Promise<void>;
  /**
   * Says where the bot listens; several addresses are taken in turn, as by a load balancer. Socket Mode needs none:
   * an open connection is used before HTTP.
   */
  connect(bot: { requestUrl: string | readonly string[] }): void;

  /** Where Slackbot asks the bot; throws when nobody said where the bot is. */
  agentsUrl(): string;

  /** A person by handle or id. */
  person(who: string): Person;
  channel(which: string): ChannelHandle;
  /** The channels that a person is in, the direct message with the bot left out. */
  channelsOf(who: string): readonly Channel[];
  /** Everybody, including people who have left and other bots. */
  everybody(): readonly PersonRecord[];
  readonly usergroups: readonly Usergroup[];
  /** The user groups that a person is in: their handles by their ids. */
  groupsOf(who: string): ReadonlyMap<string, string>;
  /** Who is in a user group, by handles, to be changed. */
  membersOf(group: string): Set<string>;
  /** Changes what is known of a person, for example `{ isDeleted: true }`. */
  setPerson(who: string, changes: Partial<PersonRecord>): void;

  /** Resolves with the first truthy value, looking again after every change; rejects with a picture of the workspace. */
  until<T>(look: Look<T>, options?: { timeoutMs?: number }): Promise<Truthy<T>>;
  /** Calls `look` after each change; gives the function that ends it. */
  watch(look: () => void): () => void;

  /** Every call of the bot, response URLs included, in order of arrival. */
  readonly calls: readonly ApiCall[];
  /** The calls that Slack refused, faults asked for left out: a good bot's test sees none. */
  readonly refusals: readonly ApiCall[];

  /** Sends what Slack would not: unsigned, stale, forged or malformed requests. */
  send(raw: RawRequest): Promise<WireAnswer>;
  /** The same signed bytes once more. */
  replay(requestId: string): Promise<BotAnswer>;
  /** Slack's own retry of an event; the reason is `http_timeout` when left out. */
  retry(requestId: string, num: number, reason?: string): Promise<BotAnswer>;
  /**
   * Tells of a message by another event than the first: a mention again, or what `over` makes of it. Undefined when the app
   * is not subscribed to that.
   */
  tellAgain(message: PostedMessage, over?: Json): Promise<BotAnswer | undefined>;

  /**
   * A workflow comes to a step of the bot; with `again`, the id of a run, Slack tells of that once more. Gives the id of the run.
   */
  runsStep(callbackId: string, inputs: Json, again?: string): Promise<string>;
  /** How a run has ended; undefined while it goes on. */
  endOfStep(id: string): Execution['end'];

  /** Socket Mode connections that stand. */
  readonly socketCount: number;
  /** Asks every connection to reconnect; `refresh_requested` when no reason is given. */
  disconnectSockets(reason?: DisconnectReason): void;
  /** Cuts every connection without a word. */
  cutSockets(): void;
  /** Sends a text frame over every connection, `null` or broken JSON for example. */
  sendFrame(text: string): void;
  /** From now on the token is answered with `token_revoked`; the app token's connections stay. */
  revokeToken(token: string): void;
  /** Has a revoked token work again. */
  restoreToken(token: string): void;
  /** The installations over OAuth. */
  readonly oauth: OAuthHandle;
  /** Takes a scope from the bot token, or gives it back. */
  setScope(scope: string, isGranted: boolean): void;

  /** HTTP 429 for the next such call; with `channel`, for the next one to that channel. */
  rateLimitNext(method: Matcher, how: { retryAfter: number | undefined; channel?: string }): void;
  /** The next such call is answered with this and not done; `body`: word for word. */
  failNext(method: Matcher, how: FailNext): void;
  /** The next such call is done, and the connection reset before the answer. */
  loseAnswerOfNext(method: Matcher): void;
  /** The next such call is reset and not done. */
  dropNext(method: Matcher): void;
  /** Stops the next such call before it is done, or `after` it is done and before its answer. */
  hold(method: Matcher, options?: { when?: 'before' | 'after' }): Held;

  /** A channel as text; with `viewer`, as that person sees it. */
  transcript(channel: string, viewer?: string): string;
  /** What a message says as a person reads it; with `version`, an earlier one. */
  read(message: PostedMessage, version?: number): string;
  /** A message of the bot stands there that was posted before this Slack began. */
  stands(channel: string, ts: string): void;
  /** What Slack is to post later by itself, the next first. */
  scheduled(): readonly ScheduledMessage[];
  /** Posts what is due by the double's clock, or so many ms after, at once. */
  postDue(aheadMs?: number): void;
  /** A modal as its person sees it, with what they filled in and the errors under the inputs. */
  readView(view: View): string;
  /** The whole workspace and the last calls, to see why. */
  dump(): string;
}
