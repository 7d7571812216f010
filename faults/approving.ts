import type { Sandbox } from '../sandbox/sandbox.ts';
import type { PostedMessage } from '../sandbox/slack/index.ts';
import type { Person } from './asking.ts';
import { type Decide, markOf } from './books.ts';
import { CHANNELS } from './channels.ts';
import { comes } from './comes.ts';
import type { Mailboxes } from './mailboxes.ts';
import type { Deed } from './schedule.ts';
import { wait } from './wait.ts';

/** Where some come too late: how long a request can be approved, and how long a yes that was said in time may be on its way. */
export const LATE_APPROVALS = { approveWithinMs: 8_000, acceptWithinMs: 20_000 } as const;
const COMES_WITHIN_MS = 20_000;
const DECIDED_WITHIN_MS = 60_000;
const AGAIN_AFTER_MS = 2_000;
const POLL_EVERY_MS = 100;

const LABELS: Readonly<Record<Deed, string>> = {
  approve: 'Approve',
  'approve late': 'Approve',
  refuse: 'Refuse',
  withdraw: 'Cancel the request',
};

interface Deciding {
  readonly sandbox: Pick<Sandbox, 'slack'>;
  readonly mailboxes: Mailboxes;
  readonly channel: string;
  /** The instance that it is about. */
  readonly name: string;
  /** What is done to each request, at the same moment. */
  readonly decisions: readonly Deed[];
  /** Who does it, one after another. */
  readonly approvers: readonly Person[];
}

/**
 * Decides each request about an instance that appears in its channel until nobody asks any more. `asking`: resolves then, with whether
 * a request may still appear.
 */
export async function decideAll(deciding: Deciding, asking: Promise<boolean>): Promise<readonly Decide[]> {
  const { decisions } = deciding;
  const approvers = [...deciding.approvers];
  const seen = new Map<PostedMessage, Promise<readonly Decide[]>>();
  const look = (): void => {
    for (const message of requestsIn(deciding, deciding.name)) {
      if (seen.has(message)) continue;
      const each = decisions.map((deed) => decide(deciding, message, deed, approvers.shift()));
      seen.set(
        message,
        Promise.all(each).then((all) => all.flat()),
      );
    }
  };
  let until = Number.POSITIVE_INFINITY;
  void asking.then((mayAppear) => {
    until = performance.now() + (mayAppear ? COMES_WITHIN_MS : 0);
  });
  while (performance.now() < until && !(seen.size > 0 && Number.isFinite(until))) {
    look();
    await wait(POLL_EVERY_MS);
  }
  look();
  return (await Promise.all(seen.values())).flat();
}

/** Approves what nobody has decided, once both services are well. Gives what was pressed. */
export async function decideLeft({ slack }: Pick<Sandbox, 'slack'>): Promise<readonly Decide[]> {
  const approver = slack.person('bob');
  const pressed = new Map<PostedMessage, Decide>();
  const left = (): readonly PostedMessage[] =>
    CHANNELS.flatMap((channel) => requestsIn({ sandbox: { slack }, channel }));
  await comes(
    () => left().length === 0,
    async () => {
      for (const message of left()) {
        const mark = markOf(message.metadata) ?? '';
        const { status } = await approver.presses(message, LABELS.approve);
        const before = pressed.get(message);
        pressed.set(message, {
          userId: approver.id,
          mark,
          deed: 'approve',
          acknowledged: status === 200 || before?.acknowledged === true,
          // What they read may be about another one.
          saidAgain: true,
        });
      }
      await wait(AGAIN_AFTER_MS);
    },
  );
  return [...pressed.values()];
}

/** Requests in a channel that nobody has decided, as everybody sees them; of one instance, where its name is given. */
function requestsIn(
  { sandbox, channel }: Pick<Deciding, 'sandbox' | 'channel'>,
  name?: string,
): readonly PostedMessage[] {
  return sandbox.slack
    .channel(channel)
    .messages.filter(
      (message) => isOpen(message) && (name === undefined || message.text.includes(` ${name} (`)),
    );
}

function isOpen(message: PostedMessage): boolean {
  return (
    markOf(message.metadata)?.startsWith('approval-') === true &&
    JSON.stringify(message.content.blocks).includes('approval.approve')
  );
}

/** One deed of one person, again where they read that it did not work, until it is decided. */
async function decide(
  { sandbox, mailboxes }: Deciding,
  message: PostedMessage,
  deed: Deed,
  approver: Person | undefined,
): Promise<readonly Decide[]> {
  const asker = /<@(U\w+)>/.exec(message.text)?.[1] ?? '';
  const person = deed === 'withdraw' ? sandbox.slack.person(asker) : approver;
  if (!person) return [];
  if (deed === 'approve late') await wait(LATE_APPROVALS.approveWithinMs);
  const until = performance.now() + DECIDED_WITHIN_MS;
  const isAnswered = (read: number): boolean =>
    mailboxes
      .privateTexts(person.id)
      .slice(read)
      .some(({ text }) => !/again in|my database/i.test(text));
  let [acknowledged, presses] = [false, 0];
  while (isOpen(message) && performance.now() < until) {
    const read = mailboxes.privateTexts(person.id).length;
    const { status } = await person.presses(message, LABELS[deed]);
    presses += 1;
    acknowledged ||= status === 200;
    const again = performance.now() + AGAIN_AFTER_MS;
    while (isOpen(message) && !isAnswered(read) && performance.now() < again) await wait(POLL_EVERY_MS);
    if (status === 200 && isAnswered(read)) break;
  }
  const mark = markOf(message.metadata) ?? '';
  return presses === 0 ? [] : [{ userId: person.id, mark, deed, acknowledged, saidAgain: presses > 1 }];
}
