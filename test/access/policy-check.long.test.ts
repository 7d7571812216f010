import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createBareFeatures } from '../../src/app/features.ts';
import { placeOfName } from '../../src/features/access/index.ts';
import { checkPolicy } from '../../src/app/policy-check.ts';
import { adapter as hetzner } from '../../src/platform/hosting/adapters/hetzner.ts';
import { adapter as instanceHosting } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { adapter as vultr } from '../../src/platform/hosting/adapters/vultr.ts';
import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import { runCommand, runScript } from '../support/command.ts';
import { fileWith } from '../support/file-with.ts';
import { isChange } from '../../src/core/policy/permissions.ts';

const POLICY = `
people: { ana: U0ANA000001, bob: U0BOB000001, oncall: S0ONCALL001 }
everyone: viewer
roles:
  operator:
    - { who: ana, on: [staging-*, prod-*], in: [C0OPS000001] }
    - { who: oncall, on: [prod-*] }
  admin:
    - { who: U0ADA000001 }
protected: [prod-*]
channels:
  C0QUIET0001: { roles: [viewer] }
approvals:
  - { on: [prod-*], for: [restart] }
`;

function check(
  args: readonly string[],
  text: string | undefined = POLICY,
  adapter: Adapter = instanceHosting,
): { said: string; exitCode: number } {
  const { lines, exitCode } = checkPolicy(['here/policy.yaml', ...args], () => text, adapter);
  return { said: lines.join('\n'), exitCode };
}

/** What --explain says of these words. */
function explained(who: string, words: string, ...more: readonly string[]): string {
  const { said, exitCode } = check(['--explain', who, words, ...more]);
  expect(exitCode).toBe(0);
  return said;
}

describe('node dist/check-policy.js', () => {
  test('says what a file fixes, and nothing of what it leaves out', () => {
    expect(check([])).toEqual({
      said: 'policy.yaml is valid: everyone is viewer, 3 roles, 1 protected pattern, 1 limited channel, 1 approval.',
      exitCode: 0,
    });
    expect(check([], 'everyone: none').said).toBe('policy.yaml is valid: no role for everyone.');
    expect(check([], 'people: {}').said).toBe('policy.yaml is valid: it fixes nothing.');
  });

  test('knows the verbs of the service in use', () => {
    const forced = 'approvals:\n  - { on: [a], for: [force-stop] }\n';
    expect(check([], forced, hetzner)).toEqual({
      said: 'policy.yaml is valid: 1 approval.',
      exitCode: 0,
    });
    expect(check([], forced)).toEqual({
      said: 'policy.yaml:2: "force-stop" is not a verb that changes something at the hosting service. The verbs are start, stop, restart, delete, add, remove.',
      exitCode: 1,
    });
    expect(check([], 'approvals:\n  - { on: [a], for: [add] }\n', vultr).said).toBe(
      'policy.yaml:2: "add" is not a verb that changes something at Vultr. The verbs are start, stop, restart, delete.',
    );
  });

  test('says each fault with its line, of all kinds at once', () => {
    const text = [
      'people: { ana: U0ANA000001 }',
      'everyone: boss',
      'roles:',
      '  operator:',
      '    - { who: zoe }',
      '    - { who: ana, onn: [a] }',
      'approvals:',
      '  - { on: [a], for: [restrat], fro: 1 }',
    ].join('\n');
    const { said, exitCode } = check([], text);
    expect(exitCode).toBe(1);
    expect(said.split('\n')).toEqual([
      'policy.yaml:2: everyone must be one of viewer, operator, finance, admin and none.',
      'policy.yaml:5: "zoe" is neither a name in people nor an id like U012ABCDEF.',
      'policy.yaml:6: "onn" is not known here. There are who, on, in.',
      'policy.yaml:8: "fro" is not known here. There are on, for.',
      'policy.yaml:8: "restrat" is not a verb that changes something at the hosting service. The verbs are start, stop, restart, delete, add, remove.',
    ]);
  });

  test('the examples in the docs are right', () => {
    const page = readFileSync('docs/policy.md', 'utf8');
    const onPage = /```yaml\n([^]*?)```/.exec(page)?.[1];
    for (const text of [readFileSync('docs/policy.yaml', 'utf8'), onPage])
      expect(check([], text)).toEqual({ said: expect.stringContaining('policy.yaml is valid'), exitCode: 0 });
  });

  test.each([
    [['one more.yaml'], 'Name one file at a time. With npm run, put -- before the file and the options.'],
    [['--explain'], 'The options are --explain, --in, --groups, --labels and --region, each with a value.'],
    [
      ['--explian', '@ana', 'restart web-1'],
      'The options are --explain, --in, --groups, --labels and --region',
    ],
    [['--explain', '@ana'], 'After @ana, put what they would type, in quotation marks.'],
    [['--in', 'C0OPS000001'], '--in, --groups, --labels and --region only work with --explain.'],
    [['--region', 'fra1'], '--in, --groups, --labels and --region only work with --explain.'],
    [['--explain', '@ana', 'list', '--in', '#ops'], '--in takes the id of a channel'],
    [['--explain', '@zoe', 'list'], '@zoe is not a person: give a name from people in the file, or an id.'],
    [['--explain', '@oncall', 'list'], '@oncall is not a person'],
    [['--explain', '@ana', 'list', '--groups', 'ana'], 'ana is not a user group'],
    [['--explain', '@ana', 'restrat web-1'], 'I don\'t know "restrat". Did you mean restart?'],
    [['--explain', '@ana', 'restart prod-1 prod-2'], 'Name one instance at a time'],
  ])('of %j it says what it did not understand, and exits with 2', (args, sentence) => {
    const { said, exitCode } = check(args);
    expect(said).toContain(sentence);
    expect(exitCode).toBe(2);
  });

  test.each(['--help', '-h'])('%s shows how it is used', (option) => {
    expect(check([option])).toEqual({
      said: expect.stringMatching(/^Usage:\n {2}node dist\/check-policy\.js/),
      exitCode: 0,
    });
  });

  test('a file that is not there is said, and none is asked for', () => {
    expect(checkPolicy(['a.yaml'], () => undefined, instanceHosting)).toEqual({
      lines: ["a.yaml can't be read."],
      exitCode: 2,
    });
    expect(checkPolicy([], () => POLICY, instanceHosting)).toMatchObject({ exitCode: 2 });
  });
});

describe('--explain of a file with labels', () => {
  const text = `
people: { ana: U0ANA000001 }
everyone: viewer
roles:
  operator:
    - { who: ana, on: [label:team=web] }
protected: [label:env=prod]
approvals:
  - { on: [region:fra1] }
`;
  const said = (...more: readonly string[]): string =>
    check(['--explain', '@ana', 'restart web-1', ...more], text).said;

  test('says what it depends on where nobody named them', () => {
    expect(said()).toBe(
      'It depends on the labels or the region of web-1: name them, as in --labels team=web,env=prod --region fra1.',
    );
    expect(said('--labels', 'team=web')).toBe(
      [
        '✅ Yes, @ana can restart web-1: they are an operator on label:team=web, given by the policy file policy.yaml.',
        'What else stands before it depends on its labels or its region: name them, as in --labels team=web,env=prod --region fra1.',
      ].join('\n'),
    );
  });

  test('says yes, no and what stands before it by those', () => {
    expect(said('--labels', 'team=web,env=prod', '--region', 'fra1').split('\n').slice(1)).toEqual([
      'web-1 is protected: a stop or restart asks you to confirm it.',
      'Someone else with the operator role must approve it.',
    ]);
    expect(said('--labels', 'team=data', '--region', 'ams3')).toContain("doesn't cover this instance");
  });

  test('says that a group may, where that hangs on labels', () => {
    const group =
      'people: { oncall: S0ONCALL001 }\neveryone: viewer\nroles:\n  operator:\n    - { who: oncall, on: [label:team=web] }\n';
    expect(check(['--explain', 'U0BOB000001', 'restart web-1'], group).said).toContain(
      'The role of a group may reach it, by its labels or its region: name them',
    );
  });

  test('takes no filter by what is gone with the next restart', () => {
    expect(check([], 'protected: [status:running]\n')).toEqual({
      said: 'policy.yaml:1: each of protected must be a name, an id, label:… or region:…, and no other filter.',
      exitCode: 1,
    });
    const quiet = "{ from: '22:00', until: '07:00', zone: Europe/Berlin, except: [label:env=prod] }";
    expect(check([], `oncall:\n  C0OPS000001:\n    quiet: ${quiet}\n`).said).toContain(
      'each of except must be critical, errors, a name or an id, and no other filter.',
    );
  });
});

describe('--explain', () => {
  test('says yes with the rule, whether it is protected and whether a second person must say yes', () => {
    expect(explained('@ana', 'restart prod-1', '--in', 'C0OPS000001')).toBe(
      [
        '✅ Yes, @ana can restart prod-1: they are an operator on staging-*, prod-* in C0OPS000001, given by the policy file policy.yaml.',
        'prod-1 is protected: a stop or restart asks you to confirm it.',
        'Someone else with the operator role must approve it, such as U0ADA000001.',
      ].join('\n'),
    );
    expect(
      explained('ana', '/instances stop staging-1 --because "too dear" --dry-run', '--in', 'C0OPS000001'),
    ).toBe(
      '✅ Yes, ana can stop staging-1: they are an operator on staging-*, prod-* in C0OPS000001, given by the policy file policy.yaml.',
    );
  });

  test('says no in the words that the person reads, and what else could allow it', () => {
    const said = explained('U0BOB000001', 'instances restart prod-1');
    expect(said).toContain(
      "❌ No, U0BOB000001 can't restart prod-1. They would read: You need the operator role to start, stop or restart instances. U0ADA000001 can help; roles are kept in policy.yaml.",
    );
    expect(said).toContain('Members of S0ONCALL001 may. Add --groups S0ONCALL001 if they are one.');
    expect(said).toContain('People in LAMPLIGHTER_ADMINS are admins, whatever the file says.');
    expect(explained('bob', 'restart web-1')).not.toContain('S0ONCALL001');
    // Without a channel, nothing is said about one.
    expect(explained('ana', 'restart prod-1')).toBe(
      'It depends on the channel: ana may do that in C0OPS000001. Name the channel, as in --in C0OPS000001.',
    );
    expect(explained('ana', 'restart prod-1', '--in', 'C0OTHER0001')).toContain(
      "doesn't count in this channel",
    );
    expect(explained('ana', 'restart web-1', '--in', 'C0OPS000001')).toContain("doesn't cover this instance");
  });

  test('takes groups by name or id, and limits of the channel, for admins as well', () => {
    for (const group of ['oncall', 'S0ONCALL001', 'S0OTHER0001,@oncall'])
      expect(explained('bob', 'restart prod-1', '--groups', group)).toMatch(
        /^✅ Yes, bob can restart prod-1: S0ONCALL001 is an operator on prod-\*, given by the policy file policy\.yaml\./,
      );
    expect(explained('U0ADA000001', 'delete web-1', '--in', 'C0QUIET0001')).toBe(
      "❌ No, U0ADA000001 can't delete web-1. They would read: You are an admin, but the policy doesn't let anyone delete instances from this channel. Ask in another one.",
    );
    expect(explained('U0ADA000001', 'delete prod-1')).toBe(
      "❌ No: prod-1 is protected, so it can't be deleted here, no matter who asks.",
    );
  });

  test('knows what needs no instance, what anybody may say, and where an add-on has its instance', () => {
    expect(explained('bob', 'instances')).toBe(
      '✅ Yes, bob can use /instances list: every full member is viewer.',
    );
    expect(explained('bob', 'help')).toContain('Everyone may say "help".');
    expect(explained('U0ADA000001', 'add llm prod-1 --tier big')).toContain('prod-1 is protected');
  });

  test('does not speak for variables where the file leaves them to those', () => {
    const { said } = check(['--explain', 'U0BOB000001', 'restart web-1'], 'channels: {}');
    expect(said).toContain('Roles that were given in Slack are not taken into account.');
    expect(said).toContain('LAMPLIGHTER_EVERYONE is not taken into account.');
    const may = check(['--explain', 'U0BOB000001', 'restart web-1'], 'everyone: operator').said;
    expect(may).toContain('What is protected, LAMPLIGHTER_PROTECTED says.');
  });

  test('finds the instance in the usage of every verb that changes one', () => {
    const routes = createBareFeatures().flatMap((feature) => feature.routes);
    const changing = routes.filter(({ permission, usage }) => permission && isChange(permission) && usage);
    expect(changing.length).toBeGreaterThan(5);
    expect(changing.filter((route) => placeOfName(route) === undefined)).toEqual([]);
  });
});

test('from outside: 0 and what it fixes for a file that is right, 1 and the line for one that is not', async () => {
  expect(await runScript('policy:check', ['docs/policy.yaml'])).toEqual({
    code: 0,
    said: 'policy.yaml is valid: everyone is viewer, 4 roles, 2 protected patterns, 2 limited channels, 1 approval, 1 channel with people on call, 1 holiday list, 2 cost groups.\n',
  });
  const wrong = await runCommand('check-policy', ['compose.yaml']);
  expect(wrong.code).toBe(1);
  expect(wrong.said).toMatch(/^compose\.yaml:2: "services" is not known here\. /);
  expect(
    await runCommand('check-policy', ['docs/policy.yaml', '--explain', '@fin', 'restart web-1']),
  ).toMatchObject({
    code: 0,
    said: expect.stringMatching(
      /^❌ No, @fin can't restart web-1\. They would read: You need the operator role /,
    ),
  });
  expect((await runCommand('check-policy', ['docs/nothing.yaml'])).code).toBe(2);
});

test('from outside: the verbs are those of the service in HOSTING_SERVICE', async () => {
  const path = fileWith('approvals:\n  - { on: [a], for: [force-stop] }\n');
  expect(await runCommand('check-policy', [path], { HOSTING_SERVICE: 'hetzner' })).toMatchObject({ code: 0 });
  expect(await runCommand('check-policy', [path], { HOSTING_SERVICE: '' })).toMatchObject({ code: 1 });
  expect(await runCommand('check-policy', [path], { HOSTING_SERVICE: 'nowhere' })).toMatchObject({ code: 2 });
});
