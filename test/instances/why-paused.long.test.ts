import { describe, expect, it, test } from 'vitest';
import { instance, customer, type WorldCustomer } from '../../sandbox/world.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { answerTo, play } from '../support/sandbox.ts';

const EVERYBODY = { LAMPLIGHTER_EVERYONE: 'admin' };
const playFor = (customers: readonly WorldCustomer[], more = {}): Promise<Sandbox> =>
  play({ env: EVERYBODY, hosting: { world: { customers }, ...more } });
const one = (over: Partial<WorldCustomer>, was: Parameters<typeof instance>[2] = {}): WorldCustomer =>
  customer('harbour', { instances: [instance(1, 'web-1', { status: 'paused', ...was })], ...over });

const UNSAID =
  "it is paused, and the service doesn't say why. Look at it at the hosting service, then try again.";

const RAN_OUT = 'because the credit ran out. Top up, then try again.';
const MONTHLY = { billingMode: 'monthly' } as const;
const LAPSED = { subscriptionStatus: 'canceled' } as const;

describe('why an instance is paused', () => {
  it.each<[string, WorldCustomer, string, string?]>([
    ['an empty balance', one({ balanceCredits: 0 }), RAN_OUT, 'out of credit'],
    ['what is left being less than a day of it', one({ balanceCredits: 9 }), RAN_OUT, 'out of credit'],
    ['nothing that the service says, where a day of it is paid', one({ balanceCredits: 10 }), UNSAID],
    ['nothing that it says of what is paid by the month', one({ balanceCredits: 0 }, MONTHLY), UNSAID],
    [
      'nothing that it says where a subscription ended',
      one({ balanceCredits: 500, ...LAPSED }, MONTHLY),
      UNSAID,
    ],
    ['nothing where no balance can be read', one({ balanceFault: { answer: 500, done: false } }), UNSAID],
    ['nothing where the service has no money', one({ hasNoBilling: true }), UNSAID],
  ])('is said to be %s', async (_why, who, refused, brief) => {
    const sandbox = await playFor([who]);
    expect(await answerTo(sandbox, 'ana', '/instances start web-1')).toContain(refused);
    const list = await answerTo(sandbox, 'ana', '/instances');
    expect(list).toMatch(new RegExp(`web-1 [^\\n]*paused · ${brief ?? 'budget'}`));
    const card = await answerTo(sandbox, 'ana', '/instances show web-1');
    const words = refused.replace('it is ', '').replace(', then try again', '');
    expect(card).toContain(`It is ${words.startsWith('paused') ? '' : 'paused '}${words}`);
    if (brief !== 'out of credit') expect(`${list}${card}`).not.toMatch(/credit ran out|Top up/);
  });

  test('a service that suspended it is not asked for a top-up', async () => {
    const sandbox = await playFor([one({ balanceCredits: 500 })], {
      variant: { statusWords: { paused: 'Suspended' } },
    });
    const refused = await answerTo(sandbox, 'ana', '/instances start web-1');
    expect(refused).toContain(
      'it is suspended by the hosting service. Ask the hosting service why, then try again.',
    );
  });

  test('one that is paused on the way ends with the reason of the balance', async () => {
    const running = customer('harbour', { balanceCredits: 3_000, instances: [instance(1, 'web-1')] });
    const sandbox = await playFor([running]);
    const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await held.arrived;
    sandbox.hosting.changeStatus(1, 'paused');
    held.release();
    await sandbox.settled();
    const [card] = sandbox.slack.channel('#ops').messages;
    expect(sandbox.slack.read(card!)).toContain(`Could not restart web-1 (1): ${UNSAID}`);
  });
});

describe('what is paid by the month', () => {
  it('is at stake at zero neither in the balance nor in an alert, and is not offered to buy time', async () => {
    const sandbox = await play({ env: EVERYBODY, customer: 'by-the-month' });
    const balance = await answerTo(sandbox, 'ana', '/billing');
    expect(balance).toContain('At zero the host pauses these, and after some days deletes them: mill (552).');
    expect(balance).toContain('Not paid by the day, so not counted here: lease (553).');
    const buyTime = await answerTo(sandbox, 'ana', '/billing buy-time');
    expect(buyTime).toContain('Not paid by the day, so a stop may save nothing: lease (553).');
    expect(buyTime).toContain('[ Stop mill ]');
    expect(buyTime).not.toMatch(/Stop lease|lease[^\n]*a day/);
  });

  it('is in no sum of what a stop of several saves', async () => {
    const sandbox = await play({ env: EVERYBODY, customer: 'by-the-month' });
    const preview = await answerTo(sandbox, 'ana', '/instances stop mill lease');
    expect(preview).toContain('Saves at most 100 credits a day for the 1 paid by the day.');
  });

  it('is paused for no want of credit, whatever is left', async () => {
    const sandbox = await play({ env: EVERYBODY, customer: 'lapsed' });
    const balance = await answerTo(sandbox, 'ana', '/billing');
    expect(balance).not.toMatch(/Paused because|comes back/);
    expect(await answerTo(sandbox, 'ana', '/instances')).not.toMatch(/tenant [^\n]*out of credit/);
  });
});
