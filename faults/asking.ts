import type { Sandbox } from '../sandbox/sandbox.ts';
import type { PostedMessage } from '../sandbox/slack/index.ts';
import type { Asked } from './books.ts';
import type { Ground } from './ground.ts';
import { type FaultedKind, secondOf } from './kinds.ts';
import type { Mailboxes } from './mailboxes.ts';
import { isQuestion } from './question.ts';

export type Person = ReturnType<Sandbox['slack']['person']>;

/** How one person asks for an operation. */
export interface Asking {
  readonly kind: FaultedKind;
  readonly name: string;
  readonly token: string;
  readonly channel: string;
  readonly way: 'command' | 'mention';
  /** Whether the same bytes are sent once more, by somebody who sees no answer. */
  readonly again: boolean;
}

/** How often a person tries again what Slack says did not work. */
const MAX_TRIES = 4;
const QUESTION_LIMIT_MS = 60_000;
const MODAL_LIMIT_MS = 2_500;
const POLL_EVERY_MS = 100;
/** Ids of the second instances of batches. */
const SECOND_FROM = 500_000;
const UNHEARD: Heard = { acknowledged: false, saidAgain: true };

/** Has the hosting service have the instance that an operation of this kind is about. */
export function prepare(ground: Ground, kind: FaultedKind, instanceId: number, name: string): void {
  ground.add(instanceId, name, kind.from, kind.addon);
  if (kind.isSeveral) ground.add(SECOND_FROM + instanceId, secondOf(name), kind.from);
}

/** What a person knows of their request there and then. */
export type Heard = Pick<Asked, 'acknowledged' | 'saidAgain' | 'leftAt' | 'isPressed'>;

/** Asks, and says yes where the bot asks back. */
export async function askFor(
  sandbox: Pick<Sandbox, 'slack'>,
  mailboxes: Mailboxes,
  person: Person,
  asking: Asking,
): Promise<Heard> {
  const { kind, name, token, channel, way, again } = asking;
  const words = `${kind.words(name)} --because "${token}"`;
  const interaction =
    way === 'command'
      ? await person.types(channel, `/${kind.noun} ${words}`)
      : await person.mentions(channel, words);
  let acknowledged = interaction.status === 200;
  if (interaction.requestId !== undefined && way === 'mention' && !acknowledged) {
    // Slack delivers again what nobody acknowledged.
    acknowledged = (await sandbox.slack.retry(interaction.requestId, 1)).status === 200;
  } else if (
    again &&
    interaction.requestId !== undefined &&
    !kind.confirms &&
    !interaction.body.includes('nothing was done')
  ) {
    await sandbox.slack.replay(interaction.requestId);
  }
  if (!acknowledged || !kind.confirms || interaction.body.includes('nothing was done'))
    return { acknowledged, saidAgain: false };
  return confirm(sandbox, mailboxes, person, asking);
}

/** Looks at an instance. Gives whether that was acknowledged. */
export async function lookAt(
  sandbox: Pick<Sandbox, 'slack'>,
  person: Person,
  { name, channel, way }: Pick<Asking, 'name' | 'channel' | 'way'>,
): Promise<boolean> {
  if (way === 'command') return (await person.types(channel, `/instances show ${name}`)).status === 200;
  const interaction = await person.mentions(channel, `show ${name}`);
  if (interaction.requestId === undefined || interaction.status === 200) return interaction.status === 200;
  // Slack delivers again what nobody acknowledged.
  return (await sandbox.slack.retry(interaction.requestId, 1)).status === 200;
}

async function confirm(
  sandbox: Pick<Sandbox, 'slack'>,
  mailboxes: Mailboxes,
  person: Person,
  asking: Asking,
): Promise<Heard> {
  const { kind } = asking;
  const answers = (): readonly PostedMessage[] => mailboxes.privateTexts(person.id);
  const question = (): PostedMessage | undefined => answers().find((message) => isQuestion(message, kind));
  const isAnswered = await comes(() => person.views.length > 0 || answers().length > 0, QUESTION_LIMIT_MS);
  // They have gone home: whatever comes now, a question too, is an answer.
  if (!isAnswered) return { acknowledged: true, saidAgain: false, leftAt: 'the question' };
  // Refused, or never heard of again: the books show which.
  if (person.views.length === 0 && !question()) return { acknowledged: true, saidAgain: false };
  if (kind.confirms?.types) return typeInto(sandbox, mailboxes, person, asking, question);
  const asked = question();
  return asked ? press(person, asked, asking) : UNHEARD;
}

/** Whether a no was read already: it is about a press before, and not about what comes now. */
function hasNo(answers: readonly PostedMessage[]): boolean {
  return answers.some(({ text }) => text.includes('nothing was done'));
}

async function typeInto(
  sandbox: Pick<Sandbox, 'slack'>,
  mailboxes: Mailboxes,
  person: Person,
  { kind, name, again }: Asking,
  question: () => PostedMessage | undefined,
): Promise<Heard> {
  const { slack } = sandbox;
  let presses = 0;
  for (; presses < MAX_TRIES && person.views.length === 0; presses++) {
    const asked = question();
    if (!asked) break;
    await person.presses(asked, kind.confirms?.button ?? '');
    await comes(() => person.views.length > 0, MODAL_LIMIT_MS);
  }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const view = person.views.at(-1);
    if (!view) return UNHEARD;
    const isAnswered = hasNo(mailboxes.privateTexts(person.id));
    const interaction = await person.submits(view, { typed: kind.confirms?.types?.(name) ?? '' });
    // Another modal may have closed this one meanwhile: only the answer says whether the bot took what was typed.
    if (interaction.status === 200 && interaction.errors === undefined) {
      if (again && interaction.requestId !== undefined) await slack.replay(interaction.requestId);
      return { acknowledged: true, saidAgain: tries > 0 || presses > 1 || isAnswered, isPressed: true };
    }
  }
  return UNHEARD;
}

async function press(person: Person, question: PostedMessage, { kind }: Asking): Promise<Heard> {
  for (let tries = 0; tries < MAX_TRIES && isQuestion(question, kind); tries++) {
    const interaction = await person.presses(question, kind.confirms?.button ?? '');
    if (interaction.status !== 200) continue;
    // Not sent once more: what a second delivery is answered would be shown to the person, as Slack never does.
    return { acknowledged: true, saidAgain: tries > 0, isPressed: true };
  }
  return UNHEARD;
}

/** Looks from time to time, as people do: hundreds wait at once. */
async function comes(look: () => boolean, timeoutMs: number): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  while (!look()) {
    if (performance.now() > until) return false;
    await new Promise((done) => setTimeout(done, POLL_EVERY_MS));
  }
  return true;
}
