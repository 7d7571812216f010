import { readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import {
  answerTo,
  deleteCalls,
  deletes,
  play,
  powerCalls,
  privateMessage,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';
import { playTwoAccounts } from '../accounts/two-accounts.ts';
import { dmWith } from '../support/asking.ts';
import { fileWith } from '../support/file-with.ts';
import { until } from '../support/until.ts';

const ROLES = `roles:
  operator: [{ who: U0ANA000001 }]
  viewer: [{ who: U0BOB000001 }]
`;
const WITHOUT_ANA = `roles:
  viewer: [{ who: U0BOB000001 }, { who: U0ANA000001 }]
`;
const FAULTY = `${ROLES}protected: 7\n`;
const COUNTS = 'what changed in files counts now';

/** How often the log has said so. */
const times = (sandbox: Sandbox, words: string): number =>
  sandbox.logs.filter((line) => line.includes(words)).length;

/** A bot with a policy file, and what waits until the bot has taken what was written there. */
async function open(
  content: string,
): Promise<{ sandbox: Sandbox; path: string; taken: (write: () => void) => Promise<void> }> {
  const at = fileWith(content, 'policy.yaml');
  const env = { LAMPLIGHTER_EVERYONE: 'none', LAMPLIGHTER_POLICY: at };
  const sandbox = await play({ env, timings: { cancelWindowMs: 1_500, settingsEveryMs: 40 } });
  const taken = async (write: () => void): Promise<void> => {
    const before = times(sandbox, COUNTS);
    write();
    await until(() => times(sandbox, COUNTS) > before);
  };
  return { sandbox, path: at, taken };
}

/** What the admin reads of settings in the conversation with the bot. */
const readByAdmin = (sandbox: Sandbox): string[] =>
  sandbox.slack
    .person('admin')
    .dms.map((message) => sandbox.slack.read(message))
    .filter((text) => text.includes('ettings'));

it('who loses a role in the file is refused at the next press, without a restart', async () => {
  const { sandbox, path, taken } = await open(ROLES);
  await runToEnd(sandbox, 'ana', '/instances stop web-2');
  const question = sandbox.slack.person('ana');
  await question.types('#ops', '/instances stop web-1 db-1');
  const asked = await privateMessage(sandbox, 'ana', 'Stop');
  await taken(() => writeFileSync(path, WITHOUT_ANA));
  await question.presses(asked, 'Stop 2');
  await privateMessage(sandbox, 'ana', 'You need the operator role');
  expect(await answerTo(sandbox, 'ana', '/instances stop web-1')).toContain('You need the operator role');
  expect(powerCalls(sandbox)).toBe(1);
  expect(readByAdmin(sandbox)).toEqual([]);
});

it('who loses a role between the yes and the call is refused before it', async () => {
  const { sandbox, path, taken } = await open(ROLES.replace('operator', 'admin'));
  await deletes(sandbox, 'web-1', 'ana');
  await taken(() => writeFileSync(path, WITHOUT_ANA));
  await sandbox.settled();
  expect(readAll(sandbox).join('\n')).toContain('no longer has the right to. Nothing was done.');
  expect(deleteCalls(sandbox)).toBe(0);
});

it('what must be approved from a moment between the yes and the call on is not done without', async () => {
  const { sandbox, path, taken } = await open(ROLES.replace('operator', 'admin'));
  await deletes(sandbox, 'web-1', 'ana');
  await taken(() =>
    writeFileSync(path, `${ROLES.replace('operator', 'admin')}approvals: [{ on: [web-*] }]\n`),
  );
  await sandbox.settled();
  expect(readAll(sandbox).join('\n')).toContain('someone else must approve that by now, and nobody has.');
  expect(deleteCalls(sandbox)).toBe(0);
});

it('a faulty file leaves what was before, the admin reads its line once, and once that it is mended', async () => {
  const { sandbox, path } = await open(ROLES);
  // Another process, on another machine.
  const other = fileWith(ROLES, 'policy.yaml');
  await sandbox.startBot({ LAMPLIGHTER_POLICY: other });
  writeFileSync(path, FAULTY);
  await until(() => readByAdmin(sandbox).length === 1);
  writeFileSync(other, FAULTY);
  await until(() => times(sandbox, 'line 4') === 2);
  expect(readByAdmin(sandbox)[0]).toContain('LAMPLIGHTER_POLICY has a fault in policy.yaml, line 4: ');
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  expect(powerCalls(sandbox)).toBe(1);
  expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).toContain('policy.yaml, line 4');
  for (const one of [path, other]) writeFileSync(one, WITHOUT_ANA);
  await until(() => times(sandbox, COUNTS) === 2);
  await dmWith(sandbox, 'admin', 'can be used again');
  await sandbox.said();
  expect(readByAdmin(sandbox).slice(1)).toEqual(['⚙️ My settings can be used again, and count now.']);
});

it('a link that leads to other files is followed, as a config map is renewed', async () => {
  const at = dirname(fileWith(ROLES, 'one'));
  writeFileSync(join(at, 'two'), WITHOUT_ANA);
  symlinkSync('one', join(at, 'data'));
  symlinkSync('data', join(at, 'policy.yaml'));
  const env = { LAMPLIGHTER_EVERYONE: 'none', LAMPLIGHTER_POLICY: join(at, 'policy.yaml') };
  const sandbox = await play({ env, timings: { settingsEveryMs: 40 } });
  symlinkSync('two', join(at, 'next'));
  renameSync(join(at, 'next'), join(at, 'data'));
  await until(() => times(sandbox, COUNTS) === 1);
  expect(await answerTo(sandbox, 'ana', '/instances stop web-1')).toContain('You need the operator role');
});

it('an account that is taken out of its file is closed to everybody, and the admin reads what needs a restart', async () => {
  const { sandbox, second } = await playTwoAccounts(undefined, { timings: { settingsEveryMs: 40 } });
  expect(await answerTo(sandbox, 'ana', '/instances show labs:web-1')).toContain('web-1 (101)');
  const { accounts } = JSON.parse(readFileSync(second.path, 'utf8')) as { accounts: { name: string }[] };
  const rotated = { ...accounts[0], key: 'a-new-key-that-nobody-may-read' };
  writeFileSync(
    second.path,
    JSON.stringify({ accounts: [rotated, { ...rotated, name: 'lab2', key: 'x-2' }] }),
  );
  const dm = await dmWith(sandbox, 'admin', 'needs a restart before it counts');
  const said = sandbox.slack.read(dm);
  expect(said).toContain('the account labs, which is gone');
  expect(said).toContain('the account lab2, which is new');
  expect(said).toContain('HOSTING_API_TOKEN of the account acme');
  expect(await answerTo(sandbox, 'ana', '/instances show labs:web-1')).not.toContain('(101)');
  expect(sandbox.logs.join('') + sandbox.slack.dump()).not.toContain('nobody-may-read');
});
