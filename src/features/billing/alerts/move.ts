import { type Alarm, type Episode, isMain, type Notice, withEpisode, withNotice } from './alarm.ts';

type Place = { readonly channelId: string };

/**
 * The alarm with every open alert posted in this channel from now on: what Slack has not taken yet goes there, what stands
 * elsewhere says where it went, and its like is posted there. Once more changes nothing. Pure.
 */
export function movedTo(alarm: Alarm, to: Place, now: number): Alarm {
  return alarm.episodes
    .filter(({ closed }) => closed === undefined)
    .reduce((all, episode) => withEpisode(all, moved(episode, to, now)), alarm);
}

function moved(episode: Episode, to: Place, now: number): Episode {
  const notices = episode.notices.map((one) => (isUntouched(one) ? { ...one, to } : one));
  const main = notices.findLast(({ kind, movedTo: away }) => isMain(kind) && away === undefined);
  if (!main || standsIn(main, to)) return { ...episode, notices };
  const { kind, level, seen } = main;
  const left = notices.map((one) => (one === main ? { ...one, movedTo: to } : one));
  const facts = { level, seen };
  return withNotice({ ...episode, notices: left }, { kind, to, ...facts }, now);
}

/** Whether nothing of it can be in Slack. Who is called alone is called wherever the alert is. */
function isUntouched({ kind, movedTo: away, message }: Notice): boolean {
  const { state, repostedAt, fallback } = message;
  const isUnsent = state === 'waiting' && repostedAt === undefined && fallback === undefined;
  return kind !== 'escalation' && away === undefined && isUnsent;
}

/** Whether it stands in that channel or is on its way there, and has not ended up anywhere else. */
function standsIn({ to, message }: Notice, { channelId }: Place): boolean {
  const isThere = 'channelId' in to && to.channelId === channelId;
  return isThere && message.fallback === undefined && message.state !== 'dead-lettered';
}
