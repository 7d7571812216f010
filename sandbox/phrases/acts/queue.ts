import { createBudget, type Limit } from '../../../src/platform/hosting/budget.ts';
import { connectBlocking, disconnect } from '../../../src/platform/redis/connection.ts';
import { customer, instance } from '../../world.ts';
import { type Act, happens, type HappensStep, until } from '../scenario.ts';

/** Fourteen of them may be changes. */
const LIMIT: Limit = { requests: 20, seconds: 60 };
const CHANGES = 14;

/** Uses up the changes of a window, as others do who ask for many at once. */
const useUp: HappensStep = happens(
  'Others have just asked for many changes.',
  async ({ hosting, redisUrl }) => {
    const redis = connectBlocking({ url: redisUrl }, () => undefined);
    const budget = createBudget(redis, hosting.customers[0]?.apiKey ?? '', LIMIT, Date.now);
    for (let change = 0; change < CHANGES; change++) await budget.take('write', 'using up the budget', 0);
    await disconnect(redis);
  },
);

const world = {
  customers: [customer('harbour', { instances: [instance(101, 'web-1')] })],
};

const line: Act = {
  heading: 'Changes wait in line',
  hosting: { world },
  limit: LIMIT,
  scenarios: [
    {
      title: 'More is asked for than the service takes, and it is taken back',
      steps: [useUp, until('In line', '/instances restart web-1'), ':press Cancel'],
    },
  ],
};

const tooLong: Act = {
  heading: 'Changes wait in line',
  hosting: { world },
  limit: LIMIT,
  timings: { maxQueueMs: 500 },
  scenarios: [{ title: 'One has waited too long', steps: [useUp, '/instances restart web-1'] }],
};

export const QUEUE: readonly Act[] = [line, tooLong];
