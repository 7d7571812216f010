import { expect, it } from 'vitest';
import { instance, worldOf } from '../../sandbox/world.ts';
import { play, powerCalls, privateTexts } from '../support/sandbox.ts';
import { confirms, previewOf } from './fleet.ts';

const DOCUMENTED = { requests: 100, seconds: 60 };

it('in an account of 5,000 each is read by its id, the list once for all, and too many are refused', async () => {
  const instances = Array.from({ length: 5_000 }, (_, index) => instance(index + 1, `web-${index + 1}`));
  const sandbox = await play({
    hosting: {
      world: worldOf(instances),
      variant: { paging: { style: 'pages', size: 100 } },
      rateLimit: DOCUMENTED.requests,
    },
    adapter: { limit: DOCUMENTED },
    timings: { pollEveryMs: 400, acceptWithinMs: 20_000 },
  });
  await sandbox.slack.person('ana').types('#ops', '/instances');
  await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length > 0);
  const preview = await previewOf(sandbox, '/instances restart web-7 web-700 web-4999');
  await confirms(sandbox, preview, 'Restart 3');
  await sandbox.settled();
  expect(powerCalls(sandbox)).toBe(3);
  expect(sandbox.hosting.calls.filter(({ status }) => status === 429)).toEqual([]);
  // Fifty pages, and the one that checked the key.
  expect(sandbox.hosting.countCalls('GET', '/api/v1/instances')).toBe(51);
  await sandbox.slack.person('ana').types('#ops', '/instances stop name:web-*');
  await sandbox.slack.until(() => privateTexts(sandbox, 'ana').join('\n').includes('Narrow it.'));
  expect(powerCalls(sandbox, 'stop')).toBe(0);
});
