import { adminsOf } from '../../core/policy/messages.ts';
import type { Said } from '../../core/outbox/outbox.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { Message } from '../../platform/slack/message.ts';
import { person, say } from '../../platform/slack/phrase.ts';
import { listHoldings } from './holdings.ts';
import { LEAVING_ROUTES } from './messages.ts';
import type { WhoHolds } from './rights.ts';

/** Somebody whose account is deactivated. `count`: how many things they hold that can be taken back here. */
export interface Leaver {
  readonly userId: string;
  readonly count: number;
}

const MAX_TOLD = 5;

/** Who is deactivated and still holds something that can be taken back here. Throws where Slack can't say. */
export async function findLeavers(deps: WhoHolds): Promise<readonly Leaver[]> {
  return (await standingOfHolders(deps, [])).filter(({ count }) => count > 0);
}

/** Tells the admins of each person who is deactivated and still holds something or is named, once. Throws where Slack can't say. */
export async function tellLeavers(deps: WhoHolds): Promise<void> {
  const { access, accessStore, outbox, namedPeople, clock } = deps;
  const at = clock.now();
  const named = namedPeople();
  const leavers = await standingOfHolders(
    deps,
    named.flatMap(({ names }) => names),
  );
  const gone = leavers.map(({ userId }) => userId);
  const admins = adminsOf(await access.policy()).filter((userId) => !gone.includes(userId));
  await accessStore.change(
    (record) => {
      const { toldLeft = [] } = record;
      // Who came back is told of again once they leave.
      const isSame = toldLeft.length === gone.length && gone.every((userId) => toldLeft.includes(userId));
      return isSame ? undefined : { ...record, toldLeft: gone };
    },
    async (_after, { toldLeft = [] }) =>
      outbox.saying(
        leavers
          .filter(({ userId }) => !toldLeft.includes(userId))
          .flatMap((leaver) =>
            admins.slice(0, MAX_TOLD).map((admin) => saidOf(leaver, placesOf(leaver, named), admin, at)),
          ),
        'moved',
      ),
  );
}

async function standingOfHolders(deps: WhoHolds, named: readonly string[]): Promise<readonly Leaver[]> {
  const holders = (await listHoldings(deps))
    .filter(({ stays }) => stays === undefined)
    .map(({ userId }) => userId);
  const ids = [...new Set([...holders, ...named])].toSorted();
  const all = await Promise.all(ids.map(async (userId) => ((await isGone(deps, userId)) ? [userId] : [])));
  return all.flat().map((userId) => ({ userId, count: holders.filter((one) => one === userId).length }));
}

async function isGone({ people }: WhoHolds, userId: string): Promise<boolean> {
  try {
    return (await people.standing(userId, undefined)) === 'deactivated';
  } catch (error) {
    // Slack knows nobody of that id any more.
    if (slackErrorOf(error).code === 'user_not_found') return true;
    throw error;
  }
}

/** Where the configuration names them. Pure. */
function placesOf({ userId }: Leaver, named: ReturnType<WhoHolds['namedPeople']>): readonly string[] {
  return named.filter(({ names }) => names.includes(userId)).map(({ from }) => from);
}

/** `at`: when they were found, so that who came back and left again is told of again. */
function saidOf(leaver: Leaver, places: readonly string[], admin: string, at: number): Said {
  return {
    id: `leaver-${leaver.userId}-${admin}-${at}`,
    to: { userId: admin },
    content: leaverMessage(leaver, places),
  };
}

/** What is named in the configuration stays when all that they hold is taken back, so where nothing else is left it alone is told. */
function leaverMessage({ userId, count }: Leaver, places: readonly string[]): Message {
  if (count === 0)
    return {
      lines: [say`🔑 ${person(userId)} is deactivated in Slack and is still named in the configuration.`],
      bullets: places.map((from) => say`Take them out of ${from}.`),
    };
  return {
    lines: [
      say`🔑 ${person(userId)} is deactivated in Slack and still holds ${count === 1 ? 'one thing' : `${count} things`} here.`,
    ],
    buttons: [{ label: 'Revoke all…', routeId: LEAVING_ROUTES.ask, value: userId, style: 'danger' }],
  };
}
