import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Benchmark, Outcome } from './benchmark.ts';
import { GOALS, isReached, type Target, withUnit } from './goals.ts';
import type { Machine } from './machine.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FIGURES = `${ROOT}bench/figures.json`;
const PAGE = `${ROOT}docs/performance.md`;

/** The last run of a benchmark. */
interface Run extends Outcome {
  readonly commit: string;
  readonly day: string;
  readonly machine: Machine;
}

type Runs = Readonly<Record<string, Run>>;

/** Puts what a benchmark found in place of what it found before, and writes docs/performance.md again. */
export function writePage({ name }: Benchmark, { figures, isNoisy }: Outcome, machine: Machine): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT }).toString().trim();
  const day = new Date().toISOString().slice(0, 10);
  const before = JSON.parse(readFileSync(FIGURES, 'utf8')) as Runs; // written below
  const runs: Runs = { ...before, [name]: { day, commit, isNoisy, machine, figures } };
  writeFileSync(FIGURES, `${JSON.stringify(runs, undefined, 2)}\n`);
  writeFileSync(PAGE, pageOf(runs));
  execFileSync('npx', ['oxfmt', PAGE], { cwd: ROOT, stdio: 'ignore' });
}

/** Pure: the page. */
function pageOf(runs: Runs): string {
  const rows = GOALS.flatMap(({ name, felt, targets }) =>
    targets.map((target, nth) => [
      ...(nth === 0 ? [`**${name}.** ${felt}`] : ['']),
      ...cellsOf(target, runs),
    ]),
  );
  const machines = new Set(Object.values(runs).map(({ machine }) => wordsOf(machine)));
  return [
    '# Performance',
    INTRODUCTION,
    tableOf([['goal, and what is felt of it', 'figure', 'measured', 'wanted', 'by, on, at commit'], ...rows]),
    `Measured on ${[...machines].join('; on ')}.`,
    HOW,
    '',
  ].join('\n\n');
}

function cellsOf(target: Target, runs: Runs): readonly string[] {
  const { id, what, wanted, bar, unit, why = '' } = target;
  const wants = `${wanted} ${withUnit(bar, unit)}`;
  const [name = '', run] = Object.entries(runs).find(([, { figures }]) => figures[id] !== undefined) ?? [];
  const value = run?.figures[id];
  if (!run || value === undefined) return [what, 'not measured', wants, ''];
  const isDone = isReached(target, value);
  const verdict = isDone ? wants : `${wants}: **not reached.** ${why}`.trim();
  const measured = `${withUnit(value, unit)}${run.isNoisy ? ' (noisy)' : ''}`;
  return [what, measured, verdict, `\`${name}\`, ${run.day}, ${run.commit}`];
}

const INTRODUCTION = `What people, Slack and the host feel of the bot. Each figure is of the commit and the day that stand beside it, not of today's code.
\`npm run bench -- --write\` measures all of them and writes this page; with the names of benchmarks, only
their figures are new. \`npm run bench -- --help\` lists them.`;

const HOW = `## How it is measured

The built bot runs among doubles of Slack and of a hosting service on the same machine. The bot, its peers and Redis share one core; the load and
the doubles have the others. Redis writes each change to its file before it answers. Variants take turns, round by round, and a figure is
the median of its rounds; a ratio divides figures of the same round. CPU time comes before time on the clock: it depends less on what else the
machine does. A round in which other processes had more than 5 % of the machine is measured once more, and a figure that rests on one that
stayed so is marked as noisy: take it again on a quiet machine.

Nothing is measured of a bot that doesn't work: a right request must be answered with 200, one with a wrong signature or from 400 s ago with 401, and
every restart must be shown as ended.`;

function wordsOf({ cpu, node, redis, isPinned }: Machine): string {
  return `${cpu}, Node ${node}, Redis ${redis}${isPinned ? '' : ', not pinned to cores'}`;
}

function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
