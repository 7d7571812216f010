import { isMeant, isUntold, type PolicyTarget } from '../../core/policy/pattern.ts';
import { person, plain, type Phrase, say } from '../../platform/slack/phrase.ts';
import { type Finding, fault, ok, warn } from './finding.ts';

/** Something that the configuration names: where, as a person finds it there, and what. */
export interface Names {
  readonly from: string;
  readonly names: readonly string[];
}

/** Everything that the configuration names and that may not be there. */
export interface Named {
  /** Names of instances with `*`, or ids. */
  readonly patterns: readonly Names[];
  readonly people: readonly Names[];
  readonly groups: readonly Names[];
  readonly channels: readonly Names[];
}

/** Something that can be started with and is hardly meant. */
export interface Doubt {
  readonly what: string;
  readonly todo: string;
}

/** So much of a pattern is shown. */
const MAX_SHOWN = 60;

/** What the configuration alone shows to be hardly meant. Pure. */
export function judgeDoubts(doubts: readonly Doubt[]): readonly Finding[] {
  return doubts.map(({ what, todo }) => warn(say`${what}`, say`${todo}`));
}

/** Whether each pattern matches an instance that there is now. Pure. */
export function judgePatterns(
  named: readonly Names[],
  instances: readonly PolicyTarget[],
): readonly Finding[] {
  const findings = named.flatMap(({ from, names }) =>
    names.flatMap((pattern) => {
      if (instances.some((one) => isMeant([pattern], one))) return [];
      if (instances.some((one) => isUntold([pattern], one)))
        return [
          warn(
            say`${from} has ${plain(pattern, MAX_SHOWN)}, and the hosting service doesn't tell that of each instance.`,
            say`Name those by their names or ids: a role by it counts for none of them, and what keeps something from being done counts for all.`,
          ),
        ];
      const meant = meantBy(pattern);
      return [
        warn(
          say`${from} has ${plain(pattern, MAX_SHOWN)}, which matches none of the ${instances.length} instances.`,
          meant === undefined
            ? say`Check how it is spelled; * stands for any letters.`
            : say`It's a name in which * stands for any letters, not a regular expression. Write ${meant}.`,
        ),
      ];
    }),
  );
  if (findings.length > 0 || named.every(({ names }) => names.length === 0)) return findings;
  return [ok(say`Each pattern of the configuration matches an instance.`)];
}

/** What a pattern was meant to be that is written like a regular expression, or with marks around it; undefined for any other. */
function meantBy(pattern: string): string | undefined {
  const meant = pattern
    .replaceAll(/^["'`/^]+|["'`/$]+$/g, '')
    .replaceAll(/\.[*+]/g, '*')
    .trim();
  return meant === pattern || meant === '' ? undefined : plain(meant, MAX_SHOWN);
}

/** Who somebody is: not there, deactivated, or somebody who can act. */
export type Standing = 'unknown' | 'deactivated' | 'bot' | 'there';

const WHO: Readonly<Record<Exclude<Standing, 'there'>, string>> = {
  unknown: "whom Slack doesn't know",
  deactivated: 'who is deactivated',
  bot: 'which is an app and no person',
};

/** Whether the people that are named can act. `vital`: where nobody is left, nobody is told. Pure. */
export function judgePeople(
  { from, names }: Names,
  standings: ReadonlyMap<string, Standing>,
  vital: boolean,
): readonly Finding[] {
  const gone = names.flatMap((id) => {
    const standing = standings.get(id) ?? 'there';
    return standing === 'there' ? [] : [{ id, standing }];
  });
  const level = vital && gone.length > 0 && gone.length === names.length ? fault : warn;
  return gone.map(({ id, standing }) =>
    level(
      say`${from} names ${id}, ${WHO[standing]}.`,
      say`Put the id of a person there: Slack shows it in a profile under Copy member ID.`,
    ),
  );
}

/** Somebody whose account is deactivated. `count`: how many things they hold still. */
export interface Leaver {
  readonly userId: string;
  readonly count: number;
}

/** Who has left and holds something still. Pure. */
export function judgeLeavers(leavers: readonly Leaver[]): readonly Finding[] {
  return leavers.map(({ userId, count }) =>
    warn(
      say`${person(userId)} is deactivated in Slack and still holds ${count === 1 ? 'one thing' : `${count} things`} here.`,
      say`To take all of it back, type /lamplighter access revoke ${person(userId)}.`,
    ),
  );
}

/** Whether a group or a channel that is named is there. Pure. */
export function judgeThere(
  what: 'group' | 'channel',
  { from, names }: Names,
  missing: ReadonlySet<string>,
): readonly Finding[] {
  const [why, todo]: readonly [string, Phrase] =
    what === 'group'
      ? ["a user group that Slack doesn't know", say`Put the id of a user group there, like S012ABCDEF.`]
      : ["a channel that I can't see", say`Put the id of a channel there, or invite me if it is private.`];
  return names.filter((id) => missing.has(id)).map((id) => warn(say`${from} names ${id}, ${why}.`, todo));
}
