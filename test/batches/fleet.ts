import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { instance, type WorldInstance, worldOf } from '../../sandbox/world.ts';
import { answeredWith, play, type PlayOptions, readAll } from '../support/sandbox.ts';

/** So many running instances, `stg-0` with the id 1000 and so on, and what else is given. */
function fleetOf(count: number, others: readonly WorldInstance[] = []): readonly WorldInstance[] {
  return [...Array.from({ length: count }, (_, index) => instance(1_000 + index, `stg-${index}`)), ...others];
}

/** A sandbox with a fleet, in which ana asks. */
export function playFleet(
  count: number,
  { others = [], ...options }: PlayOptions & { readonly others?: readonly WorldInstance[] } = {},
): Promise<Sandbox> {
  return play({
    ...options,
    hosting: { world: worldOf(fleetOf(count, others)), powerMs: 60, ...options.hosting },
    timings: { acceptWithinMs: 20_000, ...options.timings },
  });
}

/** Types a line for several, and gives the preview. */
export function previewOf(sandbox: Sandbox, line: string, who = 'ana'): Promise<PostedMessage> {
  return answeredWith(sandbox, who, line);
}

/** Says yes to a preview: by its button, and by the count in the modal where that is asked for. */
export async function confirms(
  sandbox: Sandbox,
  preview: PostedMessage,
  label: string,
  who = 'ana',
): Promise<void> {
  const person = sandbox.slack.person(who);
  const count = Number(/\d+/.exec(label)?.[0]);
  const before = person.views.at(-1);
  await person.presses(preview, label);
  if (count < 10) return;
  const modal = await sandbox.slack.until(() => person.views.at(-1) !== before && person.views.at(-1));
  await person.submits(modal, { typed: String(count) });
}

/** The card of a batch. */
export function batchCard(sandbox: Sandbox): string {
  return readAll(sandbox).find((text) => / operations?: /.test(text)) ?? '';
}
