import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinMetrics } from '../../src/platform/metrics/join-metrics.ts';
import { play, runToEnd, urlOf } from '../support/sandbox.ts';
import { PURE_RUNS } from '../support/runs.ts';

/** What is wrong with a text in Prometheus' format, by the rules that a scraper goes by. */
function faultsIn(text: string): readonly string[] {
  const faults: string[] = text.endsWith('\n') ? [] : ['no new line at the end'];
  const seen = new Set<string>();
  let family = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, what, name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
    if (what !== undefined) {
      if (seen.has(`${what} ${name}`)) faults.push(`a second ${what} of ${name}`);
      seen.add(`${what} ${name}`);
      // As `promtool check metrics` says of a name that Prometheus keeps for another type.
      if (/(_total|_count) gauge$/.test(line)) faults.push(`a gauge with the name of a counter: ${name}`);
      family = name;
    } else if (!/^[a-zA-Z_:][\w:]*(\{[^}]*\})? \S+$/.test(line)) faults.push(`not understood: ${line}`);
    else if (!line.startsWith(family)) faults.push(`outside of its metric: ${line}`);
    else if (seen.has(line.replace(/ \S+$/, ''))) faults.push(`twice: ${line}`);
    else seen.add(line.replace(/ \S+$/, ''));
  }
  return faults;
}

describe('what Prometheus reads', () => {
  it.each([
    ['one account', {}],
    ['two accounts', { accounts: {} }],
  ])('has nothing against with %s', async (_, options) => {
    const sandbox = await play(options);
    if (!('accounts' in options)) await runToEnd(sandbox, 'ana', '/instances restart web-1');
    const text = await (await fetch(urlOf(sandbox, '/metrics'))).text();
    expect(faultsIn(text)).toEqual([]);
    expect(text).toContain('bullmq_jobs');
  });

  it('loses no value and explains each metric once, whatever the texts', () => {
    const metric = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      values: fc.array(fc.nat(99), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(fc.array(metric, { maxLength: 3 }), { maxLength: 3 }), (texts) => {
        let label = 0;
        const written = texts.map((metrics) =>
          metrics
            .map(({ name, values }) =>
              [
                `# HELP ${name} x`,
                `# TYPE ${name} gauge`,
                ...values.map((one) => `${name}{l="${label++}"} ${one}`),
              ].join('\n'),
            )
            .join('\n'),
        );
        const joined = joinMetrics(written);
        if (joined !== '') expect(faultsIn(joined)).toEqual([]);
        const valuesOf = (text: string): string[] =>
          text
            .split('\n')
            .filter((line) => line.includes('{'))
            .toSorted();
        expect(valuesOf(joined)).toEqual(valuesOf(written.join('\n')));
      }),
      { numRuns: PURE_RUNS / 20 },
    );
  });
});
