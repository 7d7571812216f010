import { sweeperKeys } from '../../src/core/sweep.ts';
import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { TEAM } from '../../sandbox/people.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { QUEUE_PREFIX } from '../../src/platform/queue/queue.ts';
import { redisKeys } from '../../src/core/watchdogs/redis-loss.ts';
import { urlOf } from '../support/sandbox.ts';

export const FORM = 'application/x-www-form-urlencoded';
export const JSON_TYPE = 'application/json';

/** A request of Slack's that nobody has touched yet: what it says, and how that is written. */
export interface Genuine {
  readonly what: string;
  readonly json: object;
  readonly type: string;
  readonly body: Buffer;
}

type Wrap = 'form' | 'payload' | 'bare';

/** JSON's text as the body that Slack makes of it. */
export function wrapped(type: string, text: string): Buffer {
  return Buffer.from(type === FORM ? new URLSearchParams({ payload: text }).toString() : text);
}

function genuine(what: string, wrap: Wrap, json: Record<string, unknown>): Genuine {
  const type = wrap === 'bare' ? JSON_TYPE : FORM;
  const fields = Object.entries(json).map(([name, value]): [string, string] => [name, String(value)]);
  const form = Buffer.from(new URLSearchParams(fields).toString());
  return { what, type, json, body: wrap === 'form' ? form : wrapped(type, JSON.stringify(json)) };
}

/** One of each kind that Slack sends, distinguished from others of its kind by `round`. */
export function genuineRequests(
  sandbox: Sandbox,
  names: readonly [string, string],
  round = 0,
): readonly Genuine[] {
  const team = { id: TEAM.id };
  const user = { id: sandbox.slack.person('ana').id, team_id: team.id };
  const channel = { id: sandbox.slack.channel('#ops').id };
  const shared = { user, team, channel, container: { channel_id: channel.id } };
  const button = { type: 'button', action_id: 'instances.restart', block_id: 'b', value: 'A'.repeat(22) };
  const mention = {
    type: 'app_mention',
    user: user.id,
    channel: channel.id,
    text: `restart ${names[1]}`,
    ts: `${Math.floor(Date.now() / 1_000)}.2`,
  };
  const view = { id: 'V1', type: 'modal', callback_id: 'x', state: {} };
  return [
    genuine('a command', 'form', {
      command: '/instances',
      text: `restart ${names[0]}`,
      user_id: user.id,
      channel_id: channel.id,
      team_id: team.id,
      trigger_id: `1.2.${round}`,
    }),
    genuine('a mention', 'bare', {
      type: 'event_callback',
      team_id: team.id,
      event_id: `Ev${round}`,
      event: mention,
    }),
    genuine('a button', 'payload', {
      ...shared,
      type: 'block_actions',
      actions: [button],
      trigger_id: `1.2.${round}`,
    }),
    genuine('a picker', 'payload', {
      ...shared,
      type: 'block_suggestion',
      action_id: 'instances.restart',
      block_id: 'b',
      value: '',
      trigger_id: `1.2.${round}`,
    }),
    genuine('a view', 'payload', { ...shared, type: 'view_submission', view, trigger_id: `1.2.${round}` }),
  ];
}

export function sign(secret: string, timestamp: string, body: Buffer): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`;
}

/** A request as it goes over the wire. */
export interface Knock {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string | string[]>;
  readonly body: Buffer;
}

/** Knocks at the bot's door over connections that stay open. Gives the status; 0 where the connection was cut. */
export function openDoor(sandbox: Sandbox): (knock: Knock) => Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  onTestFinished(() => agent.destroy());
  const { hostname, port } = new URL(urlOf(sandbox, '/'));
  return (knock) =>
    new Promise((resolve) => {
      const { method, path } = knock;
      const headers = { ...knock.headers, 'content-length': knock.body.length };
      const call = request({ agent, hostname, port, method, path, headers }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
        response.on('error', () => resolve(0));
      });
      call.on('error', () => resolve(0));
      call.end(knock.body);
    });
}

/** Does all of it, sixteen at a time. */
export async function inParallel<T>(
  all: readonly T[],
  work: (one: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < all.length; index = next++) await work(all[index] as T, index); // index is within
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

/** What can be known from outside about whether the bot has done anything. */
export async function tracesOf(
  sandbox: Sandbox,
): Promise<{ hosting: number; slack: number; redis: string[] }> {
  const redis = new Redis(sandbox.redisUrl);
  const names = await redis.keys('*');
  redis.disconnect();
  return {
    hosting: sandbox.hosting.calls.length,
    slack: sandbox.slack.calls.length,
    // The queue's own keys come and go with its workers; a job would stand in a list, a set or a hash of its own.
    redis: names
      .filter((name) => !name.startsWith(QUEUE_PREFIX) || /:(wait|active|delayed|\d+)$/.test(name))
      // The watchdog's own mark, and that of who sweeps, whenever they come to set it.
      .filter((name) => ![redisKeys.identity, redisKeys.checks, sweeperKeys.of([''])].includes(name))
      .toSorted(),
  };
}
