import type { Outside } from '../../../core/outbox/message-source.ts';
import type { NewPost } from '../../../core/outbox/post.ts';
import { idOf } from '../../../platform/id.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { say } from '../../../platform/slack/phrase.ts';
import type { Alarm, Episode } from '../alerts/alarm.ts';
import type { Face } from '../alerts/face.ts';
import { rank } from '../alerts/level.ts';
import { balanceIn, monthIn, type Seen } from '../alerts/seen.ts';

/** Where the money is told of outside of Slack. */
export interface Outsides {
  readonly to: readonly Outside['outside'][];
  /** Which account it is, where there are several. */
  readonly account?: string | undefined;
}

/** Who hears where one of them reached nobody. */
export const LOST_OUTSIDE = 'billing.lost-outside';

type Facts = Readonly<Record<string, string>>;

/** One message to each of those places, once each for its `id`. */
export function outside(
  { to, account }: Outsides,
  id: string,
  content: Message,
  facts: Facts,
): readonly NewPost[] {
  return to.map((via) => ({
    id: idOf(`${via} ${id}`),
    to: { outside: via },
    content,
    facts: { ...facts, ...(account === undefined ? {} : { account }) },
    onDeadLetter: { handler: LOST_OUTSIDE, id: via },
  }));
}

/** What is told outside of Slack of what has become of the alerts: each that began, got worse or ended. Pure. */
export function reportsBetween(before: Alarm, next: Alarm, face: Face, to: Outsides): readonly NewPost[] {
  if (to.to.length === 0) return [];
  return next.episodes.flatMap((episode) => {
    const was = before.episodes.find(({ id }) => id === episode.id);
    const what = whatOf(was, episode);
    if (what === undefined) return [];
    const seen = episode.closed?.seen ?? (episode.kind === 'low' ? episode.shown : undefined) ?? next.seen;
    const facts: Facts = {
      kind: `alert-${what}`,
      alert: episode.id,
      about: episode.kind === 'unknown' ? 'unreadable' : face.about.replace(/^the /, ''),
      level: what === 'ended' ? 'ok' : episode.level,
      ...figuresOf(seen),
    };
    return outside(to, `${episode.id} ${what} ${next.checkedAt}`, wordsOf(what, episode, face, seen), facts);
  });
}

type What = 'opened' | 'worse' | 'ended';

function whatOf(was: Episode | undefined, episode: Episode): What | undefined {
  if (episode.closed) return was && !was.closed ? 'ended' : undefined;
  if (!was) return 'opened';
  return rank(episode.level) > rank(was.level) ? 'worse' : undefined;
}

/** What Slack reads of it, without who is on it, which nobody would keep up to date there. */
function wordsOf(what: What, episode: Episode, face: Face, seen: Seen | undefined): Message {
  const { kind, closed, level } = episode;
  const figures = face.figureLines(seen);
  if (what === 'ended' && closed) {
    const isOver = closed.how === 'recovered';
    const again =
      kind === 'unknown' ? say`👀 ${face.seenAgainWords}` : face.recoveredWords(episode, closed.seen);
    return { lines: [isOver ? again : face.overWords(closed), ...figures], ...face.asOf(seen) };
  }
  if (kind === 'unknown') return { lines: face.unknownLines(episode, seen) };
  return { lines: face.matterLines(level, seen), ...face.asOf(seen), buttons: face.cures };
}

/** Figures as they were read. */
function figuresOf(seen: Seen | undefined): Facts {
  if (!seen) return {};
  const balance = balanceIn(seen);
  const month = monthIn(seen);
  return {
    asOf: new Date(seen.at).toISOString(),
    ...(balance ? { balance: balance.balance } : {}),
    ...(balance?.perDay === undefined ? {} : { perDay: balance.perDay }),
    ...(month ? { monthSoFar: month.monthSoFar, budget: month.budget } : {}),
  };
}
