import { fetch } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { takeDatabase } from '../support/shared-redis.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const SERVICES = [
  ['the hosting company', {}],
  ['two accounts', { accounts: {} }],
  ['digitalocean', { service: 'digitalocean' }],
  ['hetzner', { service: 'hetzner' }],
  ['vultr', { service: 'vultr' }],
] as const;

async function open(options: (typeof SERVICES)[number][1]): Promise<Sandbox> {
  const database = await takeDatabase();
  ends.push(database.release);
  const sandbox = await openSandbox({ ...options, redisUrl: database.url, bot: false });
  ends.push(() => sandbox.close());
  return sandbox;
}

/** The status of the answer to a call with the bot's key, or that there was none. */
async function asked({ env }: Sandbox): Promise<number | 'nothing'> {
  try {
    const headers = { authorization: `Bearer ${env['HOSTING_API_TOKEN']}` };
    return (await fetch(`${env['HOSTING_API_URL']}/`, { headers })).status;
  } catch {
    return 'nothing';
  }
}

test.each(SERVICES)('the API of %s goes away, refuses the key, and answers again', async (_, options) => {
  const sandbox = await open(options);
  const { service } = sandbox;
  const before = await asked(sandbox);
  await service.setApi('down');
  expect([service.api(), await asked(sandbox)]).toEqual(['down', 'nothing']);
  await Promise.all([service.setApi('slow'), service.setApi('refuses')]);
  expect([service.api(), await asked(sandbox)]).toEqual(['refuses', 401]);
  await service.setApi('answers');
  expect([service.api(), await asked(sandbox)]).toEqual(['answers', before]);
});

test.each(SERVICES)('the fleet of %s becomes a large one, and what it was', async (_, options) => {
  const { service } = await open(options);
  const before = service.instances();
  const accounts = 'accounts' in options ? 2 : 1;
  service.setLarge(true);
  service.setLarge(true);
  expect(service.isLarge()).toBe(true);
  expect(service.instances()).toHaveLength(230 * accounts);
  service.setLarge(false);
  expect(service.isLarge()).toBe(false);
  expect(service.instances()).toEqual(before);
});

test("a large fleet's money lasts as long as before, and a day's cost is charged without the clock", async () => {
  const { service, hosting } = await open({});
  const perDay = (): number =>
    hosting
      .instancesOf('harbour')
      .filter(({ status }) => status === 'running')
      .reduce((sum, { dailyCredits }) => sum + dailyCredits, 0);
  const daysLeft = (): number => hosting.balanceOf('harbour') / perDay();
  const before = daysLeft();
  service.setLarge(true);
  expect(daysLeft()).toBeCloseTo(before, 1);
  service.setLarge(false);
  expect(daysLeft()).toBeCloseTo(before, 1);
  service.chargeDay();
  expect(daysLeft()).toBeLessThan(before - 0.9);
  expect(Math.abs(service.now() - Date.now())).toBeLessThan(60_000);
});
