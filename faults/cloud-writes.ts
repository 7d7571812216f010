import type { Cloud } from '../sandbox/clouds/cloud.ts';
import type { RecordedCall } from '../sandbox/hosting/calls.ts';
import type { Effect } from '../sandbox/clouds/fleet.ts';
import type { Written } from './books.ts';
import { type FaultedKind, KINDS } from './kinds.ts';

/** By the last word of a kind, what the clouds call it and what it does there. */
const DEEDS: Readonly<
  Record<string, { readonly words: readonly string[]; readonly effects: readonly Effect[] }>
> = {
  restart: { words: ['reboot'], effects: ['reboot', 'reset'] },
  stop: { words: ['shutdown', 'halt'], effects: ['shutdown', 'power-off'] },
  start: { words: ['power_on', 'poweron', 'start'], effects: ['start'] },
  delete: { words: ['DELETE'], effects: ['delete'] },
};

/** The kinds that a cloud knows, those of several included. */
export const CLOUD_FAULTED: readonly FaultedKind[] = KINDS.filter(({ kind }) => deedOf(kind) !== undefined);

/**
 * The calls that may have changed something, each with whether it did, by the cloud's own count. What was refused for
 * certain may be sent again, and is left out.
 */
export function writtenAt(cloud: Cloud, calls: readonly RecordedCall[] = cloud.calls): readonly Written[] {
  const taken = calls.filter(
    ({ method, status }) =>
      method !== 'GET' && !(typeof status === 'number' && status >= 400 && status < 500),
  );
  const effects = cloud.effects().filter(({ outcome }) => outcome === 'done');
  return CLOUD_FAULTED.filter(({ isSeveral, isApproved }) => !isSeveral && !isApproved).flatMap((kind) => {
    const { words, effects: mine } = deedOf(kind.kind) ?? { words: [], effects: [] };
    const asked = taken.filter((call) => words.includes(wordOf(call)));
    return [...new Set(asked.map(({ path }) => idIn(path)))].flatMap((instanceId) => {
      const done = effects.filter((one) => one.machineId === instanceId && mine.includes(one.effect)).length;
      // What names its target is done once: what is stopped already can be stopped again at some clouds.
      const often = kind.repeats ? Math.min(done, 1) : done;
      return asked
        .filter(({ path }) => idIn(path) === instanceId)
        .map(({ at }, nth) => ({ instanceId, kind, hadEffect: nth < often, at }));
    });
  });
}

function deedOf(kind: string): (typeof DEEDS)[string] | undefined {
  const [noun, deed = ''] = kind.split('.');
  return noun === 'instances' && Object.hasOwn(DEEDS, deed) ? DEEDS[deed] : undefined;
}

const idIn = (path: string): string => path.split('/')[3] ?? '';

function wordOf({ method, path, body }: RecordedCall): string {
  if (method === 'DELETE') return 'DELETE';
  const isNamed = typeof body === 'object' && body !== null && 'type' in body;
  return isNamed ? String(body.type) : (path.split('/').at(-1) ?? '');
}
