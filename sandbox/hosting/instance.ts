import type { InstanceWire } from '../../src/platform/hosting/table/records.ts';
import type { WorldInstance } from '../world.ts';
import type { Behavior } from './behavior.ts';
import { allows, costs, hasAddress, hasRun, type PowerAction, type Status } from './status.ts';

/** Something that will happen to an instance by the clock alone. */
export interface Step {
  readonly at: number;
  readonly status: Status | 'gone';
  /** It waits until what is before it was shown once more, after its time. */
  readonly isShownFirst?: boolean;
}

/** An instance as the service keeps it. Times are Unix milliseconds, costs whole credits a day. */
export interface Instance {
  readonly id: number;
  name: string;
  readonly tier: string;
  readonly dailyCredits: number;
  readonly billingMode: 'daily' | 'monthly';
  readonly createdAt: number;
  provisionedAt: number | null;
  status: Status;
  /** What is still to come, in order. No timers: a step is taken when somebody looks after its time. */
  plan: readonly Step[];
  behavior: Behavior;
  faultsTaken: number;
  unhealthyUntil: number;
}

const dayMs = 86_400_000;
const provisioningMs = 346_000;

/** Brings a described instance to life at `now`. */
export function createInstance(described: WorldInstance, now: number): Instance {
  const createdAt = now - described.createdDaysAgo * dayMs;
  return {
    id: described.id,
    name: described.name,
    tier: described.tier,
    dailyCredits: described.dailyCredits,
    billingMode: described.billingMode ?? 'daily',
    createdAt,
    provisionedAt: hasRun(described.status) ? createdAt + provisioningMs : null,
    status: described.status,
    plan: [],
    behavior: described.behavior,
    faultsTaken: 0,
    unhealthyUntil: 0,
  };
}

/** Another of the same description under a new id: running from `now` on, and it doesn't come back a second time. */
export function recreated(instance: Instance, newId: number, now: number): Instance {
  const { comesBackAs: _, ...behavior } = instance.behavior;
  const { name, tier, dailyCredits } = instance;
  return {
    ...createInstance(
      { id: newId, name, status: 'running', tier, dailyCredits, createdDaysAgo: 0, behavior },
      now,
    ),
    provisionedAt: now,
  };
}

/** Whether each day of it is charged by itself: it isn't paid by the month, and not at rest. */
export function isCharged({ billingMode, status }: Instance): boolean {
  return billingMode === 'daily' && costs(status);
}

/** Writes down that somebody has read how it is now. */
export function markShown(instance: Instance, now: number): void {
  const [next, ...later] = instance.plan;
  if (next?.isShownFirst && next.at <= now) instance.plan = [{ ...next, isShownFirst: false }, ...later];
}

/** The record of the list. */
export function listRecord(instance: Instance, now: number): InstanceWire {
  const { id, status } = instance;
  return {
    id,
    name: instance.name,
    status,
    tier: instance.tier,
    billing_mode: instance.billingMode,
    ip_address: hasAddress(status) ? `2001:db8::${id.toString(16)}` : null,
    health_status: health(instance, now),
    created_at: isoTime(instance.createdAt),
    provisioned_at: instance.provisionedAt === null ? null : isoTime(instance.provisionedAt),
  };
}

/** The record of the detail and of a deletion. */
export function detailRecord(instance: Instance, now: number): InstanceWire {
  const configured = instance.status !== 'pending_configuration';
  return {
    ...listRecord(instance, now),
    ...allowances(instance),
    subdomain_url: `${slug(instance.name)}-${instance.id}.example.test`,
    daily_claw_cost: instance.dailyCredits,
    llm_configured: configured,
    telegram_configured: configured,
  };
}

/** The short record with which a power action is answered. */
export function powerRecord(instance: Instance): InstanceWire {
  const { id, name, status, tier } = instance;
  return { id, name, status, tier, ...allowances(instance) };
}

/** Unix milliseconds as the contract's date-time. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** Whether an instance takes this power action now. */
export function takes({ status, behavior }: Instance, action: PowerAction): boolean {
  return behavior.takesAnything === true || allows(status, action);
}

function allowances(instance: Instance): { can_start: boolean; can_stop: boolean; can_restart: boolean } {
  return {
    can_start: takes(instance, 'start'),
    can_stop: takes(instance, 'stop'),
    can_restart: takes(instance, 'restart'),
  };
}

function health(instance: Instance, now: number): string {
  if (instance.status === 'error' || instance.status === 'deploy_failed') return 'unhealthy';
  if (instance.status !== 'running') return 'unknown';
  return now < instance.unhealthyUntil ? 'unhealthy' : 'healthy';
}

function slug(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['instance'];
  return words.join('-').slice(0, 40);
}
