import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findInText } from '../../src/core/lookup/in-text.ts';
import { textOfMessage } from '../../src/core/intake/text-of-message.ts';
import { PURE_RUNS } from '../support/runs.ts';

const all = [
  { id: '101', name: 'web-1' },
  { id: '102', name: 'web-1 backup' },
  { id: '103', name: 'db_main' },
  { id: '104', name: '<!channel> *x* "q"' },
  { id: 'i-9f', name: 'Web-1' },
  { id: '105', name: '101' },
];
const idsIn = (text: string): readonly string[] => findInText(text, all).map(({ id }) => id);

describe('an instance is found in', () => {
  test.each([
    ['web-1', ['101']],
    ['is web-1.', ['101']],
    ['(web-1), *web-1*, _web-1_ "web-1": web-1!', ['101']],
    ['web-1 backup is slow', ['102']],
    ['web-1, backup', ['101']],
    ['Web-1 and db_main', ['i-9f', '103']],
    ['the id is 103', ['103']],
    ['101', ['101', '105']],
    ['instance=i-9f;', ['i-9f']],
    ['<!channel> *x* "q" hangs', ['104']],
    ['web-1,db_main', ['101', '103']],
  ])('%j', (text, ids) => expect(idsIn(text)).toEqual(ids));

  test.each([
    ['203.0.113.5 is down', ['104']],
    ['203.0.113.5:22 refused, root@203.0.113.5, http://203.0.113.5/x', ['104']],
    ['(203.0.113.5)', ['104']],
    ['APP.Example.Test hangs', ['107']],
    ['https://root@app.example.test:8443/health?x=1', ['107']],
    ['[2001:db8::5]:443, 2001:DB8::5', ['106']],
    ['203.0.113.50, 1.203.0.113.5, 203.0.113.5.6', []],
    ['my-app.example.test, x.app.example.test, app.example.test.uk, app.example.test@x', []],
    ['2001:db8::5:1 and 1:2001:db8::5', []],
  ])('by an address: %j', (text, ids) => {
    const known = [
      { id: '104', name: 'one', ipAddress: '203.0.113.5' },
      { id: '106', name: 'six', ipAddress: '2001:db8::5' },
      { id: '107', name: 'two', address: 'https://app.example.test/' },
    ];
    expect(findInText(text, known).map(({ id }) => id)).toEqual(ids);
  });

  test.each([
    ['2001:db8::1', 'the host 2001:DB8::1 hangs, [2001:db8::1]:443'],
    ['[2001:db8::1]:443', '2001:db8::1: refused'],
    ['https://[2001:db8::1]:8443/health', '2001:db8::1'],
    ['2001:db8::1/64', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1%eth0, fe80::1%en1'],
    ['[fe80::1%25eth0]', 'fe80::1'],
    ['::1', '::1 and [::1]:80'],
    ['2001:db8::', '2001:db8::, (2001:db8::)'],
    ['203.0.113.5:22', '203.0.113.5 is down'],
    ['git+ssh://me:2001@app.example.test:22/x', 'app.example.test'],
    ['app.example.test:443', 'app.example.test'],
  ])('by the whole host of %j alone', (address, text) => {
    for (const known of [
      { id: 'a', name: 'one', address },
      { id: 'a', name: 'one', ipAddress: address },
    ]) {
      expect(findInText(text, [known])).toEqual([known]);
      for (const part of [
        'deploy 2001 done in fe80, db8, 1, 22, 64, 80 or 443 ms',
        '[ : ] or std::vector',
        'me, me:2001, eth0',
        '2001:db8::1:2, 1:2001:db8::1, fe80::1:2, 2:fe80::1, 2001:db8::2, 12::1',
        '203',
      ])
        expect(findInText(part, [known]), part).toEqual([]);
    }
  });

  test.each([
    'web-10',
    'my-web-1',
    'web-1-db',
    'web-1.example.com',
    'https://web-1.example.com/x',
    'WEB-1',
    'xdb_main',
    'db_main_2',
    '1,101 calls',
    '101.5 ms',
    '2101',
    'ana@web-1.com',
    '',
  ])('nothing of %j', (text) => expect(idsIn(text)).toEqual([]));
});

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z0-9]$/);

test('each name between other words is found, once and in its order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 6 }), fc.string(), (names, around) => {
      const instances = names.map((name, index) => ({ id: `#${index}`, name }));
      const text = names.map((name) => `${name} `).join('');
      expect(findInText(`${text}| ${around}`, instances).slice(0, names.length)).toEqual(instances);
      return new Set(findInText(text + text, instances)).size === names.length;
    }),
    { numRuns: PURE_RUNS },
  );
});

test('an IPv6 address is found whole, however it is written, and in no part of it', () => {
  fc.assert(
    fc.property(
      fc.ipV6(),
      fc.constantFrom(...'# [#] [#]:443 https://[#]/x #%eth0 [#%eth0]:22 #/64'.split(' ')),
      (ip, as) => {
        const known = [{ id: 'the id', name: 'the name', address: as.replace('#', ip) }];
        expect(findInText(`host ${ip} hangs`, known)).toEqual(known);
        expect(ip.split(':').filter((part) => findInText(`deploy ${part} done`, known).length > 0)).toEqual(
          [],
        );
      },
    ),
    { numRuns: PURE_RUNS },
  );
});

test('what is found stands in the text, whatever that is', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), fc.array(fc.string({ maxLength: 4 })), (text, names) => {
      const instances = names.map((name, index) => ({ id: `id-${index}`, name }));
      const found = findInText(textOfMessage({ text }), instances);
      return found.every(({ name, id }) => name.trim() !== '' || text.includes(id));
    }),
    { numRuns: PURE_RUNS },
  );
});

test('a message of any shape is read without an error, as 3,000 characters at most', () => {
  const anyJson = fc.jsonValue({ maxDepth: 6 });
  const message = fc.record(
    { text: fc.oneof(fc.string(), anyJson), blocks: anyJson, attachments: anyJson },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(anyJson, message), (given) => textOfMessage(given).length <= 3_000),
    { numRuns: PURE_RUNS },
  );
});

test('a message that nests without an end is read as far as people read', () => {
  let nested: unknown = { text: 'web-1' };
  for (let depth = 0; depth < 100_000; depth++) nested = { elements: [nested] };
  expect(textOfMessage(nested)).toBe('');
  expect(textOfMessage({ text: 'x'.repeat(1_000_000) })).toHaveLength(3_000);
});

test('a message is read in its attachments and their fields', () => {
  const message = {
    text: '',
    attachments: [
      { pretext: 'Alert', fields: [{ title: 'Host', value: 'web-1' }], footer: 'not read' },
      { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '&lt;db_main&gt;' } }] },
    ],
  };
  expect(idsIn(textOfMessage(message))).toEqual(['101', '103']);
});
