import { type Alarm, type Episode, type Notice } from '../../src/features/billing/alerts/alarm.ts';
import type { Rules } from '../../src/features/billing/alerts/judge.ts';
import type { Thresholds } from '../../src/core/money/typed.ts';
import { TIMINGS } from '../../src/core/timings.ts';

/** The rules of alerts that go to a channel, and call nobody. */
export function rulesOf(measure: Rules['measure'], more: Partial<Rules> = {}): Rules {
  return {
    measure,
    isOff: false,
    to: { channelId: 'C1' },
    steps: [],
    quiet: undefined,
    newId: 'episode-1',
    timings: TIMINGS,
    ...more,
  };
}

export function thresholdsIn(unit: Thresholds['warn']['in'], warn: bigint, critical: bigint): Thresholds {
  return {
    warn: { in: unit, amount: { units: warn, scale: 0 } },
    critical: { in: unit, amount: { units: critical, scale: 0 } },
  };
}

/** Slack takes at once what waits, which is given in its order, and what is over is forgotten: telling it has tests of its own. */
export function posted(alarm: Alarm): { alarm: Alarm; posts: Notice[] } {
  const posts: Notice[] = [];
  const episodes = alarm.episodes.map((episode): Episode => ({
    ...episode,
    notices: episode.notices.map((notice) => {
      if (notice.message.state !== 'waiting') return notice;
      posts.push(notice);
      const message = { ...notice.message, state: 'sent', shown: '', channelId: 'C1', ts: '1.1' } as const;
      return { ...notice, message };
    }),
  }));
  return { alarm: { ...alarm, episodes: episodes.filter(({ closed }) => !closed) }, posts };
}
