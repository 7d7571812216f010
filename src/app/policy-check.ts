import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { type PolicyFile, readPolicyFile } from '../core/policy/policy-file.ts';
import { Refusal } from '../core/refusal.ts';
import { toPlainText } from '../platform/slack/phrase.ts';
import type { Adapter } from '../platform/hosting/adapter.ts';
import { createBareFeatures, changeVerbs } from './features.ts';
import { explain, type Question } from './explain.ts';
import { isUsageAsked } from './usage-asked.ts';

/** What a check of a policy file prints, and what its process exits with: 0 valid, 1 faults, 2 not understood. */
export interface Checked {
  readonly lines: readonly string[];
  readonly exitCode: 0 | 1 | 2;
}

const USAGE = [
  'Usage:',
  '  node dist/check-policy.js policy.yaml',
  '  node dist/check-policy.js policy.yaml --explain @ana "restart prod-1" [--in C012ABCDEF] [--groups S012ABCDEF]',
  '    [--labels team=web,env=prod] [--region fra1]',
];

interface WantedCheck {
  readonly path: string;
  readonly question: Question | undefined;
}

/**
 * `node dist/check-policy.js`. `args`: what was typed after it; `readText`: gives a file's text, or undefined where it can't be
 * read; `adapter`: of the service whose verbs count.
 */
export function checkPolicy(
  args: readonly string[],
  readText: (path: string) => string | undefined,
  adapter: Adapter,
): Checked {
  if (isUsageAsked(args)) return { lines: USAGE, exitCode: 0 };
  const wanted = wantedBy(args);
  if ('fault' in wanted) return { lines: [wanted.fault, ...USAGE], exitCode: 2 };
  const name = basename(wanted.path);
  const text = readText(wanted.path);
  if (text === undefined) return { lines: [`${wanted.path} can't be read.`], exitCode: 2 };
  const features = createBareFeatures(adapter);
  const read = readPolicyFile(text, { verbs: changeVerbs(features), service: adapter.name });
  if ('faults' in read)
    return { lines: read.faults.map(({ line, what }) => `${name}:${line}: ${what}`), exitCode: 1 };
  if (!wanted.question) return { lines: [`${name} is valid: ${summaryOf(read.file)}.`], exitCode: 0 };
  try {
    return { lines: explain({ name, file: read.file }, features, wanted.question), exitCode: 0 };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { lines: error.answer.lines.map(toPlainText), exitCode: 2 };
  }
}

/** What was typed, or why it can't be understood. */
function wantedBy(args: readonly string[]): WantedCheck | { readonly fault: string } {
  const typed = parse(args);
  if (typeof typed === 'string') return { fault: typed };
  const { values, positionals } = typed;
  const [path, ...words] = positionals;
  const { explain: who, in: channelId, groups, labels, region } = values;
  if (path === undefined) return { fault: 'Name the policy file to check.' };
  if (who === undefined) {
    if (words.length > 0)
      // npm keeps options for itself, unless -- stands before them, and passes their values on.
      return { fault: 'Name one file at a time. With npm run, put -- before the file and the options.' };
    if ([channelId, groups, labels, region].some((value) => value !== undefined))
      return { fault: '--in, --groups, --labels and --region only work with --explain.' };
    return { path, question: undefined };
  }
  if (words.length === 0) return { fault: `After ${who}, put what they would type, in quotation marks.` };
  if (channelId !== undefined && !/^[CDG][A-Z0-9_]{2,63}$/.test(channelId))
    return { fault: '--in takes the id of a channel, like C012ABCDEF.' };
  const question = {
    who,
    words: words.join(' '),
    groups: partsOf(groups ?? []),
    ...(channelId === undefined ? {} : { channelId }),
    ...(labels ? { labels: partsOf(labels) } : {}),
    ...(region === undefined ? {} : { region }),
  };
  return { path, question };
}

/** What stands between commas. */
function partsOf(lists: readonly string[]): readonly string[] {
  return lists.flatMap((list) => list.split(',')).filter((part) => part !== '');
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        explain: { type: 'string' },
        in: { type: 'string' },
        groups: { type: 'string', multiple: true },
        labels: { type: 'string', multiple: true },
        region: { type: 'string' },
      },
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return 'The options are --explain, --in, --groups, --labels and --region, each with a value.';
  }
}

/** "3 roles, 2 protected patterns": what the file fixes; nothing of what it leaves out. */
function summaryOf({
  everyone,
  grants,
  protectedInstances,
  channels,
  approvals,
  onCall,
  holidays,
  costGroups,
}: PolicyFile): string {
  const count = (list: readonly unknown[] | undefined, one: string): string[] =>
    list ? [`${list.length} ${one}${list.length === 1 ? '' : 's'}`] : [];
  const parts = [
    ...(everyone === undefined
      ? []
      : [everyone === 'none' ? 'no role for everyone' : `everyone is ${everyone}`]),
    ...count(grants, 'role'),
    ...count(protectedInstances, 'protected pattern'),
    ...count(channels && Object.keys(channels), 'limited channel'),
    ...count(approvals, 'approval'),
    ...count(onCall && Object.keys(onCall), 'channel with people on call'),
    ...count(holidays && Object.keys(holidays), 'holiday list'),
    ...count(costGroups, 'cost group'),
  ];
  return parts.length === 0 ? 'it fixes nothing' : parts.join(', ');
}
