import type { Instance } from '../../platform/hosting/service.ts';
import type { Choice } from '../../platform/slack/message.ts';
import { MAX_OPTIONS } from '../../platform/slack/controls.ts';
import { near } from './find.ts';
import { type Kept, listOrLast } from './find-or-last.ts';
import { byName } from '../instances/facts.ts';
import { toldBy } from '../instances/filter.ts';
import { findOutside } from './in-list.ts';
import { choiceLabel, cutHeading, incompleteHeading } from '../instances/messages.ts';

/** A slow service must not keep a picker empty; what is picked is read again by its id. */
const CHOICES_FRESH_MS = 15_000;

/** More than Slack shows, since one whose id is too long for an option is left out. */
const MAX_CHOICES = 150;

/** Whether a person may pick an instance. */
export type MayPick = (instance: Pick<Instance, 'id' | 'name'>) => boolean;

/** The choices of a picker for what was typed: those instances that pass. */
export async function choicesOf(
  hosting: Kept,
  typed: string,
  mayPick: MayPick,
  passes: (instance: Instance) => boolean = () => true,
): Promise<readonly Choice[]> {
  const { list, last } = await listOrLast(hosting, { freshMs: CHOICES_FRESH_MS });
  const found = near(typed.trim(), list.instances);
  const outside = found.length === 0 && !last ? await findOutside(hosting, typed.trim(), list) : undefined;
  const first = firstOf(MAX_CHOICES, outside ? [outside] : found, (one) => mayPick(one) && passes(one));
  return toChoices(first, list.incomplete && incompleteHeading(list.incomplete));
}

/** The same of those that `among` gives of the list, in its order until something is typed. */
export async function choicesAmong(
  hosting: Kept,
  typed: string,
  among: (instances: readonly Instance[]) => readonly Instance[],
): Promise<readonly Choice[]> {
  const { instances, incomplete } = (await listOrLast(hosting, { freshMs: CHOICES_FRESH_MS })).list;
  const those = among(instances);
  const found = typed.trim() === '' ? those : near(typed.trim(), those);
  return toChoices(found.slice(0, MAX_CHOICES), incomplete && incompleteHeading(incomplete));
}

const MAX_MARKS = 20;

/** The filters by a label or a region that go on with what was typed, as `label:te` does: of what instances have that a person may pick. */
export async function markFilters(
  hosting: Kept,
  typed: string,
  mayPick: MayPick,
): Promise<readonly string[]> {
  const [, field = '', start = ''] = /^(label|region):(\S*)$/i.exec(typed.trim()) ?? [];
  const told = toldBy(field.toLowerCase());
  if (!told) return [];
  const { instances } = (await listOrLast(hosting, { freshMs: CHOICES_FRESH_MS })).list;
  const values = new Set(instances.filter(mayPick).flatMap((one) => told(one) ?? []));
  // A filter in a field is one word.
  const fitting = [...values].filter(
    (value) => !/\s/.test(value) && value.toLowerCase().includes(start.toLowerCase()) && value !== start,
  );
  return fitting
    .toSorted(byName)
    .slice(0, MAX_MARKS)
    .map((value) => `${field.toLowerCase()}:${value}`);
}

function toChoices(instances: readonly Instance[], gap: string | undefined): readonly Choice[] {
  const heading = gap ?? (instances.length > MAX_OPTIONS ? cutHeading(MAX_OPTIONS) : undefined);
  return instances.map((instance) => ({
    value: instance.id,
    label: choiceLabel(instance),
    heading,
  }));
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
