import type { Ask } from '../ask/ask.ts';
import {
  type ButtonToken,
  BUTTON_TOKEN_LIFE_MS,
  type ButtonTokenStore,
} from '../offers/button-token-store.ts';
import { isLeftOpen, type Operation } from './operation.ts';
import type { Operations } from './operations.ts';

/** What the button that was pressed stands for; undefined where none was, or it is too old. */
export async function buttonTokenIn(
  {
    buttonTokens,
    operations,
  }: { readonly buttonTokens: ButtonTokenStore; readonly operations: Pick<Operations, 'find'> },
  { value, askedAt }: Pick<Ask, 'value' | 'askedAt'>,
): Promise<ButtonToken | undefined> {
  return value === undefined ? undefined : findButtonToken(value, askedAt, buttonTokens, operations.find);
}

/**
 * What the token behind a button's value stands for; a card of what was left open carries its operation.
 * `askedAt` in Redis' time, like the end of the operation.
 */
export async function findButtonToken(
  value: string,
  askedAt: number,
  buttonTokens: ButtonTokenStore,
  findOperation: (id: string) => Promise<Operation | undefined>,
): Promise<ButtonToken | undefined> {
  const buttonToken = await buttonTokens.find(value);
  if (buttonToken) return buttonToken;
  const operation = await findOperation(value);
  const outcome = operation?.outcome;
  if (!outcome || !isLeftOpen(outcome)) return undefined;
  if (askedAt - outcome.at > BUTTON_TOKEN_LIFE_MS) return undefined;
  const { subject, args } = operation;
  const { id, name, createdAt } = subject;
  return {
    instanceId: id,
    name,
    createdAt,
    ...(Object.keys(args).length === 0 ? {} : { args }),
  };
}
