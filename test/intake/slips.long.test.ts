import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { messageWith } from '../support/asking.ts';
import { play, powerCalls, privateMessage } from '../support/sandbox.ts';

/** What the admin reads alone who says a line in #ops. */
async function says({ slack }: Sandbox, line: string): Promise<string> {
  const before = slack.channel('#ops').ephemeralFor('admin').length;
  await slack.person('admin').mentions('#ops', line);
  const message = await slack.until(() => slack.channel('#ops').ephemeralFor('admin')[before]);
  return slack.read(message);
}

/** What somebody slips in, and the buttons that ask what they may have meant. */
const SLIPS = [
  ['billing alerts sett warn 5d', ['Warn below 5 days']],
  ['billing alerts set wran 5d', ['Warn below 5 days']],
  ['billing alerts set', ['Warn below 5 days, critical below 2 days']],
  ['billing alerts snooze', ['Snooze for 1 hour', 'Snooze for 4 hours', 'Snooze for 1 day']],
  ['billing alerts snooze 4h please', ['Snooze for 4 hours']],
  ['billing transactions --last 30 days', ['Transactions --last 30d']],
  ['billing transactions --lats 30d', ['Transactions --last 30d']],
  ['billing transactions last 30d', ['Transactions --last 30d']],
  ['billing usage by instnace', ['Usage by instance', 'Usage by addon']],
  ['billing digest mon', ['Digest weekly mon 09:00']],
  ['billing digest mondays 10:00', ['Digest weekly mon 10:00']],
  ['audit --last 2 weeks', ['Audit --last 2w']],
  ['audit web-1 --cvs', ['Send the audit as CSV: web-1']],
  ['restart web-1 --becuase x', ['Restart web-1 --because x']],
  ['restart web-1 --dryrun', ['Restart web-1 --dry-run']],
  ['list staus:running', ['List status:running']],
  ['list -staus:running', ['List -status:running']],
  ['list status:runing', ['List status:running']],
  ['list older:30', ['List older:30d']],
  ['save nightly name:web-*', ['Save nightly = name:web-*']],
  ['access gran operator @bob', ['Make @bob an operator']],
  ['access show', ['Access']],
  ['help restrat', ['Help restart']],
  ['freeze 4h release', ['Freeze everything for 4 hours: release']],
  ['thaw prod-*', ['End the freeze of prod-*']],
  ['operations web-1', ['Operations']],
  [
    'schedule staging',
    ['Schedule staging stop at 20:00 mon-fri', 'Schedule staging hours 08:00-20:00 mon-fri'],
  ],
  ['schedule staging stop', ['Schedule staging stop at 20:00 mon-fri']],
  ['watch', ['Watch all instances']],
] as const;

describe('somebody who slips', () => {
  it.each(SLIPS)('reads what is wrong with "%s", and can press what they meant', async (line, labels) => {
    const sandbox = await play();
    const answer = await says(sandbox, line);
    for (const label of labels) expect(answer).toContain(`[ ${label} ]`);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });
});

it('a button beside a refusal asks for what it says', async () => {
  const sandbox = await play();
  const { slack } = sandbox;
  await says(sandbox, 'freeze 4h release');
  const refused = slack.channel('#ops').ephemeralFor('admin').at(-1)!; // it was read just now
  await slack.person('admin').presses(refused, 'Freeze everything for 4 hours: release');
  await messageWith(sandbox, 'froze everything');
  expect(await says(sandbox, 'freeze')).toMatch(/froze everything until .*: "release"/);
});

it('a schedule without an instance is asked which one', async () => {
  const sandbox = await play();
  const { slack } = sandbox;
  expect(await says(sandbox, 'schedule stop at 20:00 mon-fri')).toContain('Pick an instance to schedule');
  const asked = slack.channel('#ops').ephemeralFor('admin').at(-1)!; // it was read just now
  await slack.person('admin').chooses(asked, 'Pick an instance to schedule', '104');
  const draft = await privateMessage(sandbox, 'admin', 'Save this schedule?');
  expect(slack.read(draft)).toContain('stop at 20:00, Mon–Fri (Europe/Berlin), for exactly staging (104)');
});
