import { forChannel, isChannelId, isSentTo } from '../../../core/ask/for-channel.ts';
import { mendWord, oneOf } from '../../../core/ask/mend-words.ts';
import { withInstead } from '../../../core/intake/typed-button.ts';
import { isDirect } from '../../../platform/slack/ids.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Ask, Reply } from '../../../core/ask/ask.ts';
import type { AuditAttempt, Route } from '../../../core/intake/route.ts';
import { changeSetting, type SettingChange } from '../../../core/intake/setting.ts';
import { endLabel } from '../../../core/sentences/end.ts';
import { idOf } from '../../../platform/id.ts';
import { channel, person, type Phrase, say } from '../../../platform/slack/phrase.ts';
import type { Choice } from '../../../core/policy/places.ts';
import { type Alarm, findOpen, movedTo } from './alarm.ts';
import { ALARM } from './alarm-store.ts';
import { nothingOpen } from './react.ts';
import { ack, snooze, unsnooze } from './answer.ts';
import { CHECK_JOB } from './check.ts';
import { testMessage } from './messages.ts';
import { ALERT_ROUTES } from './routes.ts';
import { SPOKEN } from './spoken.ts';
import { TELL_JOB } from './tell.ts';
import { outside } from '../outside/reports.ts';
import { destinationOf, withPlace } from './alert-settings.ts';
import { alertsMessage } from './settings-message.ts';
import type { SetVerb } from './watched.ts';
import type { Billing } from '../billing.ts';

type Verb = (deps: Billing, ask: Ask, audit: AuditAttempt, words: readonly string[]) => Promise<Reply>;

/** Verbs that words follow, and those that stand alone: `off 4h` must not be off permanently. */
const WITH_WORDS: ReadonlyMap<string, Verb> = new Map([
  ['snooze', (deps, ask, _audit, words) => snooze(deps, ask, undefined, words.join(' '))],
]);
const ALONE: ReadonlyMap<string, Verb> = new Map([
  ['here', placeHere],
  ['on', (deps, ask, audit) => switchTo(deps, ask, audit, false)],
  ['off', (deps, ask, audit) => switchTo(deps, ask, audit, true)],
  ['test', sendTest],
  ['ack', (deps, ask) => ack(deps, ask, undefined)],
  ['unsnooze', (deps) => unsnooze(deps, undefined)],
]);

/** `/billing alerts [set …|here|on|off|test|ack|snooze 4h|unsnooze]`: what is watched, who hears of it, and what of it now. */
export function alertsRoute(deps: Billing): Route {
  const { usage, summary, topics, verbs, example } = deps.watched.command;
  const names = [...verbs.keys(), ...ALONE.keys(), 'snooze'];
  return {
    id: ALERT_ROUTES.alerts,
    namesChannels: true,
    verb: 'alerts',
    spoken: SPOKEN,
    topics,
    permission: 'billing:alerts',
    writes: (words) => words.length > 0,
    mayNameAccount: (before) => !isSentTo(before),
    usage,
    summary,
    label: ([word = '', ...words]) => labelOf(deps, word.toLowerCase(), words),
    idle: async ({ words: [word = ''] }) =>
      ANSWERS.has(word.toLowerCase()) ? nothingOpen(await deps.alarms.get()) : undefined,
    handle: async (ask, audit) => {
      const [word, ...words] = ask.words;
      if (word === undefined) return withPresses(deps, ask, await deps.alarms.get());
      const name = word.toLowerCase();
      const own = verbs.get(name);
      if (own) return set(deps, own, ask, audit, words);
      const verb = WITH_WORDS.get(name) ?? ALONE.get(name);
      // In which channel it is to be is said after it.
      const isPlaced = name === 'here' && words[0]?.toLowerCase() === 'in' && words.length === 2;
      if (ALONE.has(name) && words.length > 0 && !isPlaced)
        throw new Refusal('bad-alerts', say`${name} takes no more words, so nothing was changed.`);
      if (!verb && /^(?:in|to)$/i.test(word) && words.length === 1 && isChannelId(words[0]))
        throw sendThere(words[0]);
      if (!verb)
        throw new Refusal(
          'bad-alerts',
          say`I don't know "${word}" here. You can use ${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}, as in ${example}.`,
          mendWord(word, names),
        );
      if (ANSWERS.has(name)) audit({ of: findOpen(await deps.alarms.get(), 'low')?.id });
      return verb(deps, ask, audit, words);
    },
  };
}

/** What answers an alert, and does nothing without one. */
const ANSWERS: ReadonlySet<string> = new Set(['ack', 'snooze', 'unsnooze']);

/** A channel was named and nothing said of what it is for: asked about, since everybody in it would see the figures. */
function sendThere(channelId: string): Refusal {
  return new Refusal(
    'bad-alerts',
    say`Should alerts go to ${channel(channelId)}? Everyone in it would see the figures. Nothing was changed.`,
    oneOf(['here', 'in', channelId]),
  );
}

const LABELS: ReadonlyMap<string, string> = new Map([
  ['here', 'Send alerts here'],
  ['on', 'Turn alerts on'],
  ['off', 'Turn alerts off'],
  ['test', 'Send a test alert'],
  ['ack', "I'm on it"],
  ['unsnooze', 'End the snooze'],
]);

async function labelOf(
  { watched, examiner }: Billing,
  name: string,
  words: readonly string[],
): Promise<string | undefined> {
  if (name === 'snooze') {
    if (words.length === 0) return undefined;
    return `Snooze ${endLabel(words.length === 1 ? ['for', ...words] : words)}`;
  }
  const [before, channelId] = words;
  if (name === 'here' && before === 'in' && isChannelId(channelId)) {
    const facts = await examiner.channel(channelId).catch(() => undefined);
    return `Send alerts to ${facts?.name === undefined ? 'that channel' : `#${facts.name}`}`;
  }
  return words.length === 0 ? LABELS.get(name) : watched.command.setLabel?.(name, words);
}

/** The same with what can be set of it in one press. */
async function withPresses(deps: Billing, ask: Ask, alarm: Alarm, said?: string): Promise<Reply> {
  const { config, admins, offers } = deps;
  const { actor, place } = ask;
  const to = destinationOf(alarm.settings, config, admins());
  const isHere = to !== undefined && 'channelId' in to && to.channelId === place.channelId;
  const mayChoose =
    (await deps.places.isAllowed(place.channelId)) ||
    (config.channels.length === 0 && (await deps.access.check(actor, 'billing:place', 'all')).allowed);
  const mayGoHere = mayChoose && !isHere && !isDirect(place.channelId);
  const words = [
    ...(alarm.settings.isOff ? [['on']] : []),
    ...(mayGoHere ? [['here']] : []),
    ...(findOpen(alarm, 'low')?.snooze ? [['unsnooze']] : []),
    ...(to && !alarm.settings.isOff ? [['test']] : []),
  ];
  const route = {
    id: ALERT_ROUTES.alerts,
    verb: 'alerts',
    label: ([word = '']: readonly string[]) => LABELS.get(word),
  };
  return withInstead(offers, route, show(deps, alarm, said), words);
}

function show({ watched, config, admins, timings }: Billing, alarm: Alarm, said?: string): Message {
  return alertsMessage(alarm, watched.command, {
    to: destinationOf(alarm.settings, config, admins()),
    isGiven: config.channels.length === 1,
    everyMs: timings.billingCheckEveryMs,
    said,
  });
}

/** Changes the settings, says so where alerts go, has the account looked at by them, and shows them as `ask` sees them. */
async function configure(
  deps: Billing,
  asked: Ask,
  audit: AuditAttempt,
  step: (alarm: Alarm, now: number) => Alarm,
  said: {
    readonly toAsker: string | ((after: Alarm) => string);
    readonly toAll: (after: Alarm) => Phrase | undefined;
  },
  { ask = asked, choice }: { readonly ask?: Ask; readonly choice?: Choice | undefined } = {},
): Promise<Reply> {
  const { config, admins, alarms, queue, clock } = deps;
  const change: SettingChange<Alarm> = {
    step: (alarm) => step(alarm, clock.now()),
    fact: (after) => {
      const fact = said.toAll(after);
      return fact && say`${person(ask.actor.userId)} ${fact}`;
    },
    // Figures are seen where alerts go alone.
    where: ({ settings }) => {
      const to = destinationOf(settings, config, admins());
      return to && 'channelId' in to ? to.channelId : undefined;
    },
    beside: choice && (() => choice.using()),
    wake: () => Promise.all([queue.wake(TELL_JOB, ALARM.id), queue.wake(CHECK_JOB, 'asked')]),
  };
  const { after } = await changeSetting(deps, alarms, change, asked, audit);
  const { toAsker } = said;
  return withPresses(deps, ask, after, typeof toAsker === 'string' ? toAsker : toAsker(after));
}

/** What is set of what is watched. */
function set(
  deps: Billing,
  verb: SetVerb,
  ask: Ask,
  audit: AuditAttempt,
  words: readonly string[],
): Promise<Reply> {
  const { change: changed, said } = verb(words, { isAdmin: deps.admins().includes(ask.actor.userId) });
  return configure(deps, ask, audit, (alarm) => ({ ...alarm, settings: changed(alarm.settings) }), {
    toAsker: said,
    toAll: ({ settings }) => say`changed the alerts. ${deps.watched.command.setWords(settings)}`,
  });
}

/**
 * Alerts go to this channel, where everybody sees the figures from then on: for a channel that was named, or an admin. An
 * alert that is open moves there.
 */
async function placeHere(deps: Billing, asked: Ask, audit: AuditAttempt): Promise<Reply> {
  const ask = forChannel(asked, 'get the alerts');
  const { channelId } = ask.place;
  const where = channelId === asked.place.channelId ? 'this' : 'that';
  await deps.access.require(ask.actor, 'billing:alerts', 'any', { channelId });
  const choice = await deps.places.allow(ask);
  const { settings } = await deps.alarms.get();
  const to = destinationOf(settings, deps.config, deps.admins());
  const isThere = to !== undefined && 'channelId' in to && to.channelId === channelId;
  return configure(
    deps,
    asked,
    audit,
    (alarm, now) => {
      const allowed = choice ? withPlace(alarm.settings, channelId) : alarm.settings;
      const placed = { ...alarm, settings: { ...allowed, channelId } };
      return alarm.settings.isOff ? placed : movedTo(placed, { channelId }, now);
    },
    {
      toAsker: (after) => {
        const moved = findOpen(after, 'low') ? ' The open alert continues here.' : '';
        if (isThere) return `Alerts go to ${where} channel already.`;
        return `Alerts go to ${where} channel now, so everyone in it will see the figures.${moved}`;
      },
      // An open alert says itself that it moved, and who is told of it already needs no word.
      toAll: (after) =>
        isThere || findOpen(after, 'low') ? undefined : say`chose this channel for the alerts.`,
    },
    { ask, choice },
  );
}

function switchTo(deps: Billing, ask: Ask, audit: AuditAttempt, isOff: boolean): Promise<Reply> {
  const off = `Alerts are off. Nobody will be warned of ${deps.watched.command.missed}.`;
  return configure(deps, ask, audit, (alarm) => ({ ...alarm, settings: { ...alarm.settings, isOff } }), {
    toAsker: isOff ? off : 'Alerts are on.',
    toAll: () =>
      isOff
        ? say`turned the alerts off. Nobody will be warned of ${deps.watched.command.missed}.`
        : say`turned the alerts on.`,
  });
}

/** One message where alerts go, to see that it gets there. */
async function sendTest(deps: Billing, ask: Ask): Promise<Reply> {
  const { userId } = ask.actor;
  const alarm = await deps.alarms.get();
  const to = destinationOf(alarm.settings, deps.config, deps.admins());
  if (!to)
    throw new Refusal(
      'nowhere',
      say`Alerts don't go anywhere yet. To choose a channel, type "/billing alerts here" in it.`,
    );
  // The id follows from the request, so that a request carried out twice sends one test.
  await deps.outbox.post({
    id: idOf(`test ${ask.id}`),
    to,
    content: testMessage(userId, deps.watched.command.kind),
  });
  const test = { lines: [say`This is a test of ${deps.watched.command.kind} alerts. Nothing is wrong.`] };
  for (const post of outside(deps.outside, `test ${ask.id}`, test, { kind: 'test' }))
    await deps.outbox.post(post);
  return { lines: [say`I've sent a test alert to where alerts go.`] };
}
