import { BOT } from '../people.ts';
import { Choices } from './acting/choices.ts';
import { type ApiCall, Calls } from './api/calls.ts';
import { Faults, type SlackFault } from './api/faults.ts';
import { type HistoryLimit, limitHistory } from './api/history-limit.ts';
import { limitPace, type PaceLimits } from './api/pace-limit.ts';
import { Tokens } from './api/tokens.ts';
import { Door } from './bot/door.ts';
import { ResponseUrls } from './bot/response-urls.ts';
import { Sockets } from './bot/sockets.ts';
import { Triggers } from './bot/triggers.ts';
import { Installs, type OAuthSetup } from './oauth/installs.ts';
import { Executions } from './workspace/executions.ts';
import { Files } from './workspace/files.ts';
import { Scheduled, type ScheduledMessage } from './workspace/scheduled.ts';
import { Views } from './workspace/views.ts';
import { Workspace, type WorkspaceSetup } from './workspace/workspace.ts';

/** Everything that belongs to one double, built once and passed in. */
export interface World {
  readonly settings: Settings;
  readonly workspace: Workspace;
  readonly tokens: Tokens;
  readonly installs: Installs;
  readonly calls: Calls;
  readonly faults: Faults;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly files: Files;
  readonly views: Views;
  readonly executions: Executions;
  readonly scheduled: Scheduled;
  readonly choices: Choices;
  readonly sockets: Sockets;
  readonly door: Door;
  /** Errors of the double itself; a test that sees one has found a fault here, not in the bot. */
  readonly faultsOfTheDouble: unknown[];
  /** `http://127.0.0.1:PORT`, known once it listens. */
  baseUrl: string;
  /** Under which addresses apps reach it: all of them that, unless it is set otherwise. */
  addresses: SlackAddresses;
}

/** Where the Web API, response URLs, uploads and Socket Mode are, without a path. */
export interface SlackAddresses {
  readonly api: string;
  readonly hooks: string;
  readonly files: string;
  readonly sockets: string;
}

/** All at one address. */
export function addressesAt(url: string): SlackAddresses {
  return { api: url, hooks: url, files: url, sockets: url.replace('http', 'ws') };
}

export interface Settings extends WorkspaceSetup {
  readonly signingSecret: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly scopes: readonly string[];
  /** How the app is installed over OAuth; undefined where it isn't. */
  readonly oauth: OAuthSetup | undefined;
  /** Whether the workspace belongs to an Enterprise organization. */
  readonly inOrganization: boolean;
  /** Whether the app is installed in the organization and in no one workspace. */
  readonly isOrgWide: boolean;
  /** Event types the app subscribed to. */
  readonly events: readonly string[];
  /** Slash commands of the app; undefined: every command is the app's. */
  readonly commands: readonly string[] | undefined;
  /** How long Slack waits for an answer. */
  readonly deadlineMs: number;
  /** Undefined where it is reached where it listens. */
  readonly addresses: SlackAddresses | undefined;
  /** Faults of Slack's own accord. */
  readonly weather: ((call: ApiCall) => SlackFault | undefined) | undefined;
  /** How little of the history may be read; undefined for no limit. */
  readonly historyLimit: HistoryLimit | undefined;
  /** How often the app may post and edit; undefined for no limit. */
  readonly paceLimits: PaceLimits | undefined;
}

export function createWorld(settings: Settings): World {
  const workspace = new Workspace(settings);
  const tell = (): void => workspace.changes.tell();
  const sockets = new Sockets({ tell });
  const tokens = new Tokens(settings.botToken, settings.appToken, settings.scopes, settings.clock);
  const tooSoon = settings.historyLimit && limitHistory(settings.historyLimit, settings.clock);
  const tooOften = settings.paceLimits && limitPace(settings.paceLimits, settings.clock);
  return {
    settings,
    workspace,
    tokens,
    installs: new Installs(settings.oauth, tokens, workspace.nextId),
    calls: new Calls(settings.clock, tell),
    faults: new Faults((call) => tooSoon?.(call) ?? tooOften?.(call) ?? settings.weather?.(call)),
    triggers: new Triggers(settings.clock, workspace.nextId, settings.deadlineMs),
    responseUrls: new ResponseUrls(settings.clock, workspace.nextId),
    files: new Files(workspace.nextId),
    views: new Views(workspace),
    executions: new Executions(tell),
    scheduled: new Scheduled(settings.clock, (message) => postScheduled(workspace, message)),
    choices: new Choices(),
    sockets,
    door: new Door({ ...settings, sockets, tell }),
    faultsOfTheDouble: [],
    baseUrl: '',
    addresses: addressesAt(''),
  };
}

/** One with metadata is never posted: https://docs.slack.dev/reference/methods/chat.scheduleMessage calls that a bug. */
function postScheduled(workspace: Workspace, { channel, content }: ScheduledMessage): void {
  const isPosted = content.metadata === undefined && !channel.isArchived && channel.members.has(BOT.userId);
  if (isPosted) workspace.postAsBot(channel, content);
}
