import { expect, test } from 'vitest';
import { z } from 'zod';
import { customer, instance } from '../../sandbox/world.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { SCOPES } from '../../src/features/doctor/judge-slack.ts';
import { playTwoAccounts } from '../accounts/two-accounts.ts';
import { play } from '../support/sandbox.ts';

const METHOD = 'assistant.threads.setSuggestedPrompts';
const FLEET = [instance(101, 'web-1'), instance(103, 'db-1', { status: 'error' })];
const WORLD = { hosting: { world: { customers: [customer('acme', { instances: FLEET })] } } };
const promptsSchema = z
  .array(z.strictObject({ title: z.string().min(1), message: z.string().min(1) }))
  .max(4);

/** What Slack is given to offer once somebody opens the conversation with the bot. */
async function offered(sandbox: Sandbox, who: string): Promise<z.output<typeof promptsSchema>> {
  const { slack } = sandbox;
  const before = slack.calls.length;
  await slack.person(who).opensHome('messages');
  const { args } = await slack.until(() => slack.calls.slice(before).find(({ method }) => method === METHOD));
  expect(args['channel_id']).toBe(slack.person(who).dm.id);
  // With it Slack shows nothing and says nothing of it.
  expect(args['thread_ts']).toBeUndefined();
  return promptsSchema.parse(JSON.parse(z.string().parse(args['prompts'])));
}

test('whoever opens the conversation is offered lines made of what is going on, each of which is understood', async () => {
  const sandbox = await play(WORLD);
  const { slack } = sandbox;
  const admin = slack.person('admin');
  await admin.types('#ops', '/instances restart web-1');
  await sandbox.settled();
  const prompts = await offered(sandbox, 'admin');
  expect(prompts.map(({ title }) => title)).toEqual([
    'What is wrong with db-1?',
    'What was done with web-1?',
    'How long does the balance last?',
    'Is anything in progress?',
  ]);
  for (const { message } of prompts) {
    const before = admin.dms.length;
    await admin.types('dm', message);
    const answer = await slack.until(() =>
      admin.dms.slice(before).find(({ bot_id }) => bot_id !== undefined),
    );
    expect(slack.read(answer)).not.toContain("I don't know");
    await sandbox.settled();
  }
});

test('nobody is offered what they may not see', async () => {
  const sandbox = await play(WORLD);
  const titles = (await offered(sandbox, 'ana')).map(({ title }) => title);
  expect(titles).toEqual(['What is wrong with db-1?', 'Is anything in progress?']);
});

test('with several accounts each line names its own', async () => {
  const { sandbox } = await playTwoAccounts();
  const prompts = await offered(sandbox, 'ana');
  expect(prompts[0]?.message).toBe('acme: list');
  const ana = sandbox.slack.person('ana');
  await ana.types('dm', 'acme: list');
  const answer = await sandbox.slack.until(() => ana.dms.find(({ bot_id }) => bot_id !== undefined));
  expect(sandbox.slack.read(answer)).toMatch(/^`acme`\n/);
});

test('without the scope nobody is disturbed, Slack is asked once, and the doctor says what is missing', async () => {
  const scopes = SCOPES.map(({ name }) => name).filter((name) => name !== 'assistant:write');
  const sandbox = await play({ ...WORLD, slack: { scopes }, isRefused: true });
  const { slack } = sandbox;
  const ana = slack.person('ana');
  await offered(sandbox, 'ana');
  await sandbox.settled();
  await ana.opensHome('messages');
  await sandbox.settled();
  expect(slack.calls.filter(({ method }) => method === METHOD)).toHaveLength(1);
  expect(ana.dms).toEqual([]);
  const interaction = await slack.person('admin').types('#ops', '/lamplighter doctor');
  await slack.until(() =>
    interaction.ephemeral.some((one) =>
      slack.read(one).includes('lacks the scope assistant:write: Slack offers'),
    ),
  );
});
