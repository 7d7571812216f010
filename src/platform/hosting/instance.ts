import { z } from 'zod';

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
  'resizing',
  'migrating',
  'rebuilding',
  'paused',
  'deleting',
  'deleted',
  'error',
  'deploy_failed',
] as const;
export type Status = (typeof STATUSES)[number];

/** Why an instance is paused, where its service says so. */
export const PAUSED_FOR = ['no-credit', 'suspended', 'by-owner', 'subscription-ended'] as const;
export type PausedFor = (typeof PAUSED_FOR)[number];

const text = z.string().optional();
const flag = z.boolean().optional();
/** A moment that means the same everywhere: a text without a zone would be read by that of the bot. */
const moment = z.iso.datetime({ offset: true }).optional();

/** After how long a price is due again. */
const PRICED_PER = ['hour', 'day', 'month', 'year'] as const;

/** What one costs as its service says it. It counts in no sum: neither its currency nor its term is that of anything else. */
const price = z.object({
  /** An exact decimal. */
  amount: z.string().regex(/^\d{1,15}(?:\.\d{1,10})?$/),
  /** A code like EUR. */
  currency: z.string().regex(/^[A-Z]{3}$/),
  per: z.enum(PRICED_PER),
});

/** What an instance is shown without where an adapter from outside of the bot gives something else than these must be. */
export const LEFT_OUT_IF_ODD: readonly string[] = ['price', 'paidUntil', 'endsAt'];

/** An instance as an adapter reads it. The list that processes share is written down by the same schema, so it lacks no field. */
export const instanceSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** A canonical status, or `unknown` when the bot does not know the service's word. */
  status: z.enum([...STATUSES, 'unknown']),
  /** The service's own word, foreign text. */
  statusWord: z.string(),
  /** Only of one that is paused; left out where the service doesn't say why. */
  pausedFor: z.enum(PAUSED_FOR).optional(),
  tier: text,
  billingMode: text,
  ipAddress: text,
  health: text,
  createdAt: text,
  address: text,
  /** The name that the machine has for itself or for who looks its address up. */
  hostname: text,
  /** The service's own word for where it is. */
  region: text,
  /** What its owner marked it with: tags, or `env=prod`. Left out where the service doesn't say; none is an empty list. */
  labels: z.array(z.string()).optional(),
  /** What a day of it takes from a prepaid balance. */
  dailyCostCredits: text,
  price: price.optional(),
  /** When what is paid for it ends, where it isn't canceled: it is renewed then. */
  paidUntil: moment,
  /** It is canceled, and runs until then. */
  endsAt: moment,
  /** It is paid from the balance from day to day: the service stops it at zero, and what is stopped may cost less. */
  isPaidByDay: z.literal(true).optional(),
  /** The service itself refuses to delete it until somebody lifts that there. */
  isDeletionProtected: z.literal(true).optional(),
  /** It runs, and is still being installed or is booting: what it serves may not answer yet. */
  isInstalling: z.literal(true).optional(),
  /** The service itself takes no change of it now, because something else is done with it or somebody locked it there. */
  isLocked: z.literal(true).optional(),
  /** What the service itself says is possible; wins over the bot's own table. */
  can: z.object({ start: flag, stop: flag, restart: flag }),
});
type InstanceFields = z.output<typeof instanceSchema>;
export type Price = Readonly<z.output<typeof price>>;
export type Instance = Readonly<Omit<InstanceFields, 'can' | 'labels' | 'price'>> & {
  readonly price?: Price | undefined;
  readonly can: Readonly<InstanceFields['can']>;
  readonly labels?: readonly string[] | undefined;
};

export const incompleteSchema = z.object({
  /** How many could be read. */
  read: z.number(),
  /** How many there are, where the service says so. */
  total: z.number().optional(),
  /** Whether the service itself says that there are more; else a page was exactly full, with no word on a next one. */
  isCertain: z.boolean(),
  /** So many of the lists that are one to whoever reads it didn't come at all. */
  failed: z.object({ lists: z.number(), of: z.number() }).optional(),
});
/** Set on a list that is not all there is, or may not be: no count of it may be shown as the whole. */
export type Incomplete = Readonly<z.output<typeof incompleteSchema>>;
