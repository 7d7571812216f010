import { describe, expect, it } from 'vitest';
import { OTHER_TEAM, TEAM } from '../../sandbox/people.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import {
  answeredWith,
  answerTo,
  play,
  powerCalls,
  privateTexts,
  readAll,
  runToEnd,
  urlOf,
} from '../support/sandbox.ts';
import { knock } from './forgeries.ts';
import { FORM, JSON_TYPE, openDoor, wrapped } from './knocking.ts';

/** `not-yours` of the customer `inland`, and an id that nobody has. */
const THEIRS = '301';
const NOBODYS = '999';

/** What the bot has asked the hosting service about one id, or changed anywhere. */
function callsAbout(sandbox: Sandbox, id: string): readonly string[] {
  return sandbox.hosting.calls
    .filter((call) => call.method !== 'GET' || call.path.includes(id))
    .map((call) => `${call.method} ${call.path} as ${String(call.keyName)}: ${call.status}`);
}

/** A press that Slack would sign: of any element, with any value. */
function pressOf(sandbox: Sandbox, action: object, who = 'ana', over: object = {}): Buffer {
  const { id, record } = sandbox.slack.person(who);
  const channel = { id: sandbox.slack.channel('#ops').id };
  return wrapped(
    FORM,
    JSON.stringify({
      type: 'block_actions',
      user: { id, team_id: record.teamId },
      team: { id: TEAM.id },
      channel,
      container: { channel_id: channel.id },
      actions: [{ type: 'button', block_id: 'b', ...action }],
      ...over,
    }),
  );
}

describe('an instance of another customer', () => {
  it.each([
    ['/instances show %'],
    ['/instances %'],
    ['/instances start %'],
    ['/instances stop %'],
    ['/instances restart %'],
    ['/instances restart % --dry-run'],
    ['/instances restart "%"'],
    ['/instances name:%'],
  ])('typed as %s reads word for word like one that does not exist', async (line) => {
    const sandbox = await play();
    const theirs = await answerTo(sandbox, 'ana', line.replace('%', THEIRS));
    const nobodys = await answerTo(sandbox, 'ana', line.replace('%', NOBODYS));
    expect(theirs.replaceAll(THEIRS, '#')).toBe(nobodys.replaceAll(NOBODYS, '#'));
    expect(theirs).not.toContain('not-yours');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    expect(readAll(sandbox)).toEqual([]);
  });

  it('is not the one that is meant by a name that both customers have', async () => {
    const sandbox = await play();
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(callsAbout(sandbox, '302')).toEqual(['POST /api/v1/instances/101/restart as harbour: 200']);
    expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');
  });

  it('is in no list and no picker, whatever is typed', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    expect(await answerTo(sandbox, 'ana', '/instances')).not.toMatch(/not-yours|\(30[12]\)/);
    const picker = await answeredWith(sandbox, 'ana', '/instances restart');
    for (const typed of ['', 'not', 'not-yours', THEIRS, '302', '30']) {
      const { options } = await ana.searches(picker, 'instances.restart', typed);
      expect(JSON.stringify(options)).not.toMatch(/not-yours|"30[12]"/);
    }
  });

  it.each(['instances.show', 'instances.start', 'instances.stop', 'instances.restart'])(
    'picked in %s all the same reads like one that does not exist, and nothing is done',
    async (route) => {
      const sandbox = await play();
      const send = openDoor(sandbox);
      for (const id of [THEIRS, NOBODYS]) {
        const selected_option = { text: { type: 'plain_text', text: 'web-1' }, value: id };
        const action = { type: 'external_select', action_id: route, selected_option };
        const wire = knock(sandbox.slack.signingSecret, { type: FORM, body: pressOf(sandbox, action) });
        const before = privateTexts(sandbox, 'ana').length;
        expect(await send(wire)).toBe(200);
        await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length > before);
      }
      const [theirs = '', nobodys = ''] = privateTexts(sandbox, 'ana');
      expect(theirs.replaceAll(THEIRS, '#')).toBe(nobodys.replaceAll(NOBODYS, '#'));
      expect(theirs).toContain('no instance');
      await sandbox.settled();
      expect(powerCalls(sandbox)).toBe(0);
    },
  );

  it('stands behind no button: a value is an opaque id, and theirs reads like one that is too old', async () => {
    const sandbox = await play();
    const send = openDoor(sandbox);
    const values = [
      NOBODYS,
      THEIRS,
      'not-yours',
      '101',
      'web-1',
      `{"instanceId":"${THEIRS}"}`,
      '*',
      '../101',
    ];
    for (const [index, value] of values.entries()) {
      const body = pressOf(sandbox, { action_id: 'instances.restart', value });
      expect(await send(knock(sandbox.slack.signingSecret, { type: FORM, body }))).toBe(200);
      await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length > index);
    }
    await sandbox.settled();
    expect(new Set(privateTexts(sandbox, 'ana')).size).toBe(1);
    expect(privateTexts(sandbox, 'ana')[0]).toContain('too old');
    expect(callsAbout(sandbox, '/instances/')).toEqual([]);
  });
});

describe('somebody who is not one of us', () => {
  const OUTSIDERS = ['guest', 'single', 'stranger', 'gone', 'robot'];

  it.each(OUTSIDERS)(
    'by command, mention, button, pick and picker, asks the hosting service for nothing: %s',
    async (who) => {
      // What is ready in time is answered at once, also on a busy machine.
      const sandbox = await play({ timings: { writeDownWithinMs: 2_500 } });
      // Ana's card is there to be pressed, and her operation to be followed.
      const card = await answeredWith(sandbox, 'ana', '/instances web-1');
      const value = /"value":"([A-Za-z0-9_-]{22})"/.exec(JSON.stringify(card.content))?.[1];
      expect(value).toBeDefined();
      const calls = sandbox.hosting.calls.length;
      sandbox.slack.channel('#ops').add(who);
      const { id, record } = sandbox.slack.person(who);
      const channel = sandbox.slack.channel('#ops').id;
      const secret = sandbox.slack.signingSecret;
      const send = (type: string, sent: Buffer): Promise<Response> => {
        const { headers, body } = knock(secret, { type, body: sent });
        const url = urlOf(sandbox, '/slack/events');
        return fetch(url, { method: 'POST', headers: headers as Record<string, string>, body });
      };
      const selected_option = { value: '101' };
      const command = { command: '/instances', user_id: id, channel_id: channel, team_id: record.teamId };
      const event = { type: 'app_mention', user: id, channel, user_team: record.teamId };
      let seconds = Math.floor(Date.now() / 1_000) - 60;
      const mention = (text: string): Buffer => {
        seconds += 1;
        const said = { ...event, text, ts: `${seconds}.2` };
        return Buffer.from(JSON.stringify({ type: 'event_callback', event_id: text, event: said }));
      };
      const form = (text: string): Buffer =>
        Buffer.from(new URLSearchParams({ ...command, text }).toString());
      const acts: readonly [string, Buffer][] = [
        [FORM, form('')],
        [FORM, form('show web-1')],
        [FORM, form('restart web-1')],
        [JSON_TYPE, mention('restart web-1')],
        [JSON_TYPE, mention('instances')],
        [FORM, pressOf(sandbox, { action_id: 'instances.restart', value }, who)],
        [FORM, pressOf(sandbox, { action_id: 'instances.show', selected_option }, who)],
        [FORM, pressOf(sandbox, { action_id: 'instances.stop', selected_option }, who)],
        [FORM, pressOf(sandbox, { action_id: 'lamplighter.follow', value }, who)],
      ];
      const acknowledged: string[] = [];
      for (const [type, body] of acts) {
        const answer = await send(type, body);
        expect(answer.status).toBe(200);
        acknowledged.push(await answer.text());
      }
      // What a command only shows is answered with its acknowledgement.
      const atOnce = acknowledged.filter((said) => said !== '');
      expect(atOnce).toHaveLength(2);
      const typing = { actions: undefined, type: 'block_suggestion', action_id: 'instances.show', value: '' };
      const picker = await send(FORM, pressOf(sandbox, {}, who, typing));
      expect(await picker.json()).toEqual({ options: [] });
      await sandbox.slack.until(() => privateTexts(sandbox, who).length >= acts.length - atOnce.length);
      await sandbox.settled();
      for (const text of [...atOnce, ...privateTexts(sandbox, who)])
        expect(text).toMatch(/full member of this workspace|account is deactivated/);
      expect(sandbox.hosting.calls.length).toBe(calls);
      expect(readAll(sandbox)).toEqual([]);
    },
  );

  it.each([OTHER_TEAM.id, 'T0LANTERN02'])(
    'is not taken for ana because they bear her id in the team %s',
    async (team) => {
      const sandbox = await play();
      const calls = sandbox.hosting.calls.length;
      const send = openDoor(sandbox);
      const action = { action_id: 'instances.restart', selected_option: { value: '101' } };
      const user = { id: sandbox.slack.person('ana').id, team_id: team };
      const body = pressOf(sandbox, action, 'ana', { user });
      expect(await send(knock(sandbox.slack.signingSecret, { type: FORM, body }))).toBe(200);
      await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length > 0);
      await sandbox.settled();
      expect(privateTexts(sandbox, 'ana')[0]).toMatch(/full member of this workspace|account is deactivated/);
      expect(sandbox.hosting.calls.length).toBe(calls);
    },
  );

  // Slack may leave out where a person is at home, and then names only where they act.
  it.each([
    ['their own team', { team_id: OTHER_TEAM.id }, TEAM.id],
    ['the team they act in', {}, OTHER_TEAM.id],
  ])('is neither offered anything nor taken for ana where Slack names %s', async (_which, home, team) => {
    const sandbox = await play();
    const calls = sandbox.hosting.calls.length;
    const secret = sandbox.slack.signingSecret;
    const from = { user: { id: sandbox.slack.person('ana').id, ...home }, team: { id: team } };
    const typing = { ...from, type: 'block_suggestion', action_id: 'instances.restart', value: '' };
    const { headers, body } = knock(secret, { type: FORM, body: pressOf(sandbox, {}, 'ana', typing) });
    const url = urlOf(sandbox, '/slack/events');
    const picker = await fetch(url, { method: 'POST', headers: headers as Record<string, string>, body });
    expect(await picker.json()).toEqual({ options: [] });

    const action = { action_id: 'instances.restart', selected_option: { value: '101' } };
    const press = pressOf(sandbox, action, 'ana', from);
    expect(await openDoor(sandbox)(knock(secret, { type: FORM, body: press }))).toBe(200);
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length > 0);
    await sandbox.settled();
    expect(privateTexts(sandbox, 'ana')[0]).toMatch(/full member of this workspace|account is deactivated/);
    // At most the list, with what says why one is paused; nothing of it was offered.
    const forList = ['/api/v1/instances', '/api/v1/billing/summary', '/api/v1/instances/208'];
    const asked = sandbox.hosting.calls.slice(calls).filter(({ path }) => !forList.includes(path));
    expect(asked).toEqual([]);
  });
});
