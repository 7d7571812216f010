import { z } from 'zod';
import { SlackNo } from '../api/refusal.ts';
import { type Json, record, records } from '../json.ts';
import { rulesAcross } from './across.ts';
import { viewBlocks } from './blocks.ts';
import { type BrokenRule, brokenRules, pointed } from './faults.ts';
import { plain } from './texts.ts';

const LARGEST_BYTES = 250_000;

const modal = z.strictObject({
  type: z.literal('modal'),
  private_metadata: z.string().max(3000).optional(),
  callback_id: z.string().max(255).optional(),
  title: plain(24),
  submit: plain(24).optional(),
  close: plain(24).optional(),
  blocks: viewBlocks,
});

const home = z.strictObject({
  type: z.literal('home'),
  private_metadata: z.string().max(3000).optional(),
  callback_id: z.string().max(255).optional(),
  blocks: viewBlocks,
});

/** A view for this surface, checked; throws SlackNo `invalid_arguments` with each broken rule. */
export function checkView(given: unknown, surface: 'modal' | 'home' = 'modal'): Json {
  const view = record(given);
  if (Buffer.byteLength(JSON.stringify(given ?? null)) > LARGEST_BYTES) throw new SlackNo('view_too_large');
  const own = brokenRules(surface === 'modal' ? modal : home, given ?? undefined);
  const broken = own.length > 0 ? own : across(view);
  if (broken.length > 0) {
    const messages = broken.map((rule) => `[ERROR] ${pointed(rule, 'view')}`);
    throw new SlackNo('invalid_arguments', { response_metadata: { messages } });
  }
  return view;
}

function across(view: Json): BrokenRule[] {
  const blocks = records(view['blocks']);
  const rules = rulesAcross(blocks).map(({ message, path }) => ({ message, path: ['blocks', ...path] }));
  const needsSubmit = view['type'] === 'modal' && blocks.some((block) => block['type'] === 'input');
  if (needsSubmit && view['submit'] === undefined) {
    rules.push({ message: 'missing required field: submit (a view with input blocks needs it)', path: [] });
  }
  return rules;
}
