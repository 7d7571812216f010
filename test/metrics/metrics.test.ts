import { describe, expect, it } from 'vitest';
import { setDays, watch } from '../billing/watching.ts';
import { playMonth } from '../clouds/month.ts';
import { hasPromtool, linesOf, promtool, scrape, valueOf } from '../support/prometheus.ts';
import { answeredWith, answerTo, play, runToEnd } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

describe('what an operator sees', () => {
  it('is the balance, how long it lasts, and how old that is', async () => {
    const sandbox = await watch();
    setDays(sandbox, 10);
    await until(async () => valueOf(await scrape(sandbox), 'lamplighter_balance') === 6_670);
    const text = await scrape(sandbox);
    const days = (valueOf(text, 'lamplighter_balance_runway_seconds') ?? 0) / 86_400;
    expect(Math.round(days)).toBe(10);
    expect(valueOf(text, 'lamplighter_balance_age_seconds')).toBeLessThan(60);
    expect(linesOf(text, 'lamplighter_budget_used_ratio')).toEqual([]);
    setDays(sandbox, 0);
    await until(async () => valueOf(await scrape(sandbox), 'lamplighter_balance_runway_seconds') === 0);
  });

  it('is how much of the budget of a month is used', async () => {
    const month = await playMonth('vultr');
    await month.asks('/billing alerts set budget 200 USD');
    await month.on('2026-11-28', 50);
    const text = await scrape(month.sandbox);
    expect(valueOf(text, 'lamplighter_budget_used_ratio')).toBe(0.25);
    expect(linesOf(text, 'lamplighter_balance')).toEqual([]);
  });

  it('is nothing of a balance that nobody has read', async () => {
    const text = await scrape(await play());
    for (const name of ['balance', 'balance_age_seconds', 'balance_runway_seconds'])
      expect(linesOf(text, `lamplighter_${name}`)).toEqual([]);
  });

  it('is what is under way, what is due, and what the audit keeps', async () => {
    const sandbox = await play({ timings: { patienceMs: 30_000 } });
    expect(valueOf(await scrape(sandbox), 'lamplighter_audit_entries')).toBe(0);
    sandbox.hosting.setBehavior(101, { powerMs: 60_000 });
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await until(async () => valueOf(await scrape(sandbox), 'lamplighter_operations_open') === 1);
    const text = await scrape(sandbox);
    expect(valueOf(text, 'lamplighter_audit_entries')).toBeGreaterThan(0);
    for (const kind of ['request', 'operation', 'poll', 'message'])
      expect(valueOf(text, 'lamplighter_oldest_due_seconds', `kind="${kind}"`)).toBeLessThan(30);
  });

  it('is what Slack was asked, and how it answered', async () => {
    const sandbox = await play();
    await answerTo(sandbox, 'ana', '/instances web-1');
    sandbox.slack.rateLimitNext('chat.postMessage', { retryAfter: 1 });
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    const text = await scrape(sandbox);
    const count = (name: string, labels = ''): number =>
      valueOf(text, `lamplighter_${name}_count`, labels) ?? 0;
    expect(count('slack_call_seconds', 'method="chat.postMessage",result="rate-limited"')).toBe(1);
    expect(text).toMatch(/^# HELP lamplighter_slack_call_seconds .*result="rate-limited" is Slack's 429/m);
    expect(count('slack_call_seconds', 'method="chat.postMessage",result="ok"')).toBe(2);
    expect(count('slack_call_seconds', 'method="response_url",result="ok"')).toBeGreaterThan(0);
    expect(count('answer_seconds')).toBeGreaterThan(0);
    expect(count('post_delay_seconds')).toBe(2);
    // The one that was refused waited for the second that Slack asked for.
    expect(valueOf(text, 'lamplighter_post_delay_seconds_sum')).toBeGreaterThan(1);
  });

  it('is how many calls the API key has left', async () => {
    const sandbox = await play({ adapter: { limit: { requests: 500, seconds: 60 } } });
    const before = valueOf(await scrape(sandbox), 'lamplighter_hosting_calls_left') ?? 0;
    await answeredWith(sandbox, 'ana', '/instances web-1');
    expect(valueOf(await scrape(sandbox), 'lamplighter_hosting_calls_left')).toBeLessThan(before);
  });

  it('is each account by the name that it is configured with', async () => {
    const text = await scrape(await play({ accounts: {} }));
    for (const name of ['operations_open', 'audit_entries', 'hosting_calls_left'])
      expect(linesOf(text, `lamplighter_${name}`).map((line) => line.replace(/ .*/, ''))).toEqual([
        '{scope="acme"}',
        '{scope="labs"}',
      ]);
  });

  it('is how Redis does, and nothing of what is in it while it is away', async () => {
    const sandbox = await play({ ownRedis: true });
    const text = await scrape(sandbox);
    expect(valueOf(text, 'lamplighter_redis_round_trip_seconds')).toBeGreaterThan(0);
    expect(valueOf(text, 'lamplighter_redis_replicas')).toBe(0);
    expect(valueOf(text, 'lamplighter_redis_memory_bytes')).toBeGreaterThan(100_000);
    expect(valueOf(text, 'lamplighter_ready', 'check="redis"')).toBe(1);
    await sandbox.redis!.kill();
    const away = await scrape(sandbox);
    expect(valueOf(away, 'lamplighter_ready', 'check="redis"')).toBe(0);
    for (const name of ['redis_round_trip_seconds', 'redis_memory_bytes', 'operations_open', 'audit_entries'])
      expect(linesOf(away, `lamplighter_${name}`)).toEqual([]);
    await sandbox.redis!.restart();
    await until(async () => linesOf(await scrape(sandbox), 'lamplighter_operations_open').length === 1);
  });

  it('is the version that runs', async () => {
    const sandbox = await play();
    expect(linesOf(await scrape(sandbox), 'lamplighter_build_info')).toEqual([
      expect.stringMatching(/^\{version="\d+\.\d+\.\d+"\} 1$/),
    ]);
  });

  it.runIf(hasPromtool)('is what promtool has nothing against', async () => {
    const sandbox = await watch({ accounts: {} });
    await until(async () => linesOf(await scrape(sandbox), 'lamplighter_balance').length === 2);
    expect(promtool(['check', 'metrics'], await scrape(sandbox))).toEqual({ status: 0, said: '' });
  });
});
