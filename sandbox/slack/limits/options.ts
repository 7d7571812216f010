import { z } from 'zod';
import { anyText, httpUrl, plain, text } from './texts.ts';

const VALUE = text(150);

/** One option of a select. */
export const option = z.strictObject({ text: plain(75), value: VALUE, description: plain(75).optional() });

/** One option of checkboxes or radio buttons: its text may be mrkdwn. */
export const choice = z.strictObject({
  text: anyText(75),
  value: VALUE,
  description: anyText(75).optional(),
});

/** One line of an overflow menu. */
export const overflowOption = z.strictObject({ ...option.shape, url: httpUrl.optional() });

export const options = z.array(option).min(1).max(100);
export const optionGroups = z
  .array(z.strictObject({ label: plain(75), options }))
  .min(1)
  .max(100);

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
