import type { Sandbox } from '../../sandbox/sandbox.ts';
import { OTHER } from './restart-world.ts';
import { findShown } from './slack-summary.ts';
import { wait } from './stats.ts';

const POLL_EVERY_MS = 50;
const LIMIT_MS = 60_000;

/** How one restart in a channel of its own went. A figure is the limit of a minute where it was not seen by then. */
export interface OtherRestart {
  /** From typing to the acknowledgement. */
  readonly ackMs: number;
  /** From typing to the first message there. */
  readonly postMs: number;
  /** What its person alone was told. */
  readonly read: readonly string[];
}

/** Restarts the nth other instance in the nth other channel, and waits until its end is shown there. */
export async function restartOther({ slack }: Sandbox, nth: number): Promise<OtherRestart> {
  const name = `${OTHER.name}-${nth}`;
  const channel = slack.channel(`#${OTHER.channel}-${nth}`);
  const [first, firstRead] = [slack.calls.length, channel.history.length];
  const typedAt = Date.now();
  let ackedAt = typedAt + LIMIT_MS;
  let postedAt = typedAt + LIMIT_MS;
  let isShown = false;
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
  while (!isShown && read().length === 0 && Date.now() < typedAt + LIMIT_MS) {
    await wait(POLL_EVERY_MS);
    const said = slack.calls
      .slice(first)
      .filter(({ ok, args }) => ok === true && args['channel'] === channel.id);
    postedAt = said.find(({ method }) => method === 'chat.postMessage')?.at ?? postedAt;
    isShown = findShown(said).has(name);
  }
  return {
    ackMs: ackedAt - typedAt,
    postMs: postedAt - typedAt,
    read: read(),
  };
}
