import type { Sandbox } from '../../sandbox/sandbox.ts';
import { OTHER, OTHER_FIRST_ID } from './restart-world.ts';
import { findShown } from './slack-summary.ts';
import { wait } from './wait.ts';

const POLL_EVERY_MS = 50;
const LIMIT_MS = 60_000;

/** How one restart in a channel of its own went. A figure is the limit of a minute where it was not seen by then. */
export interface OtherRestart {
  /** From typing to the acknowledgement. */
  readonly ackMs: number;
  /** From typing to the first message there. */
  readonly postMs: number;
  /** From the end at the host to the message that shows it. */
  readonly shownS: number;
  /** What its person alone was told. */
  readonly read: readonly string[];
}

/** Restarts the nth other instance in the nth other channel. */
export async function restartOther({ slack, hosting }: Sandbox, nth: number): Promise<OtherRestart> {
  const name = `${OTHER.name}-${nth}`;
  const channel = slack.channel(`#${OTHER.channel}-${nth}`);
  let settledAt = Number.NaN;
  const note = ({ instanceId, to, at }: { instanceId: number; to: string; at: number }): void => {
    if (instanceId === OTHER_FIRST_ID + nth && to === 'running') settledAt = at;
  };
  hosting.events.on('status', note);
  const [first, firstRead] = [slack.calls.length, channel.history.length];
  const typedAt = Date.now();
  let ackedAt = typedAt + LIMIT_MS;
  let postedAt = typedAt + LIMIT_MS;
  let shownAt: number | undefined;
  void slack
    .person(OTHER.person)
    .types(channel.id, `/instances restart ${name} --because x`)
    .then(({ status }) => {
      if (status === 200) ackedAt = Date.now();
    });
  const read = (): readonly string[] =>
    channel.history
      .slice(firstRead)
      .flatMap(({ ephemeralFor, text }) => (ephemeralFor === undefined ? [] : [text]));
  // Where they alone are answered, no card comes.
  while (shownAt === undefined && read().length === 0 && Date.now() < typedAt + LIMIT_MS) {
    await wait(POLL_EVERY_MS);
    const said = slack.calls
      .slice(first)
      .filter(({ ok, args }) => ok === true && args['channel'] === channel.id);
    postedAt = said.find(({ method }) => method === 'chat.postMessage')?.at ?? postedAt;
    shownAt = findShown(said).get(name);
  }
  hosting.events.off('status', note);
  return {
    ackMs: ackedAt - typedAt,
    postMs: postedAt - typedAt,
    shownS: shownAt === undefined ? LIMIT_MS / 1_000 : (shownAt - settledAt) / 1_000,
    read: read(),
  };
}
