import { describe, expect, it } from 'vitest';
import { play, runToEnd, urlOf } from '../support/sandbox.ts';

/** What is wrong with a text in Prometheus' format, by the rules that a scraper goes by. */
function faultsIn(text: string): readonly string[] {
  const faults: string[] = text.endsWith('\n') ? [] : ['no new line at the end'];
  const seen = new Set<string>();
  let family = '';
  // An empty line means nothing.
  for (const line of text.split('\n').filter((one) => one !== '')) {
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
});
