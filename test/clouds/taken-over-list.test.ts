import { expect, it } from 'vitest';
import { answerTo } from '../support/sandbox.ts';
import { CLOUDS, playOn } from './play-on.ts';

it.each(CLOUDS)(
  'a process at %s that takes its list from another says all that the other says',
  async (kind) => {
    const machines = Array.from({ length: 8 }, (_, index) => ({
      name: `m-${index}`,
      isProtected: kind === 'hetzner' && index === 0,
      // It stands in a list of its own.
      ...(kind === 'digitalocean' && index === 7 ? { size: 'gpu-h100x1-80gb' } : {}),
    }));
    // Four pages are many at so few calls, so one process reads them for all.
    const limit = { requests: 60, seconds: 60 };
    const { cloud, sandbox } = await playOn(kind, { machines, maxPageSize: 2 }, { adapter: { limit } });
    cloud.lock('m-1');
    const linesOf = async (): Promise<string[]> =>
      (await answerTo(sandbox, 'ana', '/instances')).split('\n').filter((line) => line.includes('m-'));
    const listed = (): number =>
      cloud.calls.filter(({ path }) => /\/(servers|droplets|instances)$/.test(path)).length;
    const first = await linesOf();
    const before = listed();
    await sandbox.stopBots();
    await sandbox.startBot();
    const second = await linesOf();
    // The one that checks the key.
    expect(listed() - before).toBe(1);
    expect(second).toEqual(first);
    expect(second).toHaveLength(8);
    expect(second.join('\n')).toMatch(/m-1 [^\n]*locked/);
    if (kind === 'hetzner') expect(second.join('\n')).toMatch(/m-0 [^\n]*protected from deletion/);
  },
);
