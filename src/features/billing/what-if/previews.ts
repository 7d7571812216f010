import { typedButton } from '../../../core/intake/typed-button.ts';
import { nameOf } from '../../../core/instances/messages.ts';
import { buttonTokenOf } from '../../../core/lookup/resolve.ts';
import { BUTTON_TOKENS, type Offers } from '../../../core/offers/offers.ts';
import { SCHEDULE_ROUTES } from '../../../core/schedules/messages.ts';
import type { Instance } from '../../../platform/hosting/service.ts';
import { type Button, type Message, twoAndMenu } from '../../../platform/slack/message.ts';
import { plain, toPlainText } from '../../../platform/slack/phrase.ts';
import { addonsCalled, type Effect, type Priced } from './effect.ts';
import type { Resolved } from './read.ts';
import type { Prepaid } from '../billing.ts';

/** A change with what it brings. */
export interface Judged {
  readonly resolved: Resolved;
  readonly effect: Effect;
}

const DOING = {
  stop: 'stopping',
  start: 'starting',
  delete: 'deleting',
  add: 'adding',
  remove: 'removing',
} as const;
/** Two, and three dots with five. */
const MAX_BUTTONS = 6;
const MAX_NAME = 40;
const SCHEDULE: Button = { label: 'New schedule…', routeId: SCHEDULE_ROUTES.form, value: 'form' };

/**
 * What leads from each change to the question that its verb asks before it does anything; none of them does anything by itself.
 * What several are stopped by may be scheduled as well.
 */
export async function previewButtons(
  deps: Prepaid,
  judged: readonly Judged[],
): Promise<Pick<Message, 'buttons' | 'menu'>> {
  const buttons = await Promise.all(judged.map((one) => buttonsOf(deps, one)));
  const byLabel = new Map(buttons.flat().map((button) => [button.label, button]));
  const stopsSeveral = judged.some(
    ({ resolved: { meant, isOne } }) => meant.does === 'stop' && !isOne && meant.those.length > 1,
  );
  return twoAndMenu([...byLabel.values()].slice(0, MAX_BUTTONS), stopsSeveral ? [SCHEDULE] : []);
}

async function buttonsOf(deps: Prepaid, { resolved, effect }: Judged): Promise<readonly Button[]> {
  const { meant, asked, isOne } = resolved;
  const [one] = effect.changed;
  if (meant.does === 'top up') return deps.links.topUp;
  const route = deps.changeRoutes[meant.does];
  if (!one || route === undefined) return [];
  const isPower = meant.does === 'stop' || meant.does === 'start';
  if (isPower && isOne) return powerOfOne(deps.offers, meant.does, route, one);
  const those = isPower
    ? [{ words: asked, what: calledOf(asked, effect.changed) }]
    : eachOf(resolved, effect);
  const buttons = await Promise.all(
    those.map(({ words, what }) => {
      const label = `Preview ${DOING[meant.does]} ${what}…`;
      return typedButton(deps.offers, label, { route, words: [...words] });
    }),
  );
  return buttons.filter((button) => button !== undefined);
}

/** One alone would be started or stopped at once, so it is asked for as what is picked to save, or as a dry run. */
async function powerOfOne(
  offers: Offers,
  does: 'stop' | 'start',
  route: string,
  { instance }: Priced,
): Promise<readonly Button[]> {
  const label = `Preview ${DOING[does]} ${nameIn(instance)}…`;
  if (does === 'stop') {
    const token = { ...buttonTokenOf(instance), pickedTo: 'save-credits' as const };
    return [{ label, routeId: route, value: await offers.make(BUTTON_TOKENS, token) }];
  }
  const button = await typedButton(offers, label, { route, words: [instance.id, '--dry-run'] });
  return button ? [button] : [];
}

/** What verbs of one instance at a time are asked for each. */
function eachOf(
  { meant }: Resolved,
  { changed }: Effect,
): readonly { readonly words: readonly string[]; readonly what: string }[] {
  return changed.flatMap(({ instance, addons }) => {
    const { id } = instance;
    const name = nameIn(instance);
    switch (meant.does) {
      case 'delete':
        return [{ words: [id], what: name }];
      case 'add': {
        const { type, tier } = meant;
        const words = [type, id, ...(tier === undefined ? [] : ['--tier', tier])];
        return [{ words, what: `${plain(type, MAX_NAME / 2)} to ${name}` }];
      }
      case 'remove': {
        const [addon] = addonsCalled(addons, meant.type, meant.tier);
        return addon
          ? [{ words: [addon.id, id], what: `${plain(addon.type, MAX_NAME / 2)} from ${name}` }]
          : [];
      }
      default:
        return [];
    }
  });
}

/** "staging-*", "web-1 (101) and 2 more". */
function calledOf(asked: readonly string[], changed: readonly Priced[]): string {
  const [only = '', another] = asked;
  const pattern = another === undefined ? only.replace(/^name:/, '') : '';
  if (pattern.includes('*') && pattern !== '*') return plain(pattern, MAX_NAME);
  const [first] = changed;
  if (!first) return '0 instances';
  const more = changed.length - 1;
  return more === 0 ? nameIn(first.instance) : `${nameIn(first.instance)} and ${more} more`;
}

function nameIn(instance: Pick<Instance, 'id' | 'name'>): string {
  // The id tells apart what has one long name.
  const { id, name } = instance;
  return toPlainText(nameOf({ id, name: plain(name, MAX_NAME - id.length - ' ()'.length) }));
}
