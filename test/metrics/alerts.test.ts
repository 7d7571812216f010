import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { setDays, watch } from '../billing/watching.ts';
import { hasPromtool, promtool, scrape, valueOf } from '../support/prometheus.ts';
import { play, runToEnd, answerTo } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { firing, RULES } from './firing.ts';

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
});
