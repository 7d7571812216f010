import type { TourStep } from '../wire.ts';

interface Step {
  readonly title: string;
  /** What happens, and where to look. */
  readonly look: string;
  /** Who sees more of it, by handle. */
  readonly as?: string;
}

/** What each step of the tour is called, and what people see in it. */
export const STEPS: Readonly<Record<TourStep, Step>> = {
  restart: {
    title: 'A restart',
    look: 'Ana types a restart. The bot answers with one message, which changes until it says how the restart ended.',
  },
  twice: {
    title: 'The same restart by two people',
    look: 'Bob asks for the restart that Ana has begun. It is sent once and shown in one message. Only Bob reads that Ana was first.',
    as: 'bob',
  },
  lost: {
    title: 'The answer gets lost',
    look: 'The hosting service restarts the machine, but its answer is lost. The bot looks again and says what it found. It sends nothing twice: see "Calls for a change".',
  },
  force: {
    title: 'A machine that ignores its shutdown',
    look: 'The machine is asked to stop and doesn\'t. After 20 seconds the message offers "Force stop…", which asks you before it cuts the power.',
  },
  delete: {
    title: 'A deletion, canceled',
    look: 'Ana types the name to delete a machine. Bob presses Cancel while there is time, so the hosting service is never asked.',
  },
  low: {
    title: 'The balance runs low',
    look: 'The money now lasts a day and a half. The bot warns the channel: press "I\'m on it" to stop the reminders, or "Buy time" to see what to stop.',
  },
  down: {
    title: 'The hosting API is down',
    look: 'Ana lists the machines while the hosting API is down. The bot says so, and shows the last list it knows with its age. Try more, then press "Have it answer again".',
  },
  kill: {
    title: 'Kill the bot in the middle of a restart',
    look: 'The bot is killed after it sent the restart, and another one starts. It reads what was written down and ends the same message: one call, nothing twice.',
  },
};
