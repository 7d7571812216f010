import { expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance, type WorldInstance, worldOf } from '../../sandbox/world.ts';
import { readAll } from '../support/sandbox.ts';
import { asks, find, looks, reads, watch } from './watching.ts';

const READ = { status: 'stopped', dailyCredits: 60 } as const;
const GAP = 'the service has 30 instances, and I could read only 25.';
const NOT_WHOLE = "I couldn't read the whole list of instances, so I can't say which.";

/** A service that gives 25 of 30 instances: those are like `read`, and the others run. */
function watchPart(
  read: Partial<WorldInstance>,
  balanceCredits: number,
  billingCheckEveryMs = Number.POSITIVE_INFINITY,
): Promise<Sandbox> {
  const instances = Array.from({ length: 30 }, (_, index) =>
    instance(1_001 + index, `web-${index + 1}`, index < 25 ? read : {}),
  );
  return watch({
    hosting: {
      world: worldOf(instances, { balanceCredits }),
      variant: { paging: { style: 'total alone', size: 25 } },
    },
    timings: { billingCheckEveryMs },
  });
}

it('nothing is said not to run where not all instances could be read', async () => {
  const sandbox = await watchPart(READ, 0);
  const balance = await asks(sandbox, '/billing balance');
  expect(balance).toContain(NOT_WHOLE);
  expect(balance).not.toContain('Nothing runs');
  const buyTime = await asks(sandbox, '/billing buy-time');
  expect(buyTime).toContain("I found no running instance, so I can't say what stopping one would save.");
  expect(buyTime).toContain(GAP);
  expect(buyTime).not.toContain('Nothing runs');
});

it('what runs is not counted where not all of it could be read', async () => {
  const sandbox = await watchPart({}, 90_000);
  const balance = await asks(sandbox, '/billing balance');
  expect(balance).toContain(NOT_WHOLE);
  expect(balance).not.toContain('and 20 more');
  const buyTime = await asks(sandbox, '/billing buy-time');
  expect(buyTime).toContain(GAP);
  expect(buyTime).toContain('At least 5 more that cost less');
});

it('an alert says neither that everything is paused nor that it is over where not all instances could be read', async () => {
  // A day costs 1,550 credits: what is left after one does not pay for another, and the host pauses all.
  const sandbox = await watchPart({ dailyCredits: 60 }, 1_600, 40);
  await reads(sandbox, /The balance is critical/);
  expect(sandbox.slack.read(find(sandbox, /critical/))).toContain(NOT_WHOLE);
  sandbox.hosting.passDays(1);
  await looks(sandbox, 5);
  expect(readAll(sandbox)).toHaveLength(1);
  expect(readAll(sandbox).join()).not.toMatch(/Everything is paused|fine again|lasts long enough/);
});
