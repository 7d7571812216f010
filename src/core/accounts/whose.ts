import type { Said } from '../intake/claim.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Message } from '../../platform/slack/message.ts';
import { atMost } from '../../platform/time/at-most.ts';
import type { Caller } from './account.ts';
import { type Asked, askWhich } from './ask-which.ts';
import { chooseByText, reachableFor, takePlainName } from './choose.ts';
import { ownOf, type WithDefaults } from './default-in.ts';
import { type Claimed, judgeClaims } from './judge-claims.ts';

/** A line that is typed somewhere: `text` as it came, `line` without the bot's mention. `command`: before it, with its slash. */
export interface TypedLine extends Said {
  readonly text: string;
  readonly line: string;
  readonly command?: string;
}

/** Whose a line is: one account's, or for each of several. `text`: without the name of an account; `isNamed`: it had one. */
export type Whose<Served> =
  | { readonly to: readonly Served[]; readonly text: string; readonly isNamed: boolean }
  | { readonly said: Message };

/** Slack waits for three seconds, and answering takes part of them. */
const CLAIMED_WITHIN_MS = 1_000;

/** Which accounts a line goes to, or what its person is asked. What can't be told in time counts as unknown. */
export async function whose<Served extends Asked & WithDefaults>(
  deps: { readonly served: readonly Served[]; readonly log: Log },
  caller: Caller,
  typed: TypedLine,
): Promise<Whose<Served>> {
  const { text, line, command } = typed;
  const reachable = reachableFor(deps.served, caller);
  const own = await ownOf(reachable, caller);
  const choice = chooseByText(reachable, text, own);
  if ('said' in choice) return choice;
  const isNamed = 'served' in choice && choice.text !== text;
  if ('served' in choice && (isNamed || reachable.length === 1))
    return { to: [choice.served], text: choice.text, isNamed };
  const [, setsDefault] = DEFAULT.exec(line) ?? [];
  if (setsDefault !== undefined) {
    const meant = reachable.find(({ account }) => account.name === setsDefault.trim().toLowerCase());
    return { to: [meant ?? own ?? reachable[0]].filter((one) => one !== undefined), text, isNamed: true };
  }
  const plain = takePlainName(text, reachable);
  if (plain && !(await isInstance(deps, reachable, typed, plain.served.account.name)))
    return { to: [plain.served], text: plain.text, isNamed: true };
  if ('served' in choice) return { to: [choice.served], text, isNamed };
  const judged = judgeClaims(await claimsOf(deps, choice.among, typed));
  return 'to' in judged
    ? { to: judged.to, text, isNamed }
    : { said: await askWhich(judged.among, line, command) };
}

/** `default labs`: says itself which account it is about. */
const DEFAULT = /^(?:\/?lamplighter +)?default(| .*)$/i;

/** Whether a name of an account is that of an instance as well. */
async function isInstance(
  deps: { readonly log: Log },
  among: readonly Asked[],
  typed: TypedLine,
  name: string,
): Promise<boolean> {
  const claims = await claimsOf(deps, among, { ...typed, line: name });
  return claims.some(({ claim }) => claim?.has === 'exactly');
}

function claimsOf<Served extends Asked>(
  { log }: { readonly log: Log },
  among: readonly Served[],
  { line, command, actor, place, askedAt }: TypedLine,
): Promise<readonly Claimed<Served>[]> {
  return Promise.all(
    among.map(async (served) => {
      const claiming = served.claim({ actor, place, askedAt }, line, command).catch((error: unknown) => {
        log.warn({ by: actor.userId, error }, `finding out whether a line is for ${served.account.name}`);
        return undefined;
      });
      return { served, claim: await atMost(CLAIMED_WITHIN_MS, claiming) };
    }),
  );
}
