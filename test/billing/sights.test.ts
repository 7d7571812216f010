import { expect, it } from 'vitest';
import {
  type Alarm,
  type Episode,
  NO_ALARM,
  openEpisode,
  withEpisode,
  withNotice,
} from '../../src/features/billing/alerts/alarm.ts';
import { sightsBetween } from '../../src/features/billing/alerts/alarm-store.ts';

const [OLD, NEW] = [{ channelId: 'C0OLD000001' }, { channelId: 'C0NEW000001' }];

it('what an alert sees after it moved is recorded in the channel where it stands now', () => {
  const opened = withNotice(openEpisode('e', 'low', 'warn', 0), { kind: 'card', to: OLD }, 0);
  const notices = opened.notices.map((one) => ({ ...one, movedTo: NEW }));
  const moved = withNotice({ ...opened, notices }, { kind: 'card', to: NEW }, 1);
  const alarm = (episode: Episode): Alarm => withEpisode(NO_ALARM, episode);
  const seen = sightsBetween(alarm(moved), alarm({ ...moved, level: 'critical' }));
  expect(seen.map(({ channelId, result }) => [channelId, result])).toEqual([[NEW.channelId, 'critical']]);
});
