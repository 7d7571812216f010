import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { promtool } from '../support/prometheus.ts';

export const RULES = resolve('ops/alerts.yml');

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
export function firing(told: Told): readonly string[] {
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
