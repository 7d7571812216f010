import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/people.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { examineOnce } from '../../src/app/doctor.ts';
import { loadSetups } from '../../src/app/load-adapter.ts';
import { examinedText } from '../../src/features/doctor/index.ts';
import { SCOPES } from '../../src/features/doctor/judge-slack.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { runCommand } from '../support/command.ts';
import { play } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const ADMIN = PEOPLE.find(({ handle }) => handle === 'admin')?.id ?? '';
const GONE = PEOPLE.find(({ isDeleted }) => isDeleted)?.id ?? '';
const ROBOT = PEOPLE.find(({ isBot }) => isBot)?.id ?? '';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'named-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
function policy(content: string): string {
  const path = join(folder, 'policy.yaml');
  writeFileSync(path, content);
  return path;
}

/** What a guard is set to, and the line about it, which ends with what to do. */
const CASES: [string, () => Readonly<Record<string, string>>, RegExp][] = [
  [
    'a pattern that matches no instance',
    () => ({ LAMPLIGHTER_PROTECTED: 'web-*, prd-*' }),
    /LAMPLIGHTER_PROTECTED has prd-\*, which matches none of the \d+ instances\. Check how it is spelled/,
  ],
  ...(
    [
      ['^web', 'web'],
      ['/web/', 'web'],
      ['web.*', 'web*'],
      ['^web-.*$', 'web-*'],
      ['`web-*', 'web-*'],
    ] as const
  ).map(([pattern, meant]): (typeof CASES)[number] => [
    `a pattern that is written like ${pattern}`,
    () => ({ LAMPLIGHTER_APPROVE: pattern }),
    new RegExp(
      `LAMPLIGHTER_APPROVE has .*, which matches none .* not a regular expression\\. Write ${meant.replace('*', '\\*')}\\.`,
    ),
  ]),
  [
    'an admin whom nobody knows',
    () => ({ LAMPLIGHTER_ADMINS: `${ADMIN},U0ADMIN0001` }),
    /LAMPLIGHTER_ADMINS names U0ADMIN0001, whom Slack doesn't know\. Put the id of a person there/,
  ],
  [
    'somebody who has left',
    () => ({ BILLING_ESCALATE_TO: GONE }),
    new RegExp(`BILLING_ESCALATE_TO names ${GONE}, who is deactivated\\. Put the id of a person there`),
  ],
  [
    'an app in the place of a person',
    () => ({ LAMPLIGHTER_ADMINS: `${ADMIN},${ROBOT}` }),
    new RegExp(`LAMPLIGHTER_ADMINS names ${ROBOT}, which is an app and no person\\.`),
  ],
  [
    'a group of the policy file',
    () => ({ LAMPLIGHTER_POLICY: policy('roles:\n  viewer:\n    - who: S0NOBODY001\n') }),
    /roles in policy\.yaml names S0NOBODY001, a user group that Slack doesn't know\. Put the id/,
  ],
  [
    'a channel of the policy file',
    () => ({ LAMPLIGHTER_POLICY: policy('channels:\n  C0NOWHERE01: { roles: [viewer] }\n') }),
    /channels in policy\.yaml names C0NOWHERE01, a channel that I can't see\. Put the id/,
  ],
  [
    'a channel whose people on call the policy file names',
    () => ({ LAMPLIGHTER_POLICY: policy('oncall:\n  C0NOWHERE01: { steps: [{ who: [admins] }] }\n') }),
    /oncall in policy\.yaml names C0NOWHERE01, a channel that I can't see\. Put the id/,
  ],
  [
    'what the policy file protects and lets approve',
    () => ({ LAMPLIGHTER_POLICY: policy('protected: [prd-1]\napprovals: [{ on: [stg-*] }]\n') }),
    /approvals in policy\.yaml has stg-\*, which matches none/,
  ],
  [
    'a channel of the figures that is not there',
    () => ({ BILLING_CHANNELS: 'C0NOWHERE01' }),
    /I can't see .*C0NOWHERE01.*: it is gone, .* name another channel in BILLING_CHANNELS and restart me\./,
  ],
  [
    'one that is there beside one that is not',
    () => ({ BILLING_CHANNELS: 'C0OPS000001,C0NOWHERE02' }),
    /I can't see .*C0NOWHERE02/,
  ],
  [
    'a list with nothing in it',
    () => ({ LAMPLIGHTER_PROTECTED: ',' }),
    /LAMPLIGHTER_PROTECTED is set, but nothing stands in it\. Put in/,
  ],
  [
    'no admin',
    () => ({ LAMPLIGHTER_ADMINS: '' }),
    /There is no admin, so nobody can give roles .* LAMPLIGHTER_ADMINS\./,
  ],
  [
    'an unknown variable',
    () => ({ LAMPLIGHTER_ADMIN: 'U012' }),
    /LAMPLIGHTER_ADMIN is not a variable\. Did you mean LAMPLIGHTER_ADMINS\?/,
  ],
  [
    'a proxy in a variable that nobody reads',
    () => ({ ALL_PROXY: 'http://proxy:3128' }),
    /ALL_PROXY is set, but I don't read it: .* Put the address of the proxy into HTTPS_PROXY/,
  ],
  [
    'a range of addresses without the proxy',
    () => ({ NO_PROXY: 'example.com, 10.0.0.0/8' }),
    /NO_PROXY has 10\.0\.0\.0\/8, but I compare names and single addresses only\. Name each host/,
  ],
];

describe('what can match nothing is said at the start and by the doctor', () => {
  it.each(CASES)('%s', async (_, envOf, words) => {
    const env = envOf();
    const sandbox = await play({
      bot: false,
      isRefused: true,
      timings: { checkNamedAfterMs: 0 },
      slack: { scopes: SCOPES.map(({ name }) => name) },
      env: { BILLING_CHANNELS: 'C0OPS000001', ...env },
    });
    await sandbox.startBot();
    await until(() => sandbox.logs.map(messageOf).some((line) => words.test(line)));
    const said = await examinedBefore(sandbox);
    const line = said.split('\n').find((one) => words.test(one));
    expect(line).toMatch(/^[⚠❌]/);
  });

  it('and where no admin is left at all, that is a fault', async () => {
    const sandbox = await play({ bot: false, isRefused: true, env: { LAMPLIGHTER_ADMINS: 'U0ADMIN0001' } });
    const { code, said } = await runCommand('doctor', [], sandbox.env);
    expect(said).toContain("❌ LAMPLIGHTER_ADMINS names U0ADMIN0001, whom Slack doesn't know.");
    expect(code).toBe(1);
  });

  it('and where all is there, nothing is said', async () => {
    const sandbox = await play({
      timings: { checkNamedAfterMs: 0 },
      env: { LAMPLIGHTER_PROTECTED: 'WEB-*, 105' },
    });
    const { said } = await runCommand('doctor', [], sandbox.env);
    expect(said).toContain('✅ Each pattern of the configuration matches an instance.');
    expect(sandbox.logs.filter((line) => line.includes('"check":"configuration"'))).toEqual([]);
  });
});

/** What the doctor says before any bot runs; below, and in from-outside.test.ts, it is a process of its own. */
async function examinedBefore({ env }: Sandbox): Promise<string> {
  const log = createLog('error', [], { write: () => undefined });
  return examinedText(await examineOnce(await loadSetups(env), log));
}

function messageOf(line: string): string {
  const { level, msg } = JSON.parse(line) as { readonly level: string; readonly msg: string };
  return level === 'warn' ? msg : '';
}
