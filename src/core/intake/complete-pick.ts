import type { Message } from '../../platform/slack/message.ts';
import type { Ask } from '../ask/ask.ts';
import type { PendingCommands } from './pending-commands.ts';

/** A pick, with the words that it completes. */
export async function completePick(pendingCommands: PendingCommands, ask: Ask): Promise<Ask> {
  if (ask.picked === undefined) return ask;
  const { value, ...pick } = ask;
  const words = value === undefined ? undefined : await pendingCommands.find(value);
  const at = value === undefined ? {} : { pickedIn: value };
  return { ...pick, ...at, words: [...(words ?? [])] };
}

/** An answer whose picker keeps the words that were typed. */
export async function keepTyped(
  pendingCommands: PendingCommands,
  ask: Ask,
  answer: Message,
): Promise<Message> {
  const { picker } = answer;
  if (!picker || ask.words.length === 0) return answer;
  const keeps = await pendingCommands.keep(ask.words);
  return keeps === undefined ? answer : { ...answer, picker: { ...picker, keeps } };
}
