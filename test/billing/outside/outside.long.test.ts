import { describe, expect, it } from 'vitest';
import { signatureOf } from '../../../src/platform/webhook/webhook.ts';
import { letBeDue } from '../../../sandbox/phrases/due-bulletin.ts';
import { DIGEST } from '../../../src/features/billing/digest/record.ts';
import { readAll } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';
import { asks, looks, reads, setDays, watch } from '../watching.ts';
import { lettersAt, mailbox, readMail, receiver, SECRET } from './opened.ts';

describe('a webhook', () => {
  it('gets that an alert began, got worse and ended, in the words of Slack, signed, once each', async () => {
    const { webhook, env } = await receiver();
    const sandbox = await watch({
      env: { ...env, BILLING_TOPUP_URL: 'https://console.example.com/billing' },
    });
    setDays(sandbox, 4);
    const [card = ''] = await reads(sandbox, /getting low/);
    setDays(sandbox, 1.5);
    await reads(sandbox, /balance is critical/, { count: 2 });
    setDays(sandbox, 40);
    const [end = ''] = await reads(sandbox, /it rose by/);
    await until(() => lettersAt(webhook).length >= 3);
    await looks(sandbox);
    const letters = lettersAt(webhook);
    expect(letters.map(({ kind, level }) => [kind, level])).toEqual([
      ['alert-opened', 'warn'],
      ['alert-worse', 'critical'],
      ['alert-ended', 'ok'],
    ]);
    expect(letters[0]).toMatchObject({ about: 'low balance', balance: '2668', perDay: '677' });
    expect(Date.parse(letters[0]?.['asOf'] ?? '')).not.toBeNaN();
    expect(new Set(letters.map(({ alert }) => alert)).size).toBe(1);
    expect(letters[0]?.['text']).toContain('Top up: https://console.example.com/billing');
    expect(letters[0]?.['text']?.split('\n')[0]?.slice(0, 30)).toBe(card.split('\n')[0]?.slice(0, 30));
    expect(letters[2]?.['text']?.split('\n')[0]).toBe(end.split('\n')[0]);
    for (const { headers, body } of webhook.received) {
      const at = String(headers['x-lamplighter-timestamp']);
      expect(headers['x-lamplighter-signature']).toBe(`v1=${signatureOf(SECRET, at, body)}`);
      expect(headers['x-lamplighter-signature']).not.toBe(`v1=${signatureOf('another secret', at, body)}`);
      expect(headers['idempotency-key']).toBe((JSON.parse(body) as { id: string }).id);
    }
    expect(sandbox.logs.join('')).not.toMatch(/hush-hush|a-long-random-text/);
  });

  it('gets again by the same id what it refused, or whose answer was lost', async () => {
    const { webhook, env } = await receiver();
    webhook.failNext(500, 'close after the body', 'no answer', 'slow');
    const sandbox = await watch({ env, timings: { slackTimeoutMs: 700, findPostAfterMs: 1_200 } });
    setDays(sandbox, 4);
    await until(() => webhook.received.length >= 4);
    await looks(sandbox);
    expect(lettersAt(webhook)).toHaveLength(1);
    expect(webhook.received).toHaveLength(4);
    expect(readAll(sandbox)).toHaveLength(1);
  });

  it('that is gone is named once where alerts go', async () => {
    const { webhook, env } = await receiver();
    webhook.failNext(410);
    const sandbox = await watch({ env });
    setDays(sandbox, 4);
    await reads(sandbox, /I couldn't send this to the webhook: it was answered 410/);
    await looks(sandbox);
    expect(readAll(sandbox).filter((text) => text.includes('the webhook'))).toHaveLength(1);
    expect(webhook.received).toHaveLength(1);
  });

  it('gets a test and the whole digest', async () => {
    const { webhook, env } = await receiver();
    const sandbox = await watch({ env, timings: { billingCheckEveryMs: 60_000 } });
    await asks(sandbox, '/billing alerts test');
    await until(() => webhook.received.length > 0);
    expect(lettersAt(webhook)[0]).toMatchObject({ kind: 'test' });
    await reads(sandbox, /This is a test/);
    await asks(sandbox, '/billing digest weekly mon 09:00');
    await letBeDue(sandbox, DIGEST);
    const [digest = ''] = await reads(sandbox, /In the last seven days/);
    await until(() => lettersAt(webhook).some(({ kind }) => kind === 'digest'));
    const letter = lettersAt(webhook).find(({ kind }) => kind === 'digest');
    expect(letter).toMatchObject({ balance: '6300', used: expect.stringMatching(/^\d+$/) });
    expect(letter?.['text']?.split('\n').length).toBeGreaterThanOrEqual(digest.split('\n').length);
  });
});

describe('mail', () => {
  it('gets each once, with an id that follows from what it tells of', async () => {
    const { smtp, env } = await mailbox();
    smtp.failNext('close before data');
    const sandbox = await watch({ env });
    setDays(sandbox, 4);
    await until(() => smtp.mails.length > 0);
    await looks(sandbox);
    expect(smtp.mails).toHaveLength(1);
    const { id, text } = readMail(smtp.mails[0] ?? '');
    expect(id).toMatch(/^<[\w-]{22}@example\.com>$/);
    expect(text).toMatch(/The balance is getting low: about (?:[345]|[2-4] to \d) days left.*2,668 credits/s);
    expect(readAll(sandbox)).toHaveLength(1);
  });

  it.each(['close after data', 'no answer'] as const)(
    'whose answer is lost (%s) is not sent again, and is said to be unknown once',
    async (fault) => {
      const { smtp, env } = await mailbox();
      smtp.failNext(fault);
      const sandbox = await watch({ env, timings: { slackTimeoutMs: 700, findPostAfterMs: 1_200 } });
      setDays(sandbox, 4);
      await reads(sandbox, /I can't say whether a mail arrived.*getting low/s);
      await looks(sandbox);
      expect(smtp.mails).toHaveLength(1);
      expect(readAll(sandbox)).toHaveLength(2);
    },
  );

  it('is examined by the doctor, who names a server that lets nobody in', async () => {
    const { smtp, env } = await mailbox();
    const sandbox = await watch({ env: { ...env, LAMPLIGHTER_EVERYONE: 'admin' } });
    await sandbox.slack.person('admin').types('#ops', '/lamplighter doctor');
    await sandbox.slack.until(() => sandbox.slack.dump().includes('The mail server at SMTP_URL lets me in'));
    await smtp.close();
    await sandbox.slack.person('admin').types('#ops', '/lamplighter doctor');
    await sandbox.slack.until(() =>
      sandbox.slack.dump().includes("The mail server at SMTP_URL can't be reached"),
    );
  });

  it('that the server refuses for good is named once where alerts go', async () => {
    const { smtp, env } = await mailbox();
    smtp.failNext('refuse 554');
    const sandbox = await watch({ env });
    setDays(sandbox, 4);
    await reads(sandbox, /I couldn't send this by mail: it was answered 554/);
    expect(smtp.mails).toHaveLength(0);
  });
});
