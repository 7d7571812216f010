import { moveRecords } from '../../sandbox/move-records.ts';
import { ACCESS } from '../../src/core/policy/access-record.ts';
import type { Grant } from '../../src/core/policy/grant.ts';
import { answerTo } from '../support/sandbox.ts';
import { GRANT, hide, type Stage, WHO } from './beyond-stage.ts';
import { type Way, waysOfOffers, waysOfRoutes, waysOfTheRest } from './beyond-ways.ts';

const AT_ONCE = 20;

/** How the role of @ana, who was an admin, is cut or taken. */
export const CUTS = [
  ['is for other instances', (stage: Stage) => narrow(stage, 'on staging-*')],
  ['counts in another channel', (stage: Stage) => narrow(stage, 'in #random')],
  [
    'counts in another channel, for other instances',
    (stage: Stage) => narrow(stage, 'on staging-* in #random'),
  ],
  ['is over', (stage: Stage) => narrow(stage, 'for 30m').then(() => letRolesEnd(stage))],
  ['was taken back', (stage: Stage) => takeBack(stage)],
] as const satisfies readonly (readonly [string, (stage: Stage) => Promise<unknown>])[];

/** The ways to try, and what of them stood on @ana's screen before: what that names is known. */
interface Ways {
  readonly all: readonly Way[];
  readonly ofOffers: readonly Way[];
}

/** `meant`: in so many words for production. */
export function waysOf(stage: Stage, meant?: number): Ways {
  const ofOffers = waysOfOffers(stage.offers);
  return { all: [...waysOfRoutes(meant), ...waysOfTheRest(stage), ...ofOffers], ofOffers };
}

/** What comes of all the ways that may not. */
export async function getsBeyond(stage: Stage, { all, ofOffers }: Ways): Promise<readonly string[]> {
  hide(stage);
  const others = all.filter((one) => !ofOffers.includes(one));
  return [
    ...(await playWays(stage, others, /secret|hidden/)),
    ...(await playWays(stage, ofOffers, /hidden/)),
  ];
}

const takeBack = ({ sandbox }: Stage): Promise<string> =>
  answerTo(sandbox, 'admin', `/lamplighter access revoke admin @${WHO}`);

async function narrow(stage: Stage, words: string): Promise<void> {
  await takeBack(stage);
  await answerTo(stage.sandbox, 'admin', `${GRANT} admin @${WHO} ${words}`);
}

/** Lets the time of every role be over that has an end, as it will be by itself. */
async function letRolesEnd({ sandbox }: Stage): Promise<void> {
  const over = ({ until, ...rest }: Grant): Grant => ({ ...rest, ...(until && { until: Date.now() - 1 }) });
  await moveRecords(sandbox, ACCESS, (record) => ({ ...record, grants: record.grants.map(over) }));
}

/** What they asked for while they could see it, in the words that they typed, stands on the button that cancels it. */
const OWN_WORDS = '[ Cancel: Stop prod-secret-7 staging-1 ]';

/** What came of it that may not: what was changed, asked of the service, or told in words that match `told`. */
async function playWays(stage: Stage, ways: readonly Way[], told: RegExp): Promise<readonly string[]> {
  const wrong: string[] = [];
  const before = new Set(stage.read().keys());
  const [kept, changes] = [await stage.kept(), stage.changes().length];
  const read = new Map<string, string>();
  const look = (): void => {
    for (const [version, text] of stage.read()) if (!before.has(version)) read.set(version, text);
  };
  for (let from = 0; from < ways.length; from += AT_ONCE) {
    await Promise.all(
      ways.slice(from, from + AT_ONCE).map(async (way) => {
        const said = await way.play(stage);
        if (told.test(said)) wrong.push(`${way.name} is told ${said}`);
      }),
    );
    look();
  }
  await stage.answered();
  look();
  const after = await stage.kept();
  return [
    ...wrong,
    ...[...read.values()]
      .filter((text) => told.test(text.replaceAll(OWN_WORDS, '')))
      .map((text) => `reads ${text}`),
    ...stage.changes().slice(changes),
    ...(after === kept ? [] : [`changed ${differences(kept, after)}`]),
  ];
}

function differences(before: string, after: string): string {
  const lines = new Set(before.split('\n'));
  return after
    .split('\n')
    .filter((line) => !lines.has(line))
    .join('\n');
}
