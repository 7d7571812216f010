import { namesOf } from '../../src/core/sentences/names.ts';
import { understand } from '../../src/core/sentences/understand.ts';
import type { OfferedChange, Understood } from '../../src/core/sentences/understood.ts';
import type { Instance } from '../../src/platform/hosting/service.ts';
import { ordinary, sentinels } from '../../sandbox/world.ts';
import { everyRoute, phrasebookOfAll } from '../support/phrasebook.ts';

const book = phrasebookOfAll();
const routes = new Map(everyRoute().map((route) => [route.id, route]));
export const instances: readonly Instance[] = [
  ...ordinary,
  ...sentinels().map(({ instance }) => instance),
].map((one) => ({
  id: String(one.id),
  name: one.name,
  status: one.status === 'stopped' ? 'stopped' : 'running',
  statusWord: one.status,
  tier: one.tier,
  can: {},
}));
const names = namesOf(instances);
const addons = new Set(['llm', 'backup', 'storage', 'monitoring']);
const NOW = Date.UTC(2026, 10, 18, 9, 41);

/** What a line comes to, in a thread about something: a name, or "restart of web-1". `at`: when it is said, Unix ms, in UTC. */
export function read(line: string, thread = '', at = NOW): Understood | undefined {
  const words = thread.split(' ');
  const about = instances.filter(({ name }) => words.includes(name));
  const lastRouteId = /^(?:start|stop|restart) of/.test(thread) ? `instances.${words[0]}` : undefined;
  return understand(book, line, {
    known: { names, addons },
    moment: { at, zone: 'UTC' },
    about,
    lastRouteId,
  });
}

/** A route with words as somebody types it, instances by their names unless two share one. */
export function command(routeId: string, words: readonly string[]): string {
  const { noun = '', verb = '' } = routes.get(routeId) ?? {};
  const start = ['instances', 'lamplighter'].includes(noun) ? verb : `${noun} ${verb}`;
  const named = words.map((word) => {
    const name = instances.find(({ id }) => id === word)?.name;
    return name === undefined || instances.filter((one) => one.name === name).length > 1 ? word : name;
  });
  return [start.replace('billing balance', 'billing').replace('addons list', 'addons'), ...named].join(' ');
}

/** Orders of what changes an instance. */
export const VERBS = [
  'restart',
  'stop',
  'please reboot',
  'could you shut down',
  'start',
  'turn off',
  'hey bounce',
  'power on',
];
const POWER: ReadonlySet<string> = new Set(['start', 'stop', 'restart', 'delete', 'schedule']);

/** What a line offers that changes an instance. */
export const powerOf = (understood: Understood | undefined): readonly OfferedChange[] =>
  understood?.what === 'offers' ? understood.offers.filter(({ verb }) => POWER.has(verb)) : [];

/** The commands that a line offers. */
export const offersOf = (line: string, thread = '', at = NOW): readonly string[] => {
  const understood = read(line, thread, at);
  return understood?.what === 'offers'
    ? understood.offers.map(({ routeId, words }) => command(routeId, words))
    : [];
};
