import type { Bot } from '../../../core/bot/bot.ts';
import type { OwnedSource } from '../../../core/policy/owned.ts';
import { recordOf } from '../../../core/records/one-record.ts';
import { say, time } from '../../../platform/slack/phrase.ts';
import { BUDGET, LOW_BALANCE } from './face.ts';
import { type Episode, findOpen, isMain } from './alarm.ts';
import { ALARM } from './alarm-store.ts';
import { passedOn } from './react.ts';
import { TELL_JOB } from './tell.ts';

/** The alert that somebody is on, and their snooze of it. `paid`: what alerts are about. */
export function ownedAlert(
  deps: Pick<Bot, 'redis' | 'faultPoints' | 'queue'>,
  paid: 'prepaid' | 'postpaid',
): OwnedSource {
  const alarms = recordOf(deps, ALARM);
  const about = paid === 'prepaid' ? LOW_BALANCE : BUDGET;
  return {
    name: 'alert',
    list: async (userId) => {
      const open = findOpen(await alarms.get(), 'low');
      if (!open) return [];
      const { id, ack, snooze } = open;
      const alone = isToldAlone(open)
        ? { stays: say`It is told in direct messages, where nobody else reads it.` }
        : {};
      return [
        ...(ack?.by === userId
          ? [
              {
                id: `${id}/ack`,
                line: say`on the alert of ${about}.`,
                needs: { permission: 'billing:ack' as const, of: [] },
                ...alone,
              },
            ]
          : []),
        ...(snooze && snooze.by === userId
          ? [
              {
                id: `${id}/snooze`,
                line: say`snooze of the alert of ${about}, until ${time(snooze.until)}.`,
                needs: { permission: 'billing:alerts' as const, of: [] },
                ...alone,
              },
            ]
          : []),
      ];
    },
    moving: async (ids, { from, to, at }) => {
      const part = await alarms.moving((alarm) => passedOn(alarm, ids, { from, to, at }));
      // What could not be woken is found by the sweep.
      return part && { ...part, wake: () => deps.queue.wake(TELL_JOB, ALARM.id) };
    },
  };
}

function isToldAlone({ notices }: Episode): boolean {
  const main = notices.findLast(({ kind, movedTo }) => isMain(kind) && movedTo === undefined);
  return main !== undefined && 'userId' in main.to;
}
