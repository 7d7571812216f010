import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { play, powerCalls, urlOf } from '../support/sandbox.ts';
import { createDice, mutateBody, mutateJson, mutateText, NASTY_TEXTS } from './dice.ts';
import { FORGERIES, knock } from './forgeries.ts';
import { FORM, genuineRequests, inParallel, JSON_TYPE, openDoor, tracesOf, wrapped } from './knocking.ts';
import { isPolluted, MAX_MS, watchForCrashes } from './watching.ts';
import { runs } from '../support/runs.ts';

/** Every status that a request can be answered with, whatever it is. */
const STATUSES = [200, 400, 401, 404, 409, 413, 415];

describe('forged requests', () => {
  it(
    'are all refused, nothing is run, asked or written down for any of them, and then a genuine one works',
    async () => {
      const crashes = watchForCrashes();
      const sandbox = await play();
      const secret = sandbox.slack.signingSecret;
      const genuine = genuineRequests(sandbox, ['web-1', 'web-2']);
      const send = openDoor(sandbox);
      const kinds = Object.keys(FORGERIES);
      const before = await tracesOf(sandbox);

      const wrong: string[] = [];
      const rounds = Array.from({ length: runs(10_000) }, (_, round) => kinds[round % kinds.length]!);
      await inParallel(rounds, async (kind, round) => {
        const dice = createDice(round);
        const one = dice.pick(genuine);
        const { expected, ...forged } = FORGERIES[kind]!(dice, one, secret);
        const status = await send(forged);
        if (status !== expected)
          wrong.push(`${round}: ${one.what}, ${kind}: ${status} for ${JSON.stringify(forged.headers)}`);
      });
      expect(wrong).toEqual([]);
      expect(await tracesOf(sandbox)).toEqual(before);
      expect(crashes).toEqual([]);

      for (const one of genuine.filter(({ what }) => what !== 'a view')) {
        expect([one.what, await send(knock(secret, one))]).toEqual([one.what, 200]);
      }
      await sandbox.settled();
      expect(powerCalls(sandbox)).toBe(2);
    },
    MAX_MS,
  );

  it('are cut or refused where they are no HTTP at all', async () => {
    const crashes = watchForCrashes();
    const sandbox = await play();
    const { hostname, port } = new URL(urlOf(sandbox, '/'));
    // The secret has proved right: until then it would be the likely cause.
    expect((await sandbox.slack.send({ body: 'ssl_check=1' })).status).toBe(200);
    const before = await tracesOf(sandbox);
    const [command] = genuineRequests(sandbox, ['web-1', 'web-2']);
    const { headers, body } = knock(sandbox.slack.signingSecret, command!);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
    const whole = `POST /slack/events HTTP/1.1\r\nhost: x\r\n${lines.join('')}`;
    const raw = [
      `${whole}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      `${whole}content-length: 5\r\ncontent-length: ${body.length}\r\n\r\n${body.toString()}`,
      `${whole}content-length: -1\r\n\r\n${body.toString()}`,
      `${whole}content-length: ${'9'.repeat(30)}\r\n\r\n`,
      `${whole}transfer-encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n`,
      `${whole}x: a\0b\r\n\r\n`,
      `${whole}x: ${'y'.repeat(40_000)}\r\n\r\n`,
      `CONNECT /slack/events HTTP/1.1\r\n\r\n`,
      `post /slack/events HTTP/1.1\r\n\r\n`,
      `POST /slack/events HTTP/9.9\r\n\r\n`,
      `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
      '\u0016\u0003\u0001\u0002\u0000\u0001',
      '\0'.repeat(1_000),
    ];
    const dice = createDice(7);
    const all = [
      ...raw,
      ...Array.from({ length: 300 }, () => mutateText(dice, `${whole}\r\n${body.toString()}`)),
    ];
    await inParallel(all, async (text) => {
      const answered = await new Promise<string>((resolve) => {
        let heard = '';
        const socket = connect(Number(port), hostname, () => socket.end(Buffer.from(text, 'latin1')));
        socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
        socket.on('error', () => resolve(heard));
        socket.on('close', () => resolve(heard));
      });
      const status = /^HTTP\/1\.1 (\d+)/.exec(answered)?.[1];
      if (status !== undefined) expect([400, 401, 404, 413, 431, 505]).toContain(Number(status));
    });
    expect(await tracesOf(sandbox)).toEqual(before);
    expect(crashes).toEqual([]);
    expect((await fetch(urlOf(sandbox, '/readyz'))).status).toBe(200);
  });
});

describe('fifteen hundred requests that are signed and make no sense', () => {
  it('are refused or dropped, and neither end the bot nor restart anything', async () => {
    const crashes = watchForCrashes();
    const sandbox = await play({ isRefused: true });
    const send = openDoor(sandbox);
    const wrong: string[] = [];
    await inParallel(Array.from({ length: 1_500 }), async (_, round) => {
      const dice = createDice(round);
      const one = dice.pick(genuineRequests(sandbox, ['no-such-1', 'no-such-2'], round));
      const mutated = mutateJson(dice, one.json);
      const readable = typeof mutated === 'object' && mutated !== null && !Array.isArray(mutated);
      // What Bolt itself needs to find a listener stays as it is.
      const kept = Object.entries(one.json).filter(([name]) =>
        ['action_id', 'team', 'team_id', 'view'].includes(name),
      );
      const text = readable
        ? JSON.stringify({ ...mutated, ...Object.fromEntries(kept) })
        : mutateBody(dice, { ok: mutated });
      const bodies = [
        wrapped(one.type, text),
        wrapped(one.type, text),
        Buffer.from(text),
        Buffer.from(mutateText(dice, one.body.toString())),
        Buffer.from(`ssl_check=1&${one.body.toString()}&ssl_check=${dice.pick(NASTY_TEXTS)}`),
        Buffer.from(`payload=null&${one.body.toString()}`),
        Buffer.from(`${one.body.toString()}&payload=null&user_id=&command`),
      ];
      const type = dice.oneIn(10) ? dice.pick([JSON_TYPE, FORM, '', 'text/plain']) : one.type;
      const body = dice.pick(bodies);
      const status = await send(knock(sandbox.slack.signingSecret, { type, body }));
      if (!STATUSES.includes(status)) wrong.push(`${round}: ${status} for ${body.toString().slice(0, 500)}`);
    });
    expect(wrong).toEqual([]);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    expect(crashes).toEqual([]);
    expect(isPolluted()).toBe(false);
    expect((await fetch(urlOf(sandbox, '/readyz'))).status).toBe(200);
    // A busy machine may let the process or Redis stand still, which it says of itself.
    const isOfMachine = (line: string): boolean =>
      line.includes('"blockedMs"') || line.includes('Redis gave no answer in time');
    expect(sandbox.logs.filter((line) => line.includes('"level":"error"') && !isOfMachine(line))).toEqual([]);
  });
});
