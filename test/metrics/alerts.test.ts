import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { setDays, watch } from '../billing/watching.ts';
import { startProcess } from '../support/process.ts';
import { hasPromtool, promtool, scrape, valueOf } from '../support/prometheus.ts';
import { play, readAll, runToEnd, answerTo } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const RULES = resolve('ops/alerts.yml');
const { groups } = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            labels: z.object({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.object({ summary: z.string(), runbook: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(readFileSync(RULES, 'utf8')));
const rules = groups.flatMap((group) => group.rules);
const { panels } = z
  .object({
    panels: z.array(
      z.object({
        id: z.number(),
        title: z.string(),
        gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
        targets: z.array(z.object({ expr: z.string() })),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync('ops/dashboard.json', 'utf8')));

/** The names of metrics in expressions, without what Prometheus adds to each. */
function namesIn(expressions: readonly string[]): ReadonlySet<string> {
  const named = expressions.flatMap((one) => one.match(/\b(?:lamplighter|bullmq|nodejs|process)_\w+/g) ?? []);
  return new Set(named.map((name) => name.replace(/(?<=_seconds)_(?:count|sum|bucket)$/, '')));
}

/** Of each process, what it told Prometheus: so many minutes of each text, nothing where it did not answer. */
type Told = Readonly<Record<string, readonly (string | undefined)[]>>;
const MINUTES_EACH = 10;

/** The values of a series over time, as promtool's tests write them. */
function valuesIn(texts: readonly (string | undefined)[], series: string): string {
  const of = (text = ''): string =>
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1) ?? '_';
  return texts.map((text) => Array.from({ length: MINUTES_EACH }, () => of(text)).join(' ')).join(' ');
}

/** The alerts that fire at the end of what was told, by Prometheus' own judgement. */
function firing(told: Told): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const inputs = Object.entries(told).flatMap(([instance, texts]) => {
    const lines = texts.flatMap((text) => (text ?? '').split('\n'));
    const series = new Set(
      lines.filter((line) => line.startsWith('lamplighter_')).map((line) => line.replace(/ \S+$/, '')),
    );
    return [...series].map((one) => ({
      series: one.includes('{')
        ? one.replace('{', `{instance="${instance}",`)
        : `${one}{instance="${instance}"}`,
      values: valuesIn(texts, one),
    }));
  });
  const minutes = Math.max(...Object.values(told).map((texts) => texts.length)) * MINUTES_EACH;
  const path = join(folder, 'told.yml');
  const isSilent = {
    expr: 'ALERTS{alertstate="firing"}',
    eval_time: `${minutes - 1}m`,
    exp_samples: [],
  };
  writeFileSync(
    path,
    stringify({
      rule_files: [RULES],
      evaluation_interval: '1m',
      tests: [{ interval: '1m', input_series: inputs, promql_expr_test: [isSilent] }],
    }),
  );
  const { status, said } = promtool(['test', 'rules', path]);
  const [, got] = /got:(.*)/s.exec(said) ?? [];
  if (status !== 0 && got === undefined) throw new Error(said);
  const named = [...(got ?? '').matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name);
  return [...new Set(named)].toSorted();
}

describe('the rules of ops/alerts.yml', () => {
  it('each have a name of their own, a sentence, and what to do in docs/operating.md', () => {
    const headings = [...readFileSync('docs/operating.md', 'utf8').matchAll(/^### (Lamplighter\w+)$/gm)];
    expect(headings.map(([, name]) => name)).toEqual(rules.map(({ alert }) => alert));
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook).toBe(`docs/operating.md#${alert.toLowerCase()}`);
      expect(annotations.summary).toMatch(/^[A-Z].{10,90}[^.]$/);
    }
  });

  it('and the dashboard ask for nothing that the bot does not print', async () => {
    const sandbox = await play();
    const printed = new Set(
      [...(await scrape(sandbox)).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name),
    );
    const drawn = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const asked = [...namesIn([...rules.map(({ expr }) => expr), ...drawn])];
    expect(asked.filter((name) => !printed.has(name))).toEqual([]);
    expect(asked.length).toBeGreaterThan(20);
  });

  it('stand on a dashboard whose panels do not lie on each other', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });

  it.runIf(hasPromtool)('are taken by promtool, silent in normal work, and fire in what they are for', () => {
    expect(promtool(['check', 'rules', RULES]).status).toBe(0);
    expect(promtool(['test', 'rules', 'ops/alerts.test.yml'])).toMatchObject({ status: 0 });
    const tested = readFileSync('ops/alerts.test.yml', 'utf8');
    expect(rules.filter(({ alert }) => !tested.includes(`name: ${alert}\n`))).toEqual([]);
  });
});

describe.runIf(hasPromtool)('what Prometheus makes of a bot', () => {
  it('that works is no alert', async () => {
    const sandbox = await watch();
    setDays(sandbox, 30);
    await answerTo(sandbox, 'ana', '/instances');
    await until(async () => valueOf(await scrape(sandbox), 'lamplighter_balance') !== undefined);
    const before = await scrape(sandbox);
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(firing({ bot: [before, await scrape(sandbox), await scrape(sandbox)] })).toEqual([]);
  });

  it('whose hosting API is down, or refuses its key, is that', async () => {
    const sandbox = await play();
    const [normal, ...later] = [await scrape(sandbox)];
    const told = { 503: [normal, ...later], 401: [normal, ...later] };
    for (const status of [503, 401] as const) {
      const mend = sandbox.hosting.failNext({}, status, 1_000);
      for (let times = 0; times < 2; times++) {
        for (const line of ['web-1', 'web-2', 'db-1']) await answerTo(sandbox, 'ana', `/instances ${line}`);
        told[status].push(await scrape(sandbox));
      }
      mend();
    }
    expect(firing({ bot: told[503] })).toEqual(['LamplighterHostingDown']);
    expect(firing({ bot: [told[503].at(-1), ...told[401].slice(1)] })).toContain(
      'LamplighterHostingKeyRefused',
    );
  });

  it('that reaches nobody with a message is that', async () => {
    const sandbox = await watch({ isRefused: true, env: { BILLING_CHANNELS: '' } });
    const before = await scrape(sandbox);
    for (let times = 0; times < 40; times++)
      sandbox.slack.failNext('conversations.open', { error: 'user_disabled' });
    setDays(sandbox, 4);
    await until(
      async () => (valueOf(await scrape(sandbox), 'lamplighter_messages_dead_lettered_total') ?? 0) > 0,
    );
    expect(firing({ bot: [before, await scrape(sandbox)] })).toEqual(['LamplighterMessageLost']);
  });

  it('whose only worker was killed is that, while what is due grows old', async () => {
    const sandbox = await play({ bot: false });
    await sandbox.startBot({ LAMPLIGHTER_ROLE: 'web' });
    const worker = await startProcess(sandbox, { env: { LAMPLIGHTER_ROLE: 'worker' }, listens: false });
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    const before = {
      web: await scrape(sandbox),
      worker: await scrape(sandbox, `http://127.0.0.1:${worker.port}/metrics`),
    };
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
    await worker.end('SIGKILL');
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-2');
    const due = async (): Promise<number> =>
      valueOf(await scrape(sandbox), 'lamplighter_oldest_due_seconds', 'kind="request"') ?? 0;
    await until(async () => (await due()) > 0.5);
    const after = await scrape(sandbox);
    expect(
      firing({ web: [before.web, after, after], worker: [before.worker, undefined, undefined] }),
    ).toEqual(['LamplighterNoWorker']);
  });

  it('whose Redis is away is that', async () => {
    const sandbox = await play({ ownRedis: true });
    const before = await scrape(sandbox);
    await sandbox.redis!.kill();
    const away = await scrape(sandbox);
    expect(firing({ bot: [before, away, away] })).toEqual(['LamplighterRedisRefuses']);
    await sandbox.redis!.restart();
  });
});
