import type { Claim, ClaimLine, LineKind, ReadLineKind, Said } from '../intake/claim.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Message } from '../../platform/slack/message.ts';
import { atMost } from '../../platform/time/wait.ts';
import type { Caller } from './account.ts';
import type { OfferLine } from '../intake/offer-line.ts';
import { markedId } from '../../platform/slack/account-mark.ts';
import { plain } from '../../platform/slack/phrase.ts';
import {
  type OfAccount,
  type WithDefaults,
  chooseByText,
  ownOf,
  reachableFor,
  takePlainName,
  whichAccount,
} from './choose.ts';

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

/** Slack waits for three seconds, and writing down and answering take part of them. */
const CLAIMED_WITHIN_MS = 700;

/** Which accounts a line goes to, or what its person is asked. What can't be told in time counts as unknown. */
export async function whose<Served extends AskedAccount & WithDefaults>(
  deps: { readonly served: readonly Served[]; readonly log: Log },
  caller: Caller,
  typed: TypedLine,
): Promise<Whose<Served>> {
  const { text, line, command } = typed;
  const reachable = reachableFor(deps.served, caller);
  const own = await ownOf(deps.served, reachable, caller);
  const [, word] = isOfLamplighter(command) ? (DEFAULT.exec(line.trim()) ?? []) : [];
  if (word !== undefined && reachable.length > 1) {
    // It says itself which account it is about; what is removed is the one that there is.
    const meant = reachable.find(
      ({ account }) => account.name === word.trim().replace(/:$/, '').toLowerCase(),
    );
    const bare = text.replace(/[a-z][a-z0-9-]*: *(?=default\b)/i, '');
    return {
      to: [meant ?? own ?? reachable[0]].filter((one) => one !== undefined),
      text: bare,
      isNamed: true,
    };
  }
  const choice = chooseByText(reachable, text, own);
  if ('said' in choice) return choice;
  const isNamed = 'served' in choice && choice.text !== text;
  if ('served' in choice && (isNamed || reachable.length === 1))
    return { to: [choice.served], text: choice.text, isNamed };
  const { isChange, mayName } = lineKindTo(reachable, line, command);
  const isSentence = command === undefined || isChange;
  const named = takePlainName(text, reachable, isSentence);
  const byName = named && mayName(named.served.account.name) ? named : undefined;
  const [ofName, ofLine] = await Promise.all([
    byName ? claimsOf(deps, reachable, { ...typed, line: byName.served.account.name }) : [],
    'among' in choice ? claimsOf(deps, choice.among, typed) : [],
  ]);
  // An instance may be called like an account, and where nobody can tell, it may be.
  if (byName && ofName.every(({ claim }) => claim !== undefined && claim.has !== 'exactly'))
    return { to: [byName.served], text: byName.text, isNamed: true };
  if ('served' in choice) return { to: [choice.served], text, isNamed };
  const judged = judgeClaims(ofLine, isChange);
  return 'to' in judged
    ? { to: judged.to, text, isNamed }
    : { said: await askWhich(judged.among, line, command) };
}

/** `default labs`, also with the noun in a mention. */
const DEFAULT = /^(?:\/?lamplighter +)?(?:[a-z][a-z0-9-]*: *)?default(| .*)$/i;

function isOfLamplighter(command: string | undefined): boolean {
  return command === undefined || command.endsWith('lamplighter');
}

/** What a line is to several: a change, where it is one to any of them. */
function lineKindTo(among: readonly AskedAccount[], line: string, command: string | undefined): LineKind {
  const kinds = among.map(({ readLineKind }) => readLineKind(line, command));
  return {
    isChange: kinds.some(({ isChange }) => isChange),
    mayName: (account) => kinds.every(({ mayName }) => mayName(account)),
  };
}

function claimsOf<Served extends AskedAccount>(
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

/** An account that can be asked a line by a button. */
export interface AskedAccount extends OfAccount {
  readonly offer: OfferLine;
  readonly claim: ClaimLine;
  readonly readLineKind: ReadLineKind;
}

/**
 * Asks which account is meant, with a button for each that asks the same line, or the change that it is to that account. `command`:
 * as it was typed, with its slash.
 */
async function askWhich(
  among: readonly Claimed<AskedAccount>[],
  line: string,
  command?: string,
): Promise<Message> {
  const offered = await Promise.all(
    among.slice(0, MOST_OFFERED).map(async ({ served: { account, offer }, claim }) => {
      const button = await offer(line, command, claim);
      if (!button) return [];
      const label = plain(`${account.name}: ${button.label}`, MAX_LABEL);
      return [{ ...button, label, routeId: markedId(account.name, button.routeId) }];
    }),
  );
  return whichAccount(
    among.map(({ served }) => served.account.name),
    offered.flat(),
  );
}

const MOST_OFFERED = 5;
/** Slack takes so many characters on a button. */
const MAX_LABEL = 75;

/** One of several that a line may be for, and what it is to it; `claim`: undefined where nobody can tell now. */
interface Claimed<Served> {
  readonly served: Served;
  readonly claim: Claim | undefined;
}

/** To whom a line goes that names none of several: `to` these, each for its part, or nobody before it is said which is meant. */
type Judged<Served> = { readonly to: readonly Served[] } | { readonly among: readonly Claimed<Served>[] };

/**
 * What shows something is answered by all that have what it names, or by all where it names nothing that any of them has. What
 * changes something goes to the only one that has what it names, and else to none. What is about no account is answered once.
 * `isChange`: whether the line is a command that changes something, which is known without any claim. Pure.
 */
function judgeClaims<Served>(claims: readonly Claimed<Served>[], isChange: boolean): Judged<Served> {
  const all = claims.map(({ served }) => served);
  const known = claims.flatMap(({ claim }) => claim ?? []);
  const isSure = known.length === claims.length;
  const best = (['exactly', 'nearly'] as const).find((how) => known.some(({ has }) => has === how));
  const have = claims.filter(({ claim }) => best !== undefined && claim?.has === best);
  const having = have.map(servedBy);
  if (isChange || known.some(({ kind }) => kind === 'change')) {
    return isSure && have.length === 1
      ? { to: having }
      : { among: have.length > 1 && isSure ? have : claims };
  }
  if (known.length > 0 && known.every(({ kind }) => kind === 'talk'))
    return { to: [...having, ...all].slice(0, 1) };
  // One that can't tell now says so itself.
  const unknown = claims.filter(({ claim }) => !claim).map(servedBy);
  return { to: having.length > 0 ? [...having, ...unknown] : all };
}

function servedBy<Served>({ served }: Claimed<Served>): Served {
  return served;
}
