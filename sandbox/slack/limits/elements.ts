import { z } from 'zod';
import { button, feedbackButtons, iconButton, overflow, workflowButton } from './buttons.ts';
import { emailInput, fileInput, numberInput, plainTextInput, richTextInput, urlInput } from './inputs.ts';
import { checkboxes, datepicker, datetimepicker, radioButtons, timepicker } from './pickers.ts';
import * as selects from './selects.ts';
import { httpUrl, text } from './texts.ts';

const everySelect = [
  selects.staticSelect,
  selects.multiStaticSelect,
  selects.externalSelect,
  selects.multiExternalSelect,
  selects.usersSelect,
  selects.multiUsersSelect,
  selects.conversationsSelect,
  selects.multiConversationsSelect,
  selects.channelsSelect,
  selects.multiChannelsSelect,
] as const;

const slackFile = z
  .strictObject({
    id: z
      .string()
      .regex(/^F[A-Z0-9]{8,}$/)
      .optional(),
    url: text(3000).optional(),
  })
  .refine((file) => (file.id === undefined) !== (file.url === undefined), { message: 'invalid slack file' });

export const imageFields = {
  alt_text: text(2000),
  image_url: httpUrl.optional(),
  slack_file: slackFile.optional(),
};

/** An image has its bytes from one place. */
export const oneSource = (image: { image_url?: unknown; slack_file?: unknown }): boolean =>
  (image.image_url === undefined) !== (image.slack_file === undefined);
export const oneSourceMessage = { message: 'must provide either image_url or slack_file' };

export const imageElement = z
  .strictObject({ type: z.literal('image'), ...imageFields })
  .refine(oneSource, oneSourceMessage);

/** What may stand in an actions block. */
export const actionElement = z.discriminatedUnion('type', [
  button,
  overflow,
  workflowButton,
  checkboxes,
  radioButtons,
  datepicker,
  timepicker,
  datetimepicker,
  richTextInput,
  ...everySelect,
]);

/** What may stand beside a section's text. */
export const accessory = z.discriminatedUnion('type', [
  button,
  overflow,
  workflowButton,
  imageElement,
  checkboxes,
  radioButtons,
  datepicker,
  timepicker,
  ...everySelect,
]);

/** What may stand in an input block. */
export const inputElement = z.discriminatedUnion('type', [
  plainTextInput,
  numberInput,
  emailInput,
  urlInput,
  fileInput,
  richTextInput,
  checkboxes,
  radioButtons,
  datepicker,
  timepicker,
  datetimepicker,
  ...everySelect,
]);

export const contextAction = z.discriminatedUnion('type', [feedbackButtons, iconButton]);
