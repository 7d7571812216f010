import { z } from 'zod';
import { SlackNo } from '../api/refusal.ts';
import type { Json } from '../json.ts';

const LARGEST = 8000; // Slack refuses by size and does not say which; this is the double's own guess.

const schema = z.strictObject({
  event_type: z.string().min(1).max(255),
  event_payload: z.record(z.string(), z.unknown()),
});

/** A message's metadata; an empty object is none. Throws SlackNo when it is not of Slack's shape. */
export function checkMetadata(given: unknown): Json | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given === 'object' && Object.keys(given).length === 0) return undefined;
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new SlackNo('invalid_metadata_schema');
  if (JSON.stringify(parsed.data).length > LARGEST) throw new SlackNo('metadata_too_large');
  return parsed.data;
}
