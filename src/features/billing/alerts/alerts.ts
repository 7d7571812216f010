import type { Outbox } from '../../../core/outbox/outbox.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Ask, Reply, Route } from '../../../core/routing/route.ts';
import { idOf } from '../../../platform/id.ts';
import { say } from '../../../platform/slack/phrase.ts';
import type { Timings } from '../../../core/timings.ts';
import type { Places } from '../../../core/policy/places.ts';
import { type Alarm, findOpen, type Settings } from './alarm.ts';
import { ack, type AnswerDeps, change, snooze } from './answer.ts';
import { CHECK_JOB } from './check.ts';
import { testMessage } from './messages.ts';
import { movedTo } from './move.ts';
import { ALERT_ROUTES } from './routes.ts';
import {
  type AlertConfig,
  checkThresholds,
  destinationOf,
  readThreshold,
  thresholdsOf,
} from './alert-settings.ts';
import { alertsMessage } from './settings-message.ts';
import { ALERT_TOPICS } from './topics.ts';

export interface AlertsDeps extends AnswerDeps {
  readonly places: Places;
  readonly outbox: Outbox;
  readonly config: AlertConfig;
  readonly admins: readonly string[];
  readonly unit: string;
  readonly timings: Timings;
}

type Verb = (deps: AlertsDeps, ask: Ask, words: readonly string[]) => Promise<Reply>;

/** Verbs that words follow, and those that stand alone: `off 4h` must not be off for ever. */
const WITH_WORDS: ReadonlyMap<string, Verb> = new Map([
  ['set', setThresholds],
  ['snooze', (deps, ask, words) => snooze(deps, ask, undefined, words.join(' '))],
]);
const ALONE: ReadonlyMap<string, Verb> = new Map([
  ['here', placeHere],
  ['on', (deps) => switchTo(deps, false)],
  ['off', (deps) => switchTo(deps, true)],
  ['test', sendTest],
  ['ack', (deps, ask) => ack(deps, ask, undefined)],
]);

/** `/billing alerts [set …|here|on|off|test|ack|snooze 4h]`: when the balance is low, who hears of it, and what of it now. */
export function alertsRoute(deps: AlertsDeps): Route {
  return {
    id: ALERT_ROUTES.alerts,
    verb: 'alerts',
    topics: ALERT_TOPICS,
    permission: 'billing:alerts',
    writes: (words) => words.length > 0,
    usage: '[set warn 5d critical 2d | here | on | off | test | ack | snooze 4h]',
    summary: 'when the balance is low, who hears of it, and what of it now',
    handle: async (ask) => {
      const [word, ...words] = ask.words;
      if (word === undefined) return show(deps, await deps.store.get());
      const name = word.toLowerCase();
      const verb = WITH_WORDS.get(name) ?? ALONE.get(name);
      if (ALONE.has(name) && words.length > 0)
        throw new Refusal('bad-alerts', say`${name} takes no more words, so nothing was changed.`);
      if (!verb)
        throw new Refusal(
          'bad-alerts',
          say`I don't know "${word}" here. There are set, here, on, off, test, ack and snooze, as in billing alerts set warn 5d critical 2d.`,
        );
      return verb(deps, ask, words);
    },
  };
}

function show({ config, admins, unit, timings }: AlertsDeps, alarm: Alarm, said?: string): Reply {
  return alertsMessage(alarm, {
    thresholds: thresholdsOf(alarm.settings, config),
    to: destinationOf(alarm.settings, config, admins),
    unit,
    everyMs: timings.billingCheckEveryMs,
    ...(said === undefined ? {} : { said }),
  });
}

/** Changes the settings, has the balance looked at by them, and shows them. */
async function configure(
  deps: AlertsDeps,
  step: (alarm: Alarm, now: number) => Alarm,
  said: string | ((after: Alarm) => string),
): Promise<Reply> {
  const after = await change(deps, step);
  await deps.queue.wake(CHECK_JOB, 'asked').catch(() => undefined);
  return after && show(deps, after, typeof said === 'string' ? said : said(after));
}

async function setThresholds(deps: AlertsDeps, ask: Ask, words: readonly string[]): Promise<Reply> {
  const { warn, critical } = deps.config;
  if (warn !== undefined || critical !== undefined) {
    const names = deps.admins.includes(ask.actor.userId) ? say` (BILLING_WARN and BILLING_CRITICAL)` : [];
    throw new Refusal(
      'set-elsewhere',
      say`The thresholds are kept in the configuration${names}, so they can't be changed here. The person who runs the bot can change them there.`,
    );
  }
  const wanted = parsePairs(words);
  return configure(
    deps,
    (alarm) => {
      const settings = { ...alarm.settings, ...wanted };
      checkThresholds(settings, deps.unit);
      return { ...alarm, settings };
    },
    'Changed.',
  );
}

/** `warn 5d critical 2d`, or one of them. Throws a Refusal. */
function parsePairs(words: readonly string[]): Pick<Settings, 'warn' | 'critical'> {
  const pairs: { warn?: string; critical?: string } = {};
  for (let index = 0; index < words.length; index += 2) {
    const [name = '', typed = ''] = [words[index]?.toLowerCase(), words[index + 1]?.toLowerCase()];
    if (name !== 'warn' && name !== 'critical') {
      throw new Refusal(
        'bad-set',
        say`I can set warn and critical, as in billing alerts set warn 5d critical 2d.`,
      );
    }
    // Read for its refusal: what is kept is what was typed.
    readThreshold(typed);
    pairs[name] = typed;
  }
  if (words.length === 0)
    throw new Refusal('bad-set', say`Set what? Say billing alerts set warn 5d critical 2d.`);
  return pairs;
}

/**
 * Alerts go to this channel, where everybody sees the figures from then on: for a channel that was named, or an admin. An
 * alert that is open moves there.
 */
async function placeHere(deps: AlertsDeps, ask: Ask): Promise<Reply> {
  const { channelId } = ask.place;
  await deps.places.allow(ask);
  return configure(
    deps,
    (alarm, now) => {
      const placed = { ...alarm, settings: { ...alarm.settings, channelId } };
      return alarm.settings.isOff ? placed : movedTo(placed, { channelId }, now);
    },
    (after) => {
      const moved = findOpen(after, 'low') ? ' The open alert continues here.' : '';
      return `Alerts go to this channel now, so everybody in it will see the figures.${moved}`;
    },
  );
}

function switchTo(deps: AlertsDeps, isOff: boolean): Promise<Reply> {
  const said = isOff ? 'Alerts are off. Nobody will be warned of a low balance.' : 'Alerts are on.';
  return configure(deps, (alarm) => ({ ...alarm, settings: { ...alarm.settings, isOff } }), said);
}

/** One message where alerts go, to see that it gets there. */
async function sendTest(deps: AlertsDeps, ask: Ask): Promise<Reply> {
  const { userId } = ask.actor;
  const alarm = await deps.store.get();
  const to = destinationOf(alarm.settings, deps.config, deps.admins);
  if (!to)
    throw new Refusal(
      'nowhere',
      say`Alerts go nowhere yet. To choose a channel, type "/billing alerts here" in it.`,
    );
  // The id follows from the request, so that a request carried out twice sends one test.
  await deps.outbox.post({ id: idOf(`test ${ask.id}`), to, content: testMessage(userId) });
  return { lines: [say`A test is on its way to where alerts go.`] };
}
