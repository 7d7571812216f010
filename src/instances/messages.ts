import type { Instance, Power } from '../hosting/service.ts';
import { duration, icon, reason, reference, subject } from '../operations/messages.ts';
import type { Operation, Outcome, Seen } from '../operations/operation.ts';
import type { Button, Message } from '../slack/message.ts';
import { ago, person, type Phrase, plain, say, strong, time } from '../slack/phrase.ts';
import type { PowerRefusal } from './power-rules.ts';

const WORDS: Readonly<Record<Power, { doing: string; done: string; label: string }>> = {
  start: { doing: 'Starting', done: 'Started', label: 'Start' },
  stop: { doing: 'Stopping', done: 'Stopped', label: 'Stop' },
  restart: { doing: 'Restarting', done: 'Restarted', label: 'Restart' },
};

const STATUS_ICONS: Readonly<Record<Instance['status'], string>> = {
  running: '🟢',
  stopped: '⚫',
  starting: '🔵',
  stopping: '🔵',
  restarting: '🔵',
  provisioning: '🔵',
  deploying: '🔵',
  pending_configuration: '🟡',
  paused: '🟠',
  deleting: '⚫',
  deleted: '⚫',
  error: '🔴',
  deploy_failed: '🔴',
  unknown: '❔',
};

/** "restarting", for sentences of others. */
export function doing(power: Power): string {
  return WORDS[power].doing.toLowerCase();
}

/** Name and id of an instance. */
export function nameOf(instance: Pick<Instance, 'id' | 'name'>): Phrase {
  return say`${strong(instance.name)} (${instance.id})`;
}

/** A status in words: ours where we know it, else the service's own, as it came. */
function statusWords(seen: Pick<Seen, 'status' | 'word'>): string {
  if (seen.status === 'unknown') return `"${plain(seen.word, 60)}"`;
  return seen.status === 'gone' ? 'gone' : seen.status.replaceAll('_', ' ');
}

/** The card of a power action in each of its states. */
export function powerCard(power: Power, operation: Operation, againOffer: Button | undefined): Message {
  const { outcome } = operation;
  const asked = say`asked by ${person(operation.actor.userId)} ${ago(operation.requestedAt)}`;
  if (outcome) {
    return {
      lines: [say`${icon(outcome)} ${powerEnding(power, operation, outcome)}`, asked, ...reason(operation)],
      note: reference(operation),
      ...(againOffer ? { buttons: [againOffer] } : {}),
    };
  }
  const usually =
    operation.usuallyMs === undefined ? say`` : say` · usually ${duration(operation.usuallyMs)}`;
  return {
    lines: [
      say`⏳ ${WORDS[power].doing} ${subject(operation)}, ${asked}${usually}`,
      ...progress(operation),
      ...reason(operation),
    ],
    note: reference(operation),
  };
}

/** What is known on the way, where there is anything to add. */
function progress(operation: Operation): Phrase[] {
  const { effect } = operation;
  const lines: Phrase[] = [];
  if (effect.state === 'unsure') {
    const what = effect.answered ? 'The service failed just then' : "The service's answer got lost";
    lines.push(say`${what}. Looking at what happened before anything else is done.`);
  } else if (effect.seen && effect.seen.status !== operation.subject.status) {
    lines.push(say`It reports ${statusWords(effect.seen)}.`);
  }
  if (effect.slow) lines.push(say`This takes longer than usual. I keep watching.`);
  if (effect.blindLooks >= 3) lines.push(say`The hosting service does not answer just now. I keep trying.`);
  return lines;
}

/** How a power action ended, as one sentence that stands by itself. */
export function powerEnding(power: Power, operation: Operation, outcome: Outcome): Phrase {
  const it = subject(operation);
  const { done } = WORDS[power];
  const { seen } = operation.effect;
  const now =
    seen &&
    `${statusWords(seen)}${seen.status === 'running' && seen.health === 'unhealthy' ? ', but unhealthy' : ''}`;
  const state = now === undefined ? say`` : say` It is ${now} now.`;
  const took = duration(outcome.at - operation.requestedAt);
  const said = outcome.said === undefined ? say`` : say` The service said: "${plain(outcome.said, 200)}".`;
  const could = say`Could not ${power} ${it}`;
  switch (outcome.code) {
    case 'done':
      return power === 'restart'
        ? say`${done} ${it}: it is running again, after ${took}.`
        : say`${done} ${it} in ${took}.`;
    case 'accepted':
      // Not "restarted": where the status never left running, nothing shows that it did (api/README.md section 2).
      return say`${it}: the service accepted the restart and reports running. It shows no more than that.`;
    case 'seen':
      return say`${done} ${it}: the service's answer got lost, but I looked, and it is ${now ?? 'as asked'}.`;
    case 'already':
      return say`${it} is ${now ?? 'as asked'} already. Nothing was changed.`;
    case 'lost':
      return say`I don't know whether ${it} ${done.toLowerCase()}: the service's answer got lost.${state} I did not ask again; look at it, and ${power} it anew if it needs that.`;
    case 'blind':
      return say`I don't know how the ${power} of ${it} ended: the hosting service has not answered since. Look at it with show before you ask again.`;
    case 'still':
      return say`${it} is still ${now ?? 'not ready'} after ${took}. I stopped watching; look at it with show, or ask your hosting service.`;
    case 'gone':
      return say`${could}: there is no such instance any more.`;
    case 'paused':
      return say`${could}: it is paused because the credit ran out. Top up, then try again.`;
    case 'broken':
      return say`${could}: it reports ${now ?? 'an error'}. Look at its log, then try again.`;
    case 'wrong-state':
    case 'bad-input':
      return say`${could}: the service refused, and it reports ${now ?? 'nothing more'}.${said}`;
    case 'no-credit':
      return say`${could}: there is not enough credit. Top up, then try again.${said}`;
    case 'unauthorized':
    case 'forbidden':
      return say`${could}: the hosting service refused the bot's API key. Whoever runs the bot must check HOSTING_API_TOKEN.`;
    case 'not-found':
      return say`${could}: the service knows no such instance any more.`;
    case 'rate-limited':
      return say`${could}: the hosting service takes no more requests just now. Nothing was done; try again in a minute.`;
    case 'unreachable':
      return say`${could}: the hosting service could not be reached. Nothing was done; try again in a minute.`;
    case 'no-right':
      return say`Did not ${power} ${it}: who asked may not do that any more. Nothing was done.`;
    case 'not-checked':
      return say`Did not ${power} ${it}: Slack could not tell me whether who asked may do that. Nothing was done; try again in a minute.`;
    case 'too-late':
      return say`Did not ${power} ${it}: it took too long to get to it, and you may have moved on. Nothing was done; ask again if you still want it.`;
    default:
      return say`${could}: the hosting service failed.${said}${state} Look at it, then try again.`;
  }
}

/** Why a power action was not begun, and what to do instead. */
export function powerRefused(power: Power, instance: Instance, refusal: PowerRefusal): Phrase {
  const could = say`Could not ${power} ${nameOf(instance)}`;
  const status = statusWords({ status: instance.status, word: instance.statusWord });
  switch (refusal) {
    case 'already':
      return say`${nameOf(instance)} is ${status} already. Nothing was done.`;
    case 'on-the-way':
      return say`${could}: it is ${status} just now. Wait until that has ended, then try again.`;
    case 'paused':
      return say`${could}: it is paused because the credit ran out. Top up, then try again.`;
    case 'needs-owner':
      return say`${could}: it waits for its configuration. Finish that at the hosting service first.`;
    case 'deleting':
      return say`${could}: it is being deleted.`;
    case 'broken':
      return say`${could}: it reports ${status}, and the service does not allow it now. Look at it at the hosting service.`;
    case 'unknown-status':
      return say`${could}: it reports ${status}, which I don't know, and the service does not say that it can.`;
    case 'not-possible':
      return power === 'restart' && instance.status === 'stopped'
        ? say`${could}: it is stopped. Start it instead.`
        : say`${could}: it is ${status}, and the service does not allow that now.`;
  }
}

/** What --dry-run answers. */
export function wouldPower(power: Power, instance: Instance): Phrase {
  const status = statusWords({ status: instance.status, word: instance.statusWord });
  return say`Would ${power} ${nameOf(instance)}, which is ${status}. This was a dry run: nothing was done.`;
}

/** One instance in a list. */
function instanceLine(instance: Instance): Phrase {
  const status = statusWords({ status: instance.status, word: instance.statusWord });
  const more = [instance.health === 'unhealthy' ? 'unhealthy' : undefined, instance.tier]
    .filter((part): part is string => part !== undefined)
    .map((part) => plain(part, 40));
  return say`${STATUS_ICONS[instance.status]} ${nameOf(instance)} · ${[status, ...more].join(' · ')}`;
}

/** All instances, those that need somebody first. */
export function instanceList(instances: readonly Instance[], total: number, cut: boolean): Message {
  if (total === 0) return { lines: [say`There are no instances.`] };
  if (instances.length === 0) return { lines: [say`None of the ${total} instances matches.`] };
  const running = instances.filter((instance) => instance.status === 'running').length;
  const matching = instances.length === total ? say`` : say` of ${total}`;
  const noun = total === 1 ? 'instance' : 'instances';
  const note = cut ? { note: say`The service has more; the list was cut.` } : {};
  return {
    lines: [say`${instances.length}${matching} ${noun}, ${running} running:`],
    bullets: instances.map(instanceLine),
    ...note,
  };
}

/** One instance with what can be done to it. */
export function instanceCard(instance: Instance, buttons: readonly Button[]): Message {
  const status = statusWords({ status: instance.status, word: instance.statusWord });
  const health =
    instance.health === undefined || instance.health === 'unknown' ? say`` : say` · ${instance.health}`;
  const facts: Phrase[] = [];
  const fact = (label: string, value: string | undefined): void => {
    if (value !== undefined && value !== '')
      facts.push([{ type: 'text', text: `${label}: ` }, ...say`${value}`]);
  };
  fact('Tier', instance.tier);
  fact('Billing', instance.billingMode);
  fact(
    'Cost',
    instance.dailyCostCredits === undefined ? undefined : `${instance.dailyCostCredits} credits a day`,
  );
  fact('Address', instance.address);
  fact('IP', instance.ipAddress);
  const createdAt = Date.parse(instance.createdAt ?? '');
  if (Number.isFinite(createdAt)) facts.push(say`Created: ${time(createdAt)}`);
  return {
    lines: [say`${STATUS_ICONS[instance.status]} ${nameOf(instance)} · ${status}${health}`, ...facts],
    ...(buttons.length > 0 ? { buttons } : {}),
  };
}

/** The button of a power action. `value` is an offer's id. */
export function powerButton(power: Power, value: string): Button {
  const label = WORDS[power].label;
  return { label, routeId: `instances.${power}`, value, ...(power === 'start' ? { style: 'primary' } : {}) };
}

/** Asks which instance is meant. */
export function whichInstance(verb: string, routeId: string, why: Phrase): Message {
  return { lines: [why], picker: { routeId, placeholder: `Pick an instance to ${verb}` } };
}

/** How an instance is called in a picker: enough to tell two of one name apart. */
export function choiceLabel(instance: Instance): string {
  const tier = instance.tier === undefined ? '' : ` · ${plain(instance.tier, 20)}`;
  const status = statusWords({ status: instance.status, word: instance.statusWord });
  return `${plain(instance.name, 30)} (${instance.id}) · ${plain(status, 20)}${tier}`;
}
