import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { createCloud, type Cloud, type CloudKind, type CloudOptions } from '../../sandbox/clouds/cloud.ts';

/** One answer, as it came. `json` is undefined where the body isn't JSON. */
export interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

/** What a test needs to write one sentence for all three clouds. */
interface Kind {
  readonly kind: CloudKind;
  /** The path of the list of machines, and the name of it in the answer. */
  readonly list: string;
  readonly records: string;
  readonly record: string;
  readonly defaultSize: number;
  readonly maxSize: number;
  /** A call each: its path below a machine's, and its body. The status of its answer. */
  readonly power: Readonly<Record<'start' | 'stop' | 'restart', readonly [path: string, body?: object]>>;
  readonly powerStatus: number;
  readonly deleteStatus: number;
  readonly busyStatus: number;
  readonly off: string | Readonly<Record<string, string>>;
  readonly unknownId: string;
}

/** The three, by the facts. */
export const KINDS: readonly Kind[] = [
  {
    kind: 'digitalocean',
    list: '/v2/droplets',
    records: 'droplets',
    record: 'droplet',
    defaultSize: 20,
    maxSize: 200,
    power: {
      start: ['actions', { type: 'power_on' }],
      stop: ['actions', { type: 'shutdown' }],
      restart: ['actions', { type: 'reboot' }],
    },
    powerStatus: 201,
    deleteStatus: 204,
    busyStatus: 422,
    off: 'off',
    unknownId: '7',
  },
  {
    kind: 'hetzner',
    list: '/v1/servers',
    records: 'servers',
    record: 'server',
    defaultSize: 25,
    maxSize: 50,
    power: { start: ['actions/poweron'], stop: ['actions/shutdown'], restart: ['actions/reboot'] },
    powerStatus: 201,
    deleteStatus: 200,
    busyStatus: 423,
    off: 'off',
    unknownId: '7',
  },
  {
    kind: 'vultr',
    list: '/v2/instances',
    records: 'instances',
    record: 'instance',
    defaultSize: 100,
    maxSize: 500,
    power: { start: ['start'], stop: ['halt'], restart: ['reboot'] },
    powerStatus: 204,
    deleteStatus: 204,
    busyStatus: 500,
    off: { power_status: 'stopped' },
    unknownId: '00000000-0000-4000-8000-000000000000',
  },
];

const NOON = Date.UTC(2026, 0, 6, 12);

/** Starts a cloud with a still clock and no limit in the way, and a caller for it. It is stopped when the test ends. */
export async function openTest(options: CloudOptions) {
  const kind = kindOf(options.kind);
  let at = NOON;
  const cloud = createCloud({
    now: () => at,
    rateLimit: 1_000_000,
    minuteLimit: 1_000_000,
    machines: [{ name: 'web-1' }, { name: 'db-1', status: kind.off }],
    ...options,
  });
  const { url } = await cloud.start();
  onTestFinished(() => cloud.stop());
  const call = async (method: string, target: string, body?: unknown, init: RequestInit = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = new Headers({ authorization: `Bearer ${cloud.token}` });
    if (body !== undefined) headers.set('content-type', 'application/json');
    const address = target.startsWith('http') ? target : `${url}${target}`;
    return hear(
      await fetch(address, { method, headers, ...(body === undefined ? {} : { body: text }), ...init }),
    );
  };
  const pathOf = (name: string): string => `${kind.list}/${cloud.machine(name).id}`;
  return {
    ...kind,
    cloud,
    url,
    call,
    pathOf,
    advance: (ms: number): void => void (at += ms),
    now: () => at,
    get: (target: string) => call('GET', target),
    /** A power call by its plain name. */
    power: (name: string, what: 'start' | 'stop' | 'restart') => {
      const [path, body] = kind.power[what];
      return call('POST', `${pathOf(name)}/${path}`, body);
    },
    remove: (name: string) => call('DELETE', pathOf(name)),
    /** The machine as its own address shows it. */
    show: async (name: string) => {
      const { json } = await call('GET', pathOf(name));
      return fieldOf(json, kind.record);
    },
    powerPathOf: (name: string, what: 'start' | 'stop' | 'restart') =>
      `${pathOf(name)}/${kind.power[what][0]}`,
  };
}

/** What a test needs to know of a cloud. */
export function kindOf(kind: Cloud['kind']): Kind {
  return KINDS.find((each) => each.kind === kind)!;
}

/** A field of an answer; undefined where a field on the way to it is missing. */
export function fieldOf(json: unknown, ...path: readonly string[]): unknown {
  return path.reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], json);
}

/** A list in an answer. Throws where there is none. */
export function listOf(json: unknown, ...path: readonly string[]): readonly Record<string, unknown>[] {
  return z.array(z.record(z.string(), z.unknown())).parse(fieldOf(json, ...path));
}

/** The id of the action that an answer begins with. */
export function actionIdOf(json: unknown): number {
  return z.int().parse(fieldOf(json, 'action', 'id'));
}

/** An answer with all that stands in it. */
export async function hear(response: Response): Promise<Heard> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
