import { afterEach, expect, test } from 'vitest';
import { DEMO } from '../../sandbox/demo.ts';
import { openWeb, type WebSandbox } from '../../sandbox/web/open-web.ts';
import type { PageState } from '../../sandbox/web/wire.ts';
import { FAST } from '../support/sandbox.ts';
import { takeDatabase } from '../support/shared-redis.ts';

let web: WebSandbox | undefined;
let release: (() => void) | undefined;
afterEach(async () => {
  await web?.close();
  release?.();
});

async function open(): Promise<{ headers: Record<string, string> }> {
  const database = await takeDatabase();
  ({ release } = database);
  const timings = { ...FAST, ...DEMO.timings };
  web = await openWeb({ ...DEMO, timings, redisUrl: database.url, service: 'hetzner' }, 0);
  const { origin } = new URL(web.url);
  const page = await fetch(web.url);
  const [cookie = ''] = (page.headers.get('set-cookie') ?? '').split(';');
  return { headers: { origin, cookie, 'content-type': 'application/json' } };
}

/** What a page knows once it was sent a call: all of it, and then what changed. */
async function stateOf(headers: Record<string, string>): Promise<PageState> {
  const stream = await fetch(`${web?.url}api/events?as=ana`, { headers });
  let text = '';
  for await (const part of stream.body ?? []) {
    text += Buffer.from(part).toString();
    const patches = [...text.matchAll(/^data: (.*)\n\n/gm)].map(
      ([, patch = '']) => JSON.parse(patch) as object,
    );
    const state = Object.assign({}, ...patches) as PageState;
    if (state.curtain?.calls.length > 0) return state;
  }
  throw new Error('The page was sent no call.');
}

test('beside Slack there are the machines of the cloud, its calls and what there is to see at it', async () => {
  const { headers } = await open();
  const act = async (body: object): Promise<unknown> =>
    (
      await fetch(`${web?.url}api/act?as=ana`, { method: 'POST', headers, body: JSON.stringify(body) })
    ).json();
  await act({ do: 'trouble', name: 'say-503' });
  await act({ do: 'type', where: '#ops', text: '/instances restart web-1' });
  await web?.sandbox.slack.until(() => web?.sandbox.service.writes().some(({ status }) => status === '503'));
  const { curtain, workspace } = await stateOf(headers);
  expect(curtain).toMatchObject({ name: 'Hetzner Cloud', money: 'says nothing of money' });
  expect(curtain.instances).toHaveLength(24);
  expect(curtain.instances.find(({ name }) => name === 'bastion')).toMatchObject({
    state: 'running',
    words: 'running · protected',
  });
  expect(curtain.calls.at(-1)).toMatchObject({ path: '/servers/51230001/actions/reboot', hadEffect: false });
  expect(curtain.tour).toEqual(['restart', 'twice', 'lost', 'force', 'delete', 'down', 'kill']);
  expect(workspace.commands).toContainEqual({
    command: '/addons',
    summary: 'nothing at Hetzner Cloud',
    lines: [],
  });
  expect(await act({ do: 'tour', step: 'low' })).toEqual({
    error: 'Hetzner Cloud has no balance that could run low.',
  });
});
