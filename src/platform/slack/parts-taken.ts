import type { Form } from './forms.ts';
import type { Message } from './message.ts';

/** What a message may have besides words, which a workspace or its clients may refuse. */
type Part = 'chart' | 'sorted-table' | 'folded' | 'table' | 'field' | 'pressable';

/** What Slack took from this process last, in one workspace. */
export interface PartsTaken {
  /** Slack took a message in this form, and in no fuller one. */
  add(message: Message, form: Form): void;
  /** Whether all that a message is made of was taken when it was last tried. */
  has(message: Message): boolean;
}

export function createPartsTaken(): PartsTaken {
  const taken = new Set<Part>();
  return {
    add: (message, form) => {
      for (const part of partsOf(message)) {
        if (IN_FORM[form].includes(part)) taken.add(part);
        else taken.delete(part);
      }
    },
    has: (message) => partsOf(message).every((part) => taken.has(part)),
  };
}

/** What a message still has in each form. */
const IN_FORM: Readonly<Record<Form, readonly Part[]>> = {
  whole: ['chart', 'sorted-table', 'folded', 'table', 'field', 'pressable'],
  'plain-figures': ['table', 'field', 'pressable'],
  'no-figures': ['field', 'pressable'],
  text: [],
};

/** What a message has besides words. */
export function partsOf(message: Message): Part[] {
  const {
    chart,
    table,
    folded,
    rows = [],
    filters = [],
    buttons = [],
    menu = [],
    picker,
    blanks,
    several,
  } = message;
  const isPressable =
    picker !== undefined ||
    several !== undefined ||
    rows.length + filters.length + buttons.length + menu.length > 0;
  return [
    ...(chart ? (['chart'] as const) : []),
    ...(table ? (['table'] as const) : []),
    ...(table?.caption === undefined ? [] : (['sorted-table'] as const)),
    ...(folded ? (['folded'] as const) : []),
    ...(blanks ? (['field'] as const) : []),
    ...(isPressable ? (['pressable'] as const) : []),
  ];
}
