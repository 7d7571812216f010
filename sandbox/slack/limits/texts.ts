import { z } from 'zod';

/** Text of a length between the two. */
export const text = (most: number, least = 1): z.ZodString => z.string().min(least).max(most);

/** An id that the app gives: up to 255 characters. */
export const id = text(255).optional();

type Strict<T extends z.core.$ZodShape> = z.ZodObject<T, z.core.$strict>;
type Flag = z.ZodOptional<z.ZodBoolean>;
type Plain = Strict<{ type: z.ZodLiteral<'plain_text'>; text: z.ZodString; emoji: Flag }>;
type Mrkdwn = Strict<{ type: z.ZodLiteral<'mrkdwn'>; text: z.ZodString; verbatim: Flag }>;

/** A `plain_text` object. */
export const plain = (most: number): Plain =>
  z.strictObject({ type: z.literal('plain_text'), text: text(most), emoji: z.boolean().optional() });

/** A `mrkdwn` object. */
const mrkdwn = (most: number): Mrkdwn =>
  z.strictObject({ type: z.literal('mrkdwn'), text: text(most), verbatim: z.boolean().optional() });

/** Either of the two. */
export const anyText = (most: number): z.ZodDiscriminatedUnion<[Plain, Mrkdwn], 'type'> =>
  z.discriminatedUnion('type', [plain(most), mrkdwn(most)]);
