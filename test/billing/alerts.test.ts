import { describe, expect, it } from 'vitest';
import { says as saysTo } from '../sentences/says.ts';
import { privateTexts, readAll } from '../support/sandbox.ts';
import {
  aboutLeft,
  asks,
  dmsOf,
  find,
  looks,
  reads,
  says,
  setDays,
  watch,
  watchTogether,
} from './watching.ts';

describe('a balance that falls', () => {
  it('is reported once, a level worse once more, and its end with the amount; one card shows it all', async () => {
    const sandbox = await watch();
    await looks(sandbox);
    expect(readAll(sandbox)).toEqual([]);
    setDays(sandbox, 4);
    await reads(sandbox, /getting low/);
    await looks(sandbox);
    setDays(sandbox, 1.5);
    await reads(sandbox, /balance is critical/, { count: 2 });
    await looks(sandbox);
    setDays(sandbox, 40);
    await reads(sandbox, /it rose by/);
    await reads(sandbox, /Over since/);
    await looks(sandbox);
    const all = readAll(sandbox);
    expect(all).toHaveLength(3);
    expect(all[0]).toMatch(/Over since/);
    // Days are counted by the date on which it is empty, which a day and a half may reach at night.
    expect(all[1]).toMatch(
      /The balance is critical: about (?:[12] days? left, empty|1 to \d+ days left \(most likely [12], empty)/,
    );
    expect(all[1]).toContain('At zero the host pauses these');
    expect(all[1]).toContain('web-1 (101)');
    expect(all[2]).toMatch(/it rose by [\d,]+ credits/);
  });

  it('says nothing of a wobble around the line', async () => {
    const sandbox = await watch();
    setDays(sandbox, 4.9);
    await reads(sandbox, /getting low/);
    for (const days of [5.05, 4.95, 5.2, 4.9]) {
      setDays(sandbox, days);
      await looks(sandbox);
    }
    expect(readAll(sandbox)).toHaveLength(1);
  });

  it('is reported at the right level, once, by a bot that was down meanwhile', async () => {
    const sandbox = await watch();
    await looks(sandbox);
    await sandbox.stopBots();
    setDays(sandbox, 1);
    await sandbox.startBot();
    await reads(sandbox, /balance is critical/);
    await looks(sandbox);
    expect(readAll(sandbox)).toHaveLength(1);
    await sandbox.stopBots();
    setDays(sandbox, 0);
    await sandbox.startBot();
    await reads(sandbox, /used up/, { count: 2 });
    await looks(sandbox);
    expect(readAll(sandbox)).toHaveLength(2);
  });
});

describe('who is on it', () => {
  it('stays on it with a press, and can hand it back', async () => {
    const sandbox = await watch({ timings: { stillOnItAfterMs: 200 } });
    setDays(sandbox, 4);
    await reads(sandbox, /getting low/);
    const fin = sandbox.slack.person('fin');
    await fin.presses(find(sandbox, /getting low/), "I'm on it");
    await reads(sandbox, /are you still on/);
    await fin.presses(find(sandbox, /are you still on/), 'Hand back');
    await reads(sandbox, /@fin handed it back/);
  });

  it('is asked of named people alone, once, where a critical balance stays unheeded', async () => {
    const sandbox = await watch({
      env: { BILLING_ESCALATE_TO: 'U0FIN000001,U0GUEST0001' },
      timings: { escalateAfterMs: 150 },
    });
    setDays(sandbox, 1);
    await reads(sandbox, /balance is critical/);
    await sandbox.slack.until(() => sandbox.slack.dump().includes("so I'm telling you directly"));
    await looks(sandbox, 5);
    expect(dmsOf(sandbox, 'fin')).toEqual([
      expect.stringMatching(/^🔔 Unacknowledged since .*, so I'm telling you directly\.\n.*critical/s),
    ]);
    expect(sandbox.slack.dump()).not.toContain('@guest');
  });

  it('is not asked while it is snoozed, and a level worse breaks the snooze', async () => {
    const sandbox = await watch({
      env: { BILLING_ESCALATE_TO: 'U0FIN000001' },
      timings: { escalateAfterMs: 150 },
    });
    setDays(sandbox, 1);
    await reads(sandbox, /balance is critical/);
    const fin = sandbox.slack.person('fin');
    await fin.types('#ops', '/billing alerts snooze 4h');
    await reads(sandbox, /Snoozed by @fin/);
    const shown = await asks(sandbox, '/billing alerts');
    expect(shown).toMatch(/^Snoozed until .+ by @fin\.$/m);
    expect(shown).toContain('[ End the snooze ]');
    await looks(sandbox, 6);
    expect(readAll(sandbox)).toHaveLength(1);
    setDays(sandbox, 0);
    await reads(sandbox, /used up/, { count: 2 });
    await reads(sandbox, /Unacknowledged\.$/m);
  });
});

describe('a snooze', () => {
  it('is ended before its time on the card and by its word, and once more says so', async () => {
    const sandbox = await watch();
    setDays(sandbox, 4);
    await reads(sandbox, /getting low/);
    const fin = sandbox.slack.person('fin');
    const over = "The alert isn't snoozed now, and I'll remind you of it as usual.";
    await asks(sandbox, '/billing alerts snooze 4h');
    await reads(sandbox, /Snoozed by @fin/);
    await fin.presses(find(sandbox, /getting low/), 'End the snooze');
    await reads(sandbox, /Unacknowledged\.$/m);
    expect(await asks(sandbox, '/billing alerts unsnooze')).toBe(over);
    await asks(sandbox, '/billing alerts snooze 4h');
    await reads(sandbox, /Snoozed by @fin/);
    expect(await asks(sandbox, '/billing alerts unsnooze')).toBe(over);
    await reads(sandbox, /Unacknowledged\.$/m);
    expect(await asks(sandbox, '/billing alerts')).not.toContain('nooze');
  });
});

describe('what is set', () => {
  it('is shown and changed in Slack, and counts at once', async () => {
    const sandbox = await watch({ timings: { billingCheckEveryMs: 3_600_000 } });
    expect(await says(sandbox, 'right now')).toMatch(
      /I warn below 5 days and call it critical below 2 days\.\nAlerts go to #ops\.\nNothing is low right now\./,
    );
    await asks(sandbox, '/billing alerts off');
    // What it had looked at is forgotten by then.
    await sandbox.settled();
    const on = await asks(sandbox, '/billing alerts on');
    // The look that it wakes may be over by then.
    expect(on).toMatch(/(?:hasn't been checked yet|is low right now)\.\nI check the balance every hour\b/);
    await says(sandbox, 'right now');
    expect(await asks(sandbox, '/billing alerts set warn 7000 critical 1000')).toMatch(
      /I warn below 7,000 credits and call it critical below 1,000 credits\./,
    );
    await reads(sandbox, new RegExp(`getting low: ${aboutLeft(9)}, empty`));
  });

  it('stands in the configuration where it is kept there, and is not changed here', async () => {
    const sandbox = await watch({ env: { BILLING_WARN: '10d' } });
    await reads(sandbox, new RegExp(`getting low: ${aboutLeft(9)}, empty`));
    expect(await asks(sandbox, '/billing alerts set warn 1d')).toMatch(/kept in the configuration/);
  });

  it('goes to a channel only where its figures may stand', async () => {
    const sandbox = await watch();
    await sandbox.slack.person('fin').types('#random', '/billing alerts here');
    await sandbox.slack.until(() => privateTexts(sandbox, 'fin', '#random').length > 0);
    expect(privateTexts(sandbox, 'fin', '#random')[0]).toMatch(/can't be shown in this channel/);
  });

  it('goes to the admin alone until an admin, and nobody else, chooses a channel', async () => {
    const sandbox = await watch({ env: { BILLING_CHANNELS: '' } });
    expect(await asks(sandbox, '/billing alerts')).toMatch(/Alerts go to @admin alone/);
    expect(await asks(sandbox, '/billing alerts here')).toMatch(/You need the admin role/);
    setDays(sandbox, 4);
    await sandbox.slack.until(() => sandbox.slack.dump().includes('getting low'));
    expect(dmsOf(sandbox, 'admin')).toEqual([expect.stringMatching(/getting low/)]);
    expect(await asks(sandbox, '/billing alerts here', 'admin')).toMatch(
      /everyone in it will see the figures/,
    );
    setDays(sandbox, 1);
    await reads(sandbox, /balance is critical/);
  });

  it('can be tried: one test goes where alerts go', async () => {
    const sandbox = await watch();
    await asks(sandbox, '/billing alerts test');
    expect(await reads(sandbox, /This is a test of balance alerts, asked by @fin/)).toHaveLength(1);
  });

  it('is nothing for an operator, who may take an alert that they see, and no more', async () => {
    const sandbox = await watch({ env: { LAMPLIGHTER_EVERYONE: 'operator' } });
    expect(await asks(sandbox, '/billing alerts', 'ana')).toMatch(/You need the finance role/);
    setDays(sandbox, 4);
    await reads(sandbox, /getting low/);
    expect(await saysTo(sandbox, 'mute the alerts')).toContain('[ Snooze for 4 hours ]');
    await sandbox.slack.person('ana').presses(find(sandbox, /getting low/), "I'm on it");
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length > 1);
    expect(privateTexts(sandbox, 'ana').at(-1)).toContain("You're on it");
    await sandbox.slack.until(() => readAll(sandbox)[0]!.includes('@ana is on it'));
    const before = privateTexts(sandbox, 'ana').length;
    await sandbox.slack.person('ana').presses(find(sandbox, /getting low/), 'Snooze for an hour');
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length > before);
    expect(privateTexts(sandbox, 'ana').at(-1)).toMatch(/You need the finance role/);
  });
});

describe('what is typed to set it', () => {
  const together = watchTogether({ timings: { billingCheckEveryMs: 3_600_000 } });

  it.each([
    ['/billing alerts set warn 2d critical 5d', /Critical must begin below warn/],
    [
      '/billing alerts set warn 5d critical 500',
      /Warn is 5 days and critical is 500 credits: I can't compare days with credits\./,
    ],
    [
      '/billing alerts set warn 500 critical 2d',
      /set both in one unit, as in \/billing alerts set warn 5d critical 2d\. Nothing was/,
    ],
    ['/billing alerts set warn soon', /I can't read "soon" as a threshold/],
    ['/billing alerts set', /Set what\?/],
    ['/billing alerts set low 5d', /I can set warn and critical/],
    ['/billing alerts loud', /I don't know "loud" here/],
    ['/billing alerts constructor', /I don't know "constructor" here/],
    ['/billing alerts off 4h', /off takes no more words/],
    [
      '/billing alerts snooze 4h please',
      /I don't know "please" here, so nothing was changed\. Give only a length/,
    ],
    ['/billing alerts snooze 4h october', /I don't know "october" here/],
    ['/billing alerts snooze @ana 4H', /I don't know ".*" here/],
    ['/billing alerts snooze 4h 2d', /How long\?/],
    ['/billing alerts snooze until friday for ever', /How long\?/],
    ['/billing alerts snooze until friday', /There is no alert right now/],
    ['/billing alerts snooze for 2 days', /There is no alert right now/],
    ['/billing alerts snooze soon', /How long\?/],
    ['/billing alerts ack', /There is no alert right now/],
    ['/billing alerts snooze', /How long\?/],
    ['/billing alerts snooze 0h', /How long\?/],
  ])('%s is refused in one clear sentence, and nothing changes', async (line, words) => {
    const sandbox = await together();
    expect(await asks(sandbox, line)).toMatch(words);
    expect(await asks(sandbox, '/billing alerts')).toMatch(/below 5 days .* below 2 days/);
  });
});

describe('a balance that can not be read', () => {
  it('warns of nothing, is reported once after a while, and once when it can be read again', async () => {
    const sandbox = await watch({ timings: { unknownAfterMs: 200 } });
    await looks(sandbox);
    sandbox.hosting.breakBalance('harbour', { answer: 500, done: false });
    await reads(sandbox, /haven't been able to tell/);
    await looks(sandbox, 4);
    expect(readAll(sandbox)).toHaveLength(1);
    expect(readAll(sandbox)[0]).toContain('6,300 credits');
    sandbox.hosting.mendBalance('harbour');
    await reads(sandbox, /I can read the balance again/);
    await looks(sandbox, 3);
    expect(readAll(sandbox)).toHaveLength(2);
  });
});
