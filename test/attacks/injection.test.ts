import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { instanceHostingTable } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { readPaging } from '../../src/platform/hosting/table/next-page.ts';
import { clientOf, faultOf, openAnswer } from '../hosting/calling.ts';
import { createDice, type Dice, NASTY_TEXTS } from './dice.ts';
import { MAX_MS } from './watching.ts';
import { runs } from '../support/runs.ts';

const RUNS = runs(100_000);
const IDS = runs(2_000);

const PARTS: readonly string[] = [
  ...NASTY_TEXTS.filter((text) => text.length < 100),
  ...'./\\%#?&=@:;,|<>"\'`*_~^[]{}()!$+- \t\r\n\0\u007F\u0085\u00A0\u200B'.split(''),
  ...'aZ09éß漢'.split(''),
  '%0d%0a',
  'Authorization: x',
  'http://169.254.169.254/',
];

/** A text made to be more than a text somewhere. */
function nasty(dice: Dice, longest = 6): string {
  return Array.from({ length: 1 + dice.below(longest) }, () => dice.pick(PARTS)).join('');
}

function must(holds: boolean, what: () => string): void {
  if (!holds) throw new Error(`not so: ${what()}`);
}

describe('what goes into a header', () => {
  const ENOUGH = {
    SLACK_BOT_TOKEN: 'xoxb-1234-5678',
    SLACK_SIGNING_SECRET: '8f742231b10e8888',
    HOSTING_API_URL: 'https://api.example.test',
    HOSTING_API_TOKEN: 'oc_live_abc',
  };
  const NAMES = ['HOSTING_API_TOKEN', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'] as const;

  test(
    'is one header whatever the environment says: any values are refused or harmless',
    () => {
      let taken = 0;
      for (let round = 0; round < RUNS; round++) {
        const dice = createDice(round);
        const name = dice.pick(NAMES);
        const value = dice.oneIn(4) ? `abcdefgh${dice.pick(PARTS)}abcd` : nasty(dice);
        try {
          const { hosting, slack } = loadConfig({ ...ENOUGH, [name]: value });
          for (const one of [hosting.token, slack.botToken, slack.appToken ?? '']) {
            must(/^[\x20-\x7e]*$/.test(one), () => `${name}=${JSON.stringify(value)} fits into a header`);
          }
          taken += 1;
        } catch (error) {
          must(error instanceof Error && error.name === 'ConfigError', () => `${round}: ${String(error)}`);
          // The fault names the variable and not what was in it.
          must(
            value.length < 12 || !String(error).includes(value),
            () => `${round}: the value is not in the error`,
          );
        }
      }
      expect(taken).toBeGreaterThan(RUNS / 10);
    },
    MAX_MS,
  );

  test.each(['key\r\nx-evil: 1', 'key\nx-evil: 1', 'key\0', 'key\r\n\r\nGET /evil HTTP/1.1', 'ключ'])(
    'and %j as a key never leaves',
    async (value) => {
      const { url, seen } = await openAnswer(200, '{"data":[]}');
      const hosting = clientOf(url, { auth: { headers: () => ({ Authorization: value }) } });
      await faultOf(hosting.powerInstance('1', 'restart'));
      expect(seen).toEqual([]);
    },
  );
});

describe('what goes into a path', () => {
  const SEGMENT = /^[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}$/;

  test('is the id as it stands, or nothing is sent at all: any ids, as the service sees them', async () => {
    const { url, seen } = await openAnswer(404, '{"error":{"code":"not_found"}}');
    const hosting = clientOf(url);
    const expected: string[] = [];
    for (let round = 0; round < IDS; round++) {
      const dice = createDice(round);
      const id = dice.oneIn(3) ? nasty(dice, 2).replaceAll(/[^A-Za-z0-9._:~-]/g, '') : nasty(dice, 4);
      expect(await hosting.findInstance(id)).toBeUndefined();
      // A plain segment needs no escape but for the colon, which may stand as it is or escaped.
      if (!SEGMENT.test(id)) continue;
      const path = `/api/v1/instances/${encodeURIComponent(id)}`;
      // One 404 is asked about again.
      expected.push(path, path);
    }
    expect(expected.length).toBeGreaterThan(IDS * 0.15);
    expect(seen.map((call) => call.url)).toEqual(expected);
    expect(new Set(seen.map((call) => call.method))).toEqual(new Set(['GET']));
    expect(expected.filter((path) => new URL(path, url).pathname !== path)).toEqual([]);
  });

  test(
    'is plain ASCII of one line on the same host, whatever the service calls its next page',
    () => {
      const origin = 'https://api.example.test';
      const names = ['next_cursor', 'next_page', 'page', 'total_pages', 'last_page', 'current_page'];
      const starts = [
        '',
        '/',
        '/api/v1/instances?page=2&x=',
        '?',
        `${origin}/`,
        `${origin}/x?`,
        'https:',
        '/\\',
        '../',
      ];
      let followed = 0;
      for (let round = 0; round < RUNS; round++) {
        const dice = createDice(round);
        const next = dice.pick(starts) + nasty(dice);
        const value = dice.oneIn(4) ? dice.below(9) : next;
        const body = dice.oneIn(2)
          ? { meta: { [dice.pick(names)]: value, total_pages: 3 } }
          : { links: { next }, meta: { links: { next } } };
        const link = dice.oneIn(4) ? `<${next}>; rel="next"` : '';
        const here = { path: '/api/v1/instances' };
        const { next: page } = readPaging(
          instanceHostingTable,
          { origin },
          here,
          { headers: { link }, body },
          1,
        );
        if (typeof page === 'string') continue;
        followed += 1;
        must(/^\/[\x21-\x7e]*$/.test(page.path), () => `${round}: ${JSON.stringify(page.path)}`);
        must(!page.path.includes('#'), () => `${round}: ${page.path}`);
      }
      expect(followed).toBeGreaterThan(RUNS / 10);
    },
    MAX_MS,
  );
});
