import type { HostingService, Instance } from '../../platform/hosting/service.ts';
import type { Choice } from '../../platform/slack/message.ts';
import { near } from './find.ts';
import { findOutside } from './in-list.ts';
import { choiceLabel, incompleteHeading } from './messages.ts';

/** A slow service must not keep a picker empty; what is picked is read again by its id. */
const CHOICES_FRESH_MS = 15_000;

/** More than Slack shows, since one whose id is too long for an option is left out. */
const MAX_CHOICES = 150;

/** The choices of a picker for what was typed: those instances that pass. */
export async function choicesOf(
  hosting: HostingService,
  typed: string,
  mayPick: (instance: Instance) => boolean,
  passes: (instance: Instance) => boolean = () => true,
): Promise<readonly Choice[]> {
  const list = await hosting.listInstances({ freshMs: CHOICES_FRESH_MS });
  const found = near(typed.trim(), list.instances);
  const outside = found.length === 0 ? await findOutside(hosting, typed.trim(), list) : undefined;
  const heading = list.incomplete ? { heading: incompleteHeading(list.incomplete) } : {};
  return firstOf(MAX_CHOICES, outside ? [outside] : found, (one) => mayPick(one) && passes(one)).map(
    (instance) => ({ value: instance.id, label: choiceLabel(instance), ...heading }),
  );
}

/** The first `count` that pass; those after them are not looked at. */
function firstOf<T>(count: number, all: readonly T[], passes: (one: T) => boolean): T[] {
  const first: T[] = [];
  for (const one of all) {
    if (first.length === count) break;
    if (passes(one)) first.push(one);
  }
  return first;
}
