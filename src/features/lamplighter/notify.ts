import { oneOf } from '../../core/ask/mend-words.ts';
import type { Offers } from '../../core/offers/offers.ts';
import {
  NOTIFY_CHOICES,
  type NotifyChoice,
  type NotifyChoices,
} from '../../core/operations/notify-choices.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Route } from '../../core/intake/route.ts';
import { typedButton } from '../../core/intake/typed-button.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';

export interface NotifyDeps {
  readonly notifyChoices: NotifyChoices;
  readonly offers: Offers;
}

const NOTIFY_ROUTE = 'lamplighter.notify';

const LABELS: Readonly<Record<NotifyChoice, string>> = {
  always: 'Always',
  never: 'Never',
  'when-needed': 'When needed',
};

const MENTION: Readonly<Record<NotifyChoice, string>> = {
  always: 'Always mention me',
  never: 'Never mention me',
  'when-needed': 'Mention me when needed',
};

/** `/lamplighter notify always`: when a person is mentioned at the end of what they asked for. */
export function notifyRoute({ notifyChoices, offers }: NotifyDeps): Route {
  return {
    id: NOTIFY_ROUTE,
    verb: 'notify',
    permission: 'instances:read',
    writes: (words) => words.length > 0,
    mayNameAccount: () => true,
    usage: '[always | never | when-needed]',
    label: (words) => {
      const choice = NOTIFY_CHOICES.find((one) => one === words.join('-').toLowerCase());
      return choice && MENTION[choice];
    },
    summary: 'when I mention you at the end of what you asked for',
    handle: async ({ actor: { userId }, words }) => {
      if (words.length === 0) {
        const chosen = await notifyChoices.find(userId);
        const others = NOTIFY_CHOICES.filter((choice) => choice !== chosen);
        const buttons = await Promise.all(
          others.map((choice) =>
            typedButton(offers, LABELS[choice], { route: NOTIFY_ROUTE, words: [choice] }),
          ),
        );
        return { lines: [wordsOf(chosen)], buttons: buttons.filter((button) => button !== undefined) };
      }
      const typed = words.join('-').toLowerCase();
      const choice = NOTIFY_CHOICES.find((one) => one === typed);
      if (!choice)
        throw new Refusal(
          'bad-argument',
          say`I can't read "${words.join(' ')}", so nothing was changed. When should I mention you?`,
          oneOf(...NOTIFY_CHOICES.map((one) => [one])),
        );
      await notifyChoices.set(userId, choice);
      return { lines: [wordsOf(choice)] };
    },
  };
}

function wordsOf(choice: NotifyChoice): Phrase {
  switch (choice) {
    case 'always':
      return say`I mention you at the end of everything that you ask for.`;
    case 'never':
      return say`I never mention you at the end of what you ask for. Its card says how it ended.`;
    case 'when-needed':
      return say`I mention you at the end of what you asked for where you may have stopped looking: when it takes longer than a minute, doesn't work out, or was begun elsewhere.`;
  }
}
