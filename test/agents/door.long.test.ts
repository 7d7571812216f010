import { describe, expect, it, onTestFinished } from 'vitest';
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { TEAM } from '../../sandbox/people.ts';
import { signed } from '../support/agent.ts';
import { botMessages, FAST, IMPATIENCE, play, urlOf } from '../support/sandbox.ts';

const ANA = { user_id: 'U0ANA000001', team_id: TEAM.id };
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

/** A call of a tool by the revision that needs no words of its own; `slack`: who asks, as Slack says. */
function calling(slack: object | undefined, name = 'list_instances', args: object = {}): string {
  const params = { name, arguments: args, ...(slack ? { _meta: { slack } } : {}) };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

async function send(
  sandbox: Sandbox,
  body: string,
  headers: Record<string, string> = signed(sandbox.slack.signingSecret, body),
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(urlOf(sandbox, '/mcp'), {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body,
  });
  return { status: answer.status, text: await answer.text() };
}

async function open(env: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  const sandbox = await openSandbox({
    timings: { ...FAST, ...IMPATIENCE },
    env: { LAMPLIGHTER_AGENTS: 'yes', ...env },
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

describe('the address at which agents ask', () => {
  it('is not there unless it is switched on', async () => {
    const sandbox = await play({});
    expect((await send(sandbox, calling(ANA))).status).toBe(404);
  });

  it.each(['GET', 'DELETE'])('says to %s that there is nothing to listen to or to end', async (method) => {
    const sandbox = await open();
    const { status, headers } = await fetch(urlOf(sandbox, '/mcp'), { method });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('answers what Slack has signed, and nothing else', async () => {
    const sandbox = await open();
    const body = calling(ANA);
    const secret = sandbox.slack.signingSecret;
    const answers = async (headers?: Record<string, string>): Promise<number> =>
      (await send(sandbox, body, headers)).status;
    expect(await answers({})).toBe(401);
    expect(await answers(signed('another secret', body))).toBe(401);
    expect(await answers(signed(secret, calling({ ...ANA, user_id: 'U0ADA000001' })))).toBe(401);
    expect(await answers(signed(secret, body, Date.now() - 400_000))).toBe(401);
    expect(await answers(signed(secret, body, Date.now() + 400_000))).toBe(401);
    expect(await answers({ ...signed(secret, body), 'content-encoding': 'gzip' })).toBe(415);
    expect(await answers({ ...signed(secret, body), origin: 'https://example.com' })).toBe(403);
    expect(await answers()).toBe(200);
  });

  it('answers a call once, however often it is sent', async () => {
    const sandbox = await open();
    const body = calling(ANA);
    const headers = signed(sandbox.slack.signingSecret, body);
    expect((await send(sandbox, body, headers)).text).toContain('web-1');
    expect((await send(sandbox, body, headers)).status).toBe(409);
  });

  it.each([
    ['nobody', undefined],
    ['a name', { user_id: 'ana', team_id: TEAM.id }],
    ['a person of no workspace', { user_id: 'U0ANA000001', team_id: null }],
    ['a list of people', { user_id: ['U0ANA000001'], team_id: TEAM.id }],
  ])('reads nothing for %s', async (_, slack) => {
    const sandbox = await open();
    expect((await send(sandbox, calling(slack))).status).toBe(403);
  });

  it('shows somebody of another workspace nothing', async () => {
    const sandbox = await open();
    const { text } = await send(sandbox, calling({ user_id: 'U0STRANGE01', team_id: 'T0STRANGE01' }));
    expect(text).toContain('"isError":true');
    expect(text).not.toContain('web-1');
  });

  it.each([
    ['empty', '', 400],
    ['no JSON', 'restart web-1', 400],
    ['a list of calls', `[${calling(ANA)}]`, 400],
    ['a number', '7', 400],
    ['without a method', '{"jsonrpc":"2.0","id":1}', 400],
    ['nested a hundred thousand times', '['.repeat(100_000), 400],
    ['larger than a mebibyte', JSON.stringify({ method: 'x'.repeat(2 ** 20) }), 413],
  ])('refuses what is %s', async (_, body, status) => {
    const sandbox = await open();
    expect((await send(sandbox, body)).status).toBe(status);
  });

  it('knows no tool but its own, and no argument that is deep', async () => {
    const sandbox = await open();
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    for (const body of [
      calling(ANA, 'restart_instance', { instance: 'web-1' }),
      calling(ANA, '__proto__'),
      calling(ANA, 'get_instance', { instance: 'deep' }).replace('"deep"', deep),
      calling(ANA, 'list_operations', { more: 'deep' }).replace('"deep"', deep),
      calling(ANA, 'get_instance', { instance: 'x'.repeat(100_000) }),
    ]) {
      const { status, text } = await send(sandbox, body);
      expect(status).toBeLessThan(500);
      expect(text).toMatch(/error|"operations":\[\]/i);
    }
    expect(sandbox.hosting.calls.every(({ method }) => method === 'GET')).toBe(true);
    expect(botMessages(sandbox)).toEqual([]);
  });

  it('lets an agent that goes round in circles wait', async () => {
    const sandbox = await open();
    const statuses = await Promise.all(
      Array.from({ length: 601 }, (_, nth) =>
        send(sandbox, calling(ANA, 'list_operations', { nth })).then(({ status }) => status),
      ),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await send(sandbox, calling({ ...ANA, user_id: 'U0BOB000001' }))).status).toBe(200);
  });
});
