import { Refusal } from '../refusal.ts';
import { nameOf } from '../instances/messages.ts';
import type { HostingService, Instance } from '../../platform/hosting/service.ts';
import { say } from '../../platform/slack/phrase.ts';
import { atMost } from '../../platform/time/at-most.ts';
import { findExactly } from './find.ts';

const WITHIN_MS = 2_000;
const FRESH_MS = 1_000;
const MOST_OFFERED = 3;

/**
 * Throws a Refusal where one of the patterns is a name, and no instance that `maySee` lets through has it: a slip would be about
 * nothing, and nobody would see that. Where the service doesn't answer, or not in whole, nobody knows, and all of them pass.
 */
export async function refuseUnknownNames(
  hosting: Pick<HostingService, 'listInstances'>,
  patterns: readonly string[] | undefined,
  maySee: (instance: Instance) => boolean,
): Promise<void> {
  const names = patterns?.filter((pattern) => !pattern.includes('*')) ?? [];
  if (names.length === 0) return;
  const list = await atMost(WITHIN_MS, hosting.listInstances({ freshMs: FRESH_MS }));
  if (!list || list.incomplete || list.readAtMs !== undefined) return;
  const seen = list.instances.filter(maySee);
  for (const name of names) {
    const found = findExactly(name.replace(/^name:/i, ''), seen);
    if (found.found !== 'none') continue;
    const near = found.near.slice(0, MOST_OFFERED);
    throw new Refusal(
      'no-such-name',
      {
        lines: [
          say`No instance has exactly the name or id "${name}", so nothing was done. For one that is still to come, use ${name}*.`,
        ],
        ...(near.length > 0 ? { bullets: near.map(nameOf) } : {}),
      },
      (words) => near.map((one) => words.map((word) => replaced(word, name, one.name))),
    );
  }
}

/** A word, or names with commas between them, with another name in the place of one. */
function replaced(word: string, name: string, by: string): string {
  return word
    .split(',')
    .map((one) => (one === name ? by : one))
    .join(',');
}
