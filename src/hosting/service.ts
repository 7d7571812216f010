/** What the bot needs of a hosting API. Another service is another adapter file behind this. */
export interface HostingService {
  /** Every instance of the customer. `freshMs`: an answer that old is good enough (0: ask, or join a call under way). */
  listInstances(options?: { freshMs?: number; isLook?: boolean }): Promise<InstanceList>;
  /** One instance, or undefined when there is none of this id that we may see. */
  findInstance(instanceId: string, options?: { isLook?: boolean }): Promise<Instance | undefined>;
  /** Asks for a power action, once, never repeated here. `beforeSend` runs last before the request leaves. */
  powerInstance(instanceId: string, power: Power, options?: WriteOptions): Promise<WriteAnswer>;
  deleteInstance(instanceId: string, options?: WriteOptions): Promise<WriteAnswer>;
  getBalance(): Promise<Balance>;
  getUsage(): Promise<Usage>;
  /** One page of transactions, newest first; pages count from 1. `isBulk`: one of very many, which lets others go first. */
  listTransactions(page: number, perPage: number, options?: { isBulk?: boolean }): Promise<TransactionPage>;
  /** Every add-on, or undefined where the service has no add-on endpoint (404). */
  listAddons(): Promise<Addon[] | undefined>;
  addAddon(
    instanceId: string,
    addon: { type: string; tier?: string },
    options?: WriteOptions,
  ): Promise<Addon | undefined>;
  removeAddon(addonId: string, options?: WriteOptions): Promise<Addon | undefined>;
  close(): Promise<void>;
}

export interface WriteOptions {
  /** Writes down that the request is about to leave. A throw here means that it never left. */
  beforeSend?: () => Promise<void>;
}

export const POWERS = ['start', 'stop', 'restart'] as const;
export type Power = (typeof POWERS)[number];

/** Statuses the bot understands. Any other word of a service stays as it came. */
export const STATUSES = [
  'running',
  'stopped',
  'starting',
  'stopping',
  'restarting',
  'provisioning',
  'deploying',
  'pending_configuration',
  'paused',
  'deleting',
  'deleted',
  'error',
  'deploy_failed',
] as const;
export type Status = (typeof STATUSES)[number];

export interface Instance {
  readonly id: string;
  readonly name: string;
  /** A canonical status, or `unknown` when the service's word is none of ours. */
  readonly status: Status | 'unknown';
  /** The service's own word, foreign text. */
  readonly statusWord: string;
  readonly tier?: string;
  readonly billingMode?: string;
  readonly ipAddress?: string;
  readonly health?: string;
  readonly createdAt?: string;
  readonly address?: string;
  readonly dailyCostCredits?: string;
  /** What the service itself says is possible; wins over any table of ours. */
  readonly can: Readonly<Partial<Record<Power, boolean>>>;
}

export interface InstanceList {
  readonly instances: readonly Instance[];
  /** Set when a cap cut the list short. */
  readonly cut: boolean;
}

/** What an accepted write says of its subject. Undefined where the answer carried no record of it. */
export interface WriteAnswer {
  readonly status?: Status | 'unknown';
}

/** Amounts are decimal strings of credits, never floats. */
export interface Balance {
  readonly credits: string;
  readonly dailyCostCredits?: string;
  readonly daysRemaining?: number;
  readonly low?: boolean;
}

export interface Usage {
  readonly dailyTotalCredits?: string;
  readonly instances: readonly { id?: string; name?: string; dailyCredits?: string; status?: string }[];
  readonly addons: readonly Partial<Addon>[];
}

export interface Addon {
  readonly id: string;
  readonly type: string;
  readonly instanceId?: string;
  readonly instanceName?: string;
  readonly tier?: string;
  readonly status?: string;
  readonly used?: number;
  readonly limit?: number;
  readonly dailyCredits?: string;
}

/** One movement of credits, as far as it can be read; what can't be is empty. */
export interface Transaction {
  readonly id: string;
  readonly type: string;
  /** Undefined where no amount can be read for certain; then it is in no sum. */
  readonly amountCredits?: string;
  readonly balanceAfterCredits?: string;
  readonly description?: string;
  readonly instanceId?: string;
  readonly createdAt: string;
}

interface TransactionPage {
  readonly transactions: readonly Transaction[];
  readonly hasMore: boolean;
}
