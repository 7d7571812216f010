import { playOn } from '../clouds/play-on.ts';
import { expect, it } from 'vitest';
import { playFleet } from '../batches/fleet.ts';
import { answeredWith, answerTo, privateMessage } from '../support/sandbox.ts';
import { readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { reads, yearOfNewYear } from './fleet.ts';

async function opened(
  sandbox: Sandbox,
  who = 'ana',
): Promise<ReturnType<typeof sandbox.slack.person>['view']> {
  const person = sandbox.slack.person(who);
  const list = await answeredWith(sandbox, who, '/instances schedules');
  await person.presses(list, 'New schedule…');
  return sandbox.slack.until(() => person.views.at(-1));
}

it('a schedule is picked together in a form, seen before it is saved, and saved', async () => {
  const sandbox = await playFleet(3);
  const { slack } = sandbox;
  const ana = slack.person('ana');
  const form = await opened(sandbox);
  expect(JSON.stringify(form.blocks)).toContain('Times are in Europe/Berlin.');
  await ana.searches(form, 'which', 'stg');
  await ana.searches(form, 'what', 'otherwise');
  await ana.searches(form, 'at', '');
  await ana.searches(form, 'to', '8:15pm');
  await ana.searches(form, 'days', 'day');
  const filled = {
    which: '1000, 1002',
    what: 'Run only between two times, and keep it stopped otherwise',
    at: '08:00',
    days: 'Monday to Friday',
    except: '1 Jan',
  };
  // What is missing is said in the form, which stays open.
  expect(JSON.stringify(await ana.submits(form, filled))).toContain('Pick under To until when it runs.');
  await ana.submits(form, { ...filled, to: '20:15' });
  const preview = await privateMessage(sandbox, 'ana', 'Save this schedule?');
  expect(slack.read(preview)).toContain(
    `start at 08:00 and stop at 20:15, Mon–Fri (Europe/Berlin), not on 1 Jan ${yearOfNewYear()}, kept stopped in between, for exactly stg-0 (1000), stg-2 (1002).`,
  );
  expect(await readSchedules(sandbox)).toEqual([]);
  await ana.presses(preview, 'Save');
  await reads(sandbox, 'scheduled:');
  expect(await readSchedules(sandbox)).toHaveLength(1);
});

it('a filter that was typed is picked as one, and what it finds is read at each run', async () => {
  const sandbox = await playFleet(2);
  const { slack } = sandbox;
  const ana = slack.person('ana');
  const form = await opened(sandbox);
  const found = await ana.searches(form, 'which', 'name:stg-*');
  expect(JSON.stringify(found)).toContain('All that match name:stg-*, at each run');
  await ana.searches(form, 'what', 'stop');
  await ana.searches(form, 'at', '20');
  await ana.submits(form, { which: 'name:stg-*', what: 'Stop', at: '20:00' });
  const preview = await privateMessage(sandbox, 'ana', 'Save this schedule?');
  expect(slack.read(preview)).toContain('stop at 20:00, every day (Europe/Berlin), for name:stg-*');
});

it('a label or a region that is being typed is suggested, of what the person may pick', async () => {
  const { sandbox } = await playOn(
    'digitalocean',
    {
      machines: [
        { name: 'web-1', region: 'fra1', tags: ['team=web', 'tier=a b'] },
        { name: 'db-1', region: 'ams3', tags: ['team=secret'] },
      ],
    },
    { env: { LAMPLIGHTER_EVERYONE: 'viewer' } },
  );
  await sandbox.slack.person('admin').types('#ops', '/lamplighter access grant operator @ana on web-*');
  await privateMessage(sandbox, 'admin', 'operator');
  const form = await opened(sandbox);
  const suggested = async (typed: string): Promise<string[]> => {
    const { options } = await sandbox.slack.person('ana').searches(form, 'which', typed);
    return options.map((one) => String(one['value']));
  };
  expect(await suggested('label:te')).toEqual(['label:te', 'label:team', 'label:team=web']);
  expect(await suggested('region:f')).toEqual(['region:f', 'region:fra1']);
  expect(await suggested('region:a')).toEqual(['region:a', 'region:fra1']);
});

it('who may change nothing is shown no form', async () => {
  const sandbox = await playFleet(1, { env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
  expect(await answerTo(sandbox, 'fin', '/instances schedules')).not.toContain('New schedule…');
});
