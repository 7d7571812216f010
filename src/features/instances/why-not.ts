import { nameOf, pausedWords, statusOf } from '../../core/instances/messages.ts';
import type { Instance, Power } from '../../platform/hosting/service.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { canceledWords } from './cancel-messages.ts';
import type { refuseCancel } from './cancel-rules.ts';
import type { refuseDelete } from './delete-rules.ts';
import type { refusePower } from './power-rules.ts';

/** What is asked of an instance; `cancel`: at the end of its term. */
type Act = Power | 'delete' | 'cancel';

/** The code of why that can't be done now. */
type WhyNot = NonNullable<ReturnType<typeof refusePower | typeof refuseDelete | typeof refuseCancel>>;

interface Words {
  /** What follows its name. */
  readonly is: Phrase;
  /** The same after "Could not …:", where that isn't "it" and `is`. */
  readonly itself?: Phrase;
  /** What to do about it. */
  readonly so?: Phrase;
  /** It can only be helped, or understood, where the instance is hosted. */
  readonly leadsElsewhere?: true;
}

const LOOK_THERE = { so: say`Look at it at the hosting service.`, leadsElsewhere: true } as const;

const WHY_NOT: Readonly<Record<WhyNot, (instance: Instance, act: Act) => Words>> = {
  already: (one, act) => ({ is: act === 'cancel' ? canceledWords(one) : say`is ${statusOf(one)} already` }),
  'on-the-way': (one) => ({
    is: say`is ${statusOf(one)} right now`,
    so: say`Wait until that has ended, then try again.`,
  }),
  paused: (one) => {
    const { is, next } = pausedWords(one);
    return { is: say`is ${is}`, so: say`${next}, then try again.`, leadsElsewhere: true };
  },
  'needs-owner': () => ({
    is: say`waits for its configuration`,
    so: say`Finish that at the hosting service first.`,
    leadsElsewhere: true,
  }),
  deleting: (_, act) => ({
    is: act === 'delete' || act === 'cancel' ? say`is being deleted already` : say`is being deleted`,
  }),
  broken: (one) => ({
    is: say`reports ${statusOf(one)}, and the service does not allow it now`,
    ...LOOK_THERE,
  }),
  locked: () => ({
    is: say`is locked by the hosting service`,
    itself: say`the hosting service has it locked`,
    so: say`Something else may be under way on it; try again in a few minutes.`,
    leadsElsewhere: true,
  }),
  'unknown-status': (one) => ({
    is: say`is ${statusOf(one)}, and I don't know what can be done with it then`,
    itself: say`its status is ${statusOf(one)}, and I don't know what can be done with it then`,
    ...LOOK_THERE,
  }),
  'not-possible': (one, act) =>
    act === 'restart' && one.status === 'stopped'
      ? { is: say`is stopped; start it instead`, itself: say`it is stopped`, so: say`Start it instead.` }
      : { is: say`is ${statusOf(one)}, and the service does not allow that now` },
  protected: (_, act) => ({
    is: say`is protected`,
    so: say`The person who runs the bot decides which are; to ${act} it, use the site of the hosting service.`,
  }),
  'protected-there': (_, act) => ({
    is: say`is protected by the hosting service`,
    itself: say`the hosting service protects it against ${act === 'delete' ? 'deletion' : 'that'}`,
    so: say`Lift that protection there first.`,
  }),
};

/** Why it was not begun, and what to do instead. Pure. */
export function refusedWords(act: Act, instance: Instance, why: WhyNot): Phrase {
  const name = nameOf(instance);
  const { is, itself = say`it ${is}`, so } = WHY_NOT[why](instance, act);
  if (why === 'already')
    return act === 'cancel' ? say`Nothing was done: ${name} ${is}.` : say`${name} ${is}. Nothing was done.`;
  return say`Could not ${act} ${name}: ${itself}.${so ? say` ${so}` : say``}`;
}

/** Why an instance is left out where several are asked for, as what follows its name. Pure. */
export function skippedFor(power: Power, instance: Instance, why: WhyNot): Phrase {
  return WHY_NOT[why](instance, power).is;
}

/** Whether that can only be helped, or understood, where the instance is hosted. Pure. */
export function leadsElsewhere(power: Power, instance: Instance, why: WhyNot): boolean {
  return WHY_NOT[why](instance, power).leadsElsewhere === true;
}
