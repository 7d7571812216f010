import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { createLinks } from '../../src/core/links.ts';
import { linksOf } from '../support/links.ts';
import { answeredWith, botMessages, play, privateTexts, readAll, runToEnd } from '../support/sandbox.ts';

const CONSOLE = { env: { INSTANCE_URL: 'https://console.example.com/servers/{id}?tab=log' } };

const opens = (id: string) => [['Open in the console', `https://console.example.com/servers/${id}?tab=log`]];

describe('where the page of an instance is configured', () => {
  it('is opened from what is said of one instance, and its press does nothing else', async () => {
    const sandbox = await play(CONSOLE);
    const shown = await answeredWith(sandbox, 'ana', '/instances show web-1');
    expect(linksOf(shown)).toEqual(opens('101'));
    const pressed = await sandbox.slack.person('ana').presses(shown, 'Open in the console');
    expect(pressed).toMatchObject({ status: 200, body: '' });
    await sandbox.settled();
    expect(privateTexts(sandbox, 'ana')).toHaveLength(1);
    expect(readAll(sandbox)).toEqual([]);
    expect(sandbox.logs.join('')).not.toContain('leads nowhere');
  });

  it('is opened from the card of what failed, beside the next try', async () => {
    const sandbox = await play(CONSOLE);
    await runToEnd(sandbox, 'ana', '/instances restart breaks');
    const [card] = botMessages(sandbox);
    expect(sandbox.slack.read(card!)).toContain('Look at its log, then try again.');
    expect(sandbox.slack.read(card!)).toContain(
      '[ Try again ] [ Open in the console ↗ ] ⋯ [ Show | Tell the story ]',
    );
    expect(linksOf(card)).toEqual(opens('202'));
  });

  it('is opened from the card of what nobody knows the end of', async () => {
    const sandbox = await play({ ...CONSOLE, hosting: { style: 'documented' } });
    await runToEnd(sandbox, 'ana', '/instances restart loses-answers');
    expect(linksOf(botMessages(sandbox)[0])).toEqual(opens('203'));
  });

  it('is opened from the card of what takes longer than usual, beside Keep me posted', async () => {
    const sandbox = await play(CONSOLE);
    await sandbox.slack.person('ana').types('#ops', '/instances start never-starts');
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('taking longer than usual'), {
      timeoutMs: 10_000,
    });
    const [card] = botMessages(sandbox);
    expect(sandbox.slack.read(card!)).toContain('[ Keep me posted ] [ Open in the console ↗ ] ⋯ [ Show ]');
    await sandbox.settled();
  });

  it.each([
    ['/instances restart needs-owner', 'it waits for its configuration', '214'],
    ['/instances start paused', 'paused', '208'],
  ])('is opened from the refusal of %s', async (line, said, id) => {
    const sandbox = await play(CONSOLE);
    const refused = await answeredWith(sandbox, 'ana', line);
    expect(sandbox.slack.read(refused)).toContain(said);
    expect(linksOf(refused)).toEqual(opens(id));
  });

  it('is opened for the one instance of which somebody wants what I can not show', async () => {
    const sandbox = await play(CONSOLE);
    const logs = await answeredWith(sandbox, 'ana', '@lamplighter show me the logs of web-1');
    expect(sandbox.slack.read(logs)).toContain("I can't show logs.");
    expect(linksOf(logs)).toEqual(opens('101'));
  });

  it("opens each account's own console", async () => {
    const sandbox = await play({ accounts: {}, ...CONSOLE });
    const shown = await answeredWith(sandbox, 'ana', '/instances acme:show web-1');
    expect(linksOf(shown)).toEqual(opens('101'));
    await sandbox.slack.person('ana').presses(shown, 'Open in the console');
    await sandbox.settled();
    expect(sandbox.logs.join('')).not.toContain('leads nowhere');
  });
});

it('is spoken of nowhere where none is configured', async () => {
  const sandbox = await play();
  const shown = await answeredWith(sandbox, 'ana', '/instances show web-1');
  await runToEnd(sandbox, 'ana', '/instances restart breaks');
  expect([linksOf(shown), linksOf(botMessages(sandbox)[0])]).toEqual([[], []]);
  expect(sandbox.slack.read(shown)).not.toContain('console');
});

it.each([
  ['a/../../b?x=1#y', 'https://c.example.com/s/a%2F..%2F..%2Fb%3Fx%3D1%23y'],
  ["$&-$'", "https://c.example.com/s/%24%26-%24'"],
  ['https://evil.example.com', 'https://c.example.com/s/https%3A%2F%2Fevil.example.com'],
])('leads to the configured place whatever the id is: %j', (id, url) => {
  expect(createLinks({ instanceUrl: 'https://c.example.com/s/{id}' }).console(id)).toMatchObject([{ url }]);
});

it.each(['', '.', '..', '\ud800', 'x'.repeat(3_000)])(
  'leads nowhere by an id that fits no address, %#',
  (id) => {
    expect(createLinks({ instanceUrl: 'https://c.example.com/s/{id}' }).console(id)).toEqual([]);
  },
);

const ENOUGH = {
  SLACK_BOT_TOKEN: 'xoxb-1234-5678',
  SLACK_SIGNING_SECRET: '8f742231b10e8888',
  HOSTING_API_URL: 'https://api.example.test',
  HOSTING_API_TOKEN: 'oc_live_abc',
};
const AS_IN = 'like https://console.example.com/servers/{id}';

it.each([
  ['http://c.example.com/{id}', 'must be an https URL'],
  ['javascript:alert({id})', 'must be an https URL'],
  ['c.example.com/{id}', 'must be an https URL'],
  ['https://me:secret@c.example.com/{id}', 'must have no user and no password in it'],
  ['https://c.example.com/', 'must have {id} after the host, where the id of an instance goes'],
  ['https://{id}.example.com/', 'must have {id} after the host, where the id of an instance goes'],
  ['https://c.example.com:{id}/', 'must have {id} after the host, where the id of an instance goes'],
  ['https://c.example.com/{name}/{id}', 'must have no { or } but in {id}'],
])('INSTANCE_URL=%s is refused: %s', (value, fault) => {
  expect(() => loadConfig({ ...ENOUGH, INSTANCE_URL: value })).toThrow(
    `configuration: INSTANCE_URL ${fault}, ${AS_IN}`,
  );
});

it('INSTANCE_URL may name the id more than once, and behind a #', () => {
  const url = 'https://c.example.com/#/{id}/of/{id}';
  const { links } = loadConfig({ ...ENOUGH, INSTANCE_URL: url });
  expect(createLinks(links).console('7')).toMatchObject([{ url: 'https://c.example.com/#/7/of/7' }]);
});
