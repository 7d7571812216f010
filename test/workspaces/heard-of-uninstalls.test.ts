import { expect, it } from 'vitest';
import { hearOfInstalls } from '../../src/app/installs.ts';

type Listener = (heard: { readonly body: object }) => Promise<void>;

/** The workspaces and organizations whose installation is erased where Slack sends an event of that type. */
async function erasedBy(type: string, body: object): Promise<readonly string[]> {
  const listeners = new Map<string, Listener>();
  const erased: string[] = [];
  const app = { event: (name: string, listener: Listener) => listeners.set(name, listener) };
  hearOfInstalls(app as never /* nothing else of Bolt is used */, {
    erased: async (id, at) => {
      erased.push(`${id} at ${at}`);
      return true;
    },
    access: { askAll: () => Promise.resolve() },
    look: () => Promise.resolve(),
  });
  await listeners.get(type)?.({ body: { event_time: 7, ...body } });
  return erased;
}

it.each([
  ['the tokens of people alone', { oauth: ['U1'] }],
  ['the tokens of people, and of no bot', { oauth: ['U1'], bot: [] }],
  ['nobody', undefined],
])('the bot stays installed where the tokens were revoked of %s', async (_whose, tokens) => {
  expect(await erasedBy('tokens_revoked', { team_id: 'T1', event: { tokens } })).toEqual([]);
});

it.each([
  ['its token is revoked', 'tokens_revoked', { team_id: 'T1', event: { tokens: { bot: ['U2'] } } }, 'T1'],
  ['it is uninstalled', 'app_uninstalled', { team_id: 'T1', event: {} }, 'T1'],
  ['an organization uninstalls it', 'app_uninstalled', { enterprise_id: 'E1', event: {} }, 'E1'],
])('the bot is gone where %s', async (_how, type, body, id) => {
  expect(await erasedBy(type, body)).toEqual([`${id} at 7000`]);
});
