import type { Sandbox } from '../../sandbox/sandbox.ts';
import { everyElement, type Spot } from '../../sandbox/slack/acting/target.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { records, shown } from '../../sandbox/slack/json.ts';
import type { View } from '../../sandbox/slack/workspace/views.ts';

/** One thing on a message or in a view. `own`: where they have it before her; else somebody else alone has. */
export interface Offer {
  readonly routeId: string;
  readonly kind: 'button' | 'line' | 'picker' | 'several' | 'form';
  readonly spot: Spot;
  readonly value: string;
  readonly own: PostedMessage | View | undefined;
  /** Which version of the message they have on their screen. */
  readonly version: number | undefined;
}

/** Everything that stands anywhere to be used: before `who`, by themselves or with everybody, and before others alone. */
export function harvest({ slack }: Sandbox, who: string, modals: readonly View[]): readonly Offer[] {
  const ana = slack.person(who);
  const places = [slack.channel('#ops'), ...['admin', who, 'bob', 'fin'].map((one) => slack.person(one).dm)];
  const messages = places
    .flatMap(({ history }) => history)
    .filter((one) => one.bot_id !== undefined && !one.deleted);
  const isOwn = (one: PostedMessage): boolean =>
    one.ephemeralFor === ana.id || [...slack.channel('#ops').messages, ...ana.dms].includes(one);
  const homes = [ana.home, slack.person('admin').home].flatMap((home) => home ?? []);
  const offers = [
    ...messages.flatMap((one) => offersOn(one.blocks, isOwn(one) ? one : undefined)),
    ...homes.flatMap((one) => offersOn(one.blocks, one.userId === ana.id ? one : undefined)),
    ...modals.map((one): Offer => ({
      routeId: shown(one.content['callback_id']),
      kind: 'form',
      spot: { blockId: '', actionId: '' },
      value: '',
      own: one,
      version: undefined,
    })),
  ];
  // Each thing once for each that has it: the same page is asked for by several lines.
  const keyOf = ({ routeId, kind, value, own }: Offer): string =>
    [routeId, kind, value, own === undefined].join(' ');
  return [...new Map(offers.map((one) => [keyOf(one), one])).values()];
}

function offersOn(blocks: PostedMessage['blocks'], own: Offer['own']): readonly Offer[] {
  return everyElement(blocks).flatMap(({ blockId, element }): readonly Offer[] => {
    const actionId = shown(element['action_id']);
    const type = shown(element['type']);
    const base = {
      routeId: actionId,
      spot: { blockId, actionId },
      value: shown(element['value']),
      own,
      version: own && 'edits' in own ? own.edits.length : undefined,
    };
    if (type === 'overflow')
      return records(element['options']).map((option) => {
        const value = shown(option['value']);
        return { ...base, kind: 'line', value, spot: { ...base.spot, value } };
      });
    if (type === 'button') return [{ ...base, kind: 'button' }];
    return type.startsWith('multi_') ? [{ ...base, kind: 'several' }] : [{ ...base, kind: 'picker' }];
  });
}
