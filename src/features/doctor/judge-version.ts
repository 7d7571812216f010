import { say } from '../../platform/slack/phrase.ts';
import { type Finding, fault, ok } from './finding.ts';

/** What runs. */
export interface VersionFacts {
  /** Of the bot; undefined where its package.json is not beside it. */
  readonly version: string | undefined;
  /** Of Node, as in `20.18.1`. */
  readonly node: string;
  /** The oldest Node that will do, as in `20.18.1`. */
  readonly leastNode: string | undefined;
}

/** Which version runs, and whether its Node is new enough. Pure. */
export function judgeVersion({ version, node, leastNode }: VersionFacts): readonly Finding[] {
  const me = version === undefined ? say`Lamplighter, of an unknown version,` : say`Lamplighter ${version}`;
  if (leastNode !== undefined && isOlder(node, leastNode))
    return [
      fault(say`${me} runs on Node ${node}, which is too old.`, say`Run it on Node ${leastNode} or newer.`),
    ];
  return [ok(say`${me} runs on Node ${node}.`)];
}

function isOlder(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.split('.').map((part) => Number.parseInt(part, 10)));
  for (const [index, part] of (right ?? []).entries()) {
    const difference = (left?.[index] ?? 0) - part;
    if (difference !== 0) return difference < 0;
  }
  return false;
}
