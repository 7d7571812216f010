import { z } from 'zod';
import { plain, text } from './texts.ts';

/** One option of a select. */
const option = z.strictObject({ text: plain(75), value: text(150) });

/** One line of an overflow menu. */
export const menuLine = option.extend({ url: text(3000).optional() });

const loaded = z.array(option).max(100);

/** What a bot may answer to `block_suggestion`: options or groups, not both. */
export const optionsAnswer = z
  .strictObject({
    options: loaded.optional(),
    option_groups: z
      .array(z.strictObject({ label: plain(75), options: loaded }))
      .max(100)
      .optional(),
  })
  .refine((answer) => (answer.options === undefined) !== (answer.option_groups === undefined), {
    message: 'must provide either options or option_groups',
  });
