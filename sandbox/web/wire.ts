import type { ApiState } from '../service/api-switch.ts';
import type { SeenCall, SeenInstance } from '../service/service.ts';

/** What the server and the page say to each other. The page keeps one value for each key, and is sent what changed. */

/** A JSON object of Slack's: a block, or a part of one. */
export type Block = { readonly [key: string]: unknown };

export interface PersonOfPage {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
}

export interface ChannelOfPage {
  readonly id: string;
  /** What a person types to name it for an act: an id, or `dm`. */
  readonly name: string;
  readonly kind: 'public' | 'private' | 'im';
  readonly isArchived: boolean;
}

export interface MessageOfPage {
  readonly ts: string;
  readonly channel: string;
  readonly user: string;
  readonly threadTs: string | undefined;
  readonly isEphemeral: boolean;
  readonly isEdited: boolean;
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly files: readonly { readonly id: string; readonly title: string; readonly bytes: number }[];
}

export interface ViewOfPage {
  readonly id: string;
  readonly title: string;
  readonly submit: string | undefined;
  readonly close: string | undefined;
  readonly blocks: readonly Block[];
  /** What stands under the fields, by block id. */
  readonly errors: Readonly<Record<string, string>>;
}

export interface CommandOfPage {
  readonly command: string;
  readonly summary: string;
  /** What can be typed after it: a verb with the words after that. */
  readonly lines: readonly { readonly verb: string; readonly usage: string; readonly summary: string }[];
}

/** A line that is said with one press: what stands on it, and what is said. */
export interface PromptOfPage {
  readonly title: string;
  readonly message: string;
}

interface ShortcutOfPage {
  readonly name: string;
  /** In the menu of a message, or from anywhere. */
  readonly on: 'message' | 'global';
  readonly callbackId: string;
}

/** Who is who, for one person. */
export interface WorkspaceOfPage {
  readonly me: PersonOfPage;
  readonly team: string;
  readonly bot: PersonOfPage;
  /** Everybody that can be mentioned. */
  readonly people: readonly PersonOfPage[];
  /** Whom this page can act as, by handle. */
  readonly actors: readonly PersonOfPage[];
  readonly groups: Readonly<Record<string, string>>;
  readonly channels: readonly ChannelOfPage[];
  readonly dm: ChannelOfPage;
  /** The direct messages with Slackbot. */
  readonly slackbot: ChannelOfPage;
  /** What the bot suggests to say in the direct messages. */
  readonly prompts: readonly PromptOfPage[];
  readonly commands: readonly CommandOfPage[];
  readonly shortcuts: readonly ShortcutOfPage[];
}

export interface OperationOfPage {
  readonly id: string;
  readonly title: string;
  /** Its record as it stands in Redis, the words of its messages left out. */
  readonly record: readonly (readonly [name: string, value: string])[];
}

/** What people in Slack never see. */
export interface CurtainOfPage {
  /** How people call the hosting service, or the customer of the hosting company. */
  readonly name: string;
  /** How the account is with the money, to follow the name. */
  readonly money: string;
  /** The service's time, Unix ms. */
  readonly now: number;
  readonly instances: readonly SeenInstance[];
  /** Calls that asked for a change, newest first. */
  readonly calls: readonly SeenCall[];
  /** How many calls only read. */
  readonly reads: number;
  /** Newest first. */
  readonly operations: readonly OperationOfPage[];
  readonly bot: {
    readonly state: 'runs' | 'starts' | 'killed';
    readonly pid: number;
    readonly kills: number;
  };
  readonly redis: 'runs' | 'stopped' | 'not ours';
  /** How the hosting API answers. */
  readonly api: ApiState;
  /** Whether machines were added to make the fleet a large one. */
  readonly isLarge: boolean;
  /** What there is to see at this service. */
  readonly tour: readonly TourStep[];
  /** Troubles that wait for their call, by name. */
  readonly waiting: readonly TroubleName[];
}

/** All that a page knows, beside its messages, which are under `m:<ts>`. */
export interface PageState {
  readonly workspace: WorkspaceOfPage;
  readonly view: ViewOfPage | null;
  readonly home: readonly Block[] | null;
  readonly curtain: CurtainOfPage;
}

/** What changed, by key; null for what is gone. */
export type Patch = Readonly<Record<string, unknown>>;

export const TROUBLES = [
  'lose-answer',
  'say-503',
  'be-slow',
  'slack-loses-answer',
  'kill-bot',
  'stop-redis',
  'charge-day',
] as const;
export type TroubleName = (typeof TROUBLES)[number];

export const TOUR = ['restart', 'twice', 'lost', 'force', 'delete', 'low', 'down', 'kill'] as const;
export type TourStep = (typeof TOUR)[number];

/** What became of an act. `error`: a sentence; `errors`: what is wrong, by the block id of the field. */
export interface Acted {
  readonly error?: string;
  readonly errors?: Readonly<Record<string, string>>;
}

export interface OptionOfPage {
  readonly label: string;
  readonly value: string;
  readonly heading?: string;
}
