import type { PersonRecord } from '../sandbox/people.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Aims } from './aims.ts';
import { askFor, lookAt, type Person, prepare } from './asking.ts';
import { decideAll } from './approving.ts';
import type { Ask, Decide, Look } from './books.ts';
import { CHANNELS } from './channels.ts';
import type { Ground } from './ground.ts';
import type { Mailboxes } from './mailboxes.ts';
import { nameIn } from './kinds.ts';
import { approverTokensOf, lookTokenOf, tokensOf } from './people.ts';
import type { Round } from './schedule.ts';
import { wait } from './wait.ts';

const AGAIN_AFTER_MS = 1_200;

/** Everything that is asked and looked at in one round. */
export async function playRound(
  {
    sandbox,
    ground,
    mailboxes,
    people,
    aims,
  }: {
    readonly sandbox: Sandbox;
    readonly ground: Ground;
    readonly mailboxes: Mailboxes;
    readonly people: ReadonlyMap<string, PersonRecord>;
    readonly aims: Aims;
  },
  round: Round,
): Promise<{ asked: Ask[]; looked: Look[]; decided: readonly Decide[] }> {
  const { kind, instanceId, look, decisions } = round;
  const name = nameIn(kind, instanceId);
  const channel = CHANNELS[instanceId % CHANNELS.length] ?? '';
  prepare(ground, kind, instanceId, name);
  const personOf = (token: string): Person => {
    const person = people.get(token);
    if (!person) throw new Error(`nobody asks ${token}`);
    return sandbox.slack.person(person.id);
  };
  const looking = async (way: 'command' | 'mention'): Promise<Look> => {
    const token = lookTokenOf(round);
    const person = personOf(token);
    const acknowledged = await lookAt(sandbox, person, { name, channel, way });
    return { token, name, userId: person.id, acknowledged };
  };
  const looks = look === undefined ? [] : [looking(look)];
  const asking = Promise.all(
    round.asks.map(async ({ afterMs, ...how }, nth) => {
      await wait(afterMs);
      const all: Ask[] = [];
      for (const token of tokensOf(round, nth)) {
        const person = personOf(token);
        const heard = await askFor(sandbox, mailboxes, person, { kind, name, token, channel, ...how });
        if (heard.acknowledged) aims.saw('an acknowledgement');
        all.push({ token, instanceId: String(instanceId), name, kind, userId: person.id, ...heard });
        if (round.cancels) await cancel(sandbox, channel, name);
        if (heard.acknowledged && !isRefusedForNow(mailboxes.privateTexts(person.id))) break;
        await wait(AGAIN_AFTER_MS);
      }
      return all;
    }),
  );
  const deciding = kind.isApproved
    ? decideAll(
        { sandbox, mailboxes, channel, name, decisions, approvers: approverTokensOf(round).map(personOf) },
        asking.then((all) => all.flat().some(({ acknowledged }) => acknowledged)),
      )
    : [];
  const [asked, looked, decided] = await Promise.all([asking, Promise.all(looks), deciding]);
  return { asked: asked.flat(), looked, decided };
}

/** Whether a person read that nothing was done because the bot can't write anything down just now. */
function isRefusedForNow(answers: readonly { readonly text: string }[]): boolean {
  return answers.at(-1)?.text.includes("can't reach my database") ?? false;
}

/** Somebody else cancels it, if that can still be done when they come to it. */
async function cancel(sandbox: Sandbox, channel: string, name: string): Promise<void> {
  const { slack } = sandbox;
  const card = slack
    .channel(channel)
    .messages.find(
      (one) => one.text.includes(name) && JSON.stringify(one.content.blocks).includes('lamplighter.cancel'),
    );
  if (card) await slack.person('bob').presses(card, 'Cancel');
}
