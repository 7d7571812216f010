import type { Sandbox } from '../sandbox/sandbox.ts';
import { instance } from '../sandbox/world.ts';
import { comes } from './comes.ts';
import { group } from './group.ts';
import type { Random } from './random.ts';
import { wait } from './wait.ts';

/**
 * Instances of a run that nobody asks anything about, which go wrong and well again while everything else fails, and what
 * the watch of a channel tells of them: each incident on one card, and in the end nothing that is not so.
 */

const IDS = [910_001, 910_002, 910_003];
const WATCHED = 'name:w-*';
const MOVES_EVERY_MS = 2_500;
const ASKS_EVERY_MS = 5_000;
const MAX_ASKS = 20;

/** Has an admin set the watch, and moves its instances about until `stop`. */
export function walkWatched(sandbox: Sandbox, channel: string, random: Random): { stop: () => void } {
  const { hosting } = sandbox;
  for (const id of IDS) hosting.addInstance('harbour', instance(id, `w-${id}`));
  const stopping = new AbortController();
  // Where it can't be set, the verdict says so.
  void askUntilSet(sandbox, channel, stopping.signal).catch(() => undefined);
  const timer = setInterval(
    () => hosting.changeStatus(random.pick(IDS), random.pick(['running', 'error'])),
    MOVES_EVERY_MS,
  );
  return {
    stop: () => {
      stopping.abort();
      clearInterval(timer);
    },
  };
}

/** An admin asks for the watch, again every few seconds until it is set. */
async function askUntilSet(sandbox: Sandbox, channel: string, signal: AbortSignal): Promise<void> {
  for (let asks = 0; asks < MAX_ASKS && !isSet(sandbox, channel) && !signal.aborted; asks += 1) {
    await sandbox.slack.person('admin').types(channel, `/instances watch ${WATCHED}`);
    await wait(ASKS_EVERY_MS);
  }
}

function isSet(sandbox: Sandbox, channel: string): boolean {
  return textsIn(sandbox, channel).some(({ text }) => text.includes(`Watching ${WATCHED}`));
}

/** What went wrong with the watch, as sentences: lost, doubled, false. The services are well by now. */
export async function judgeWatched(
  sandbox: Sandbox,
  channel: string,
): Promise<{ lost: string[]; doubled: string[]; wrong: string[] }> {
  const { hosting } = sandbox;
  const stopping = new AbortController();
  void askUntilSet(sandbox, channel, stopping.signal).catch(() => undefined);
  const isWatched = await comes(() => isSet(sandbox, channel));
  stopping.abort();
  if (!isWatched) {
    const answers = privateTextsOfAdmin(sandbox, channel).join(' / ');
    return { lost: [`watches: it could not be set, answered "${answers}"`], doubled: [], wrong: [] };
  }
  const cards = (): { mark: string; text: string }[] =>
    textsIn(sandbox, channel).filter(({ text }) => text.includes(`Watch: ${WATCHED}`));
  const areOver = (): boolean => cards().every(({ text }) => !text.includes('Nobody asked me for that'));
  const areReported = (): boolean => IDS.every((id) => cards().some(({ text }) => isOpenFor(text, id)));
  const lost: string[] = [];
  for (const [status, isSo, what] of [
    ['running', areOver, 'an incident that is over, and not shown so'],
    ['error', areReported, 'an incident that was never reported'],
    ['running', areOver, 'the end of an incident never reported'],
  ] as const) {
    for (const id of IDS) hosting.changeStatus(id, status);
    if (!(await comes(isSo))) lost.push(`watches: ${what}`);
    // A base line may be made at this very moment where the watch was set late.
    await wait(MOVES_EVERY_MS);
  }
  const all = cards();
  return {
    lost,
    doubled: [
      ...[...group(all, ({ mark }) => mark)]
        .filter(([, same]) => same.length > 1)
        .map(([mark, same]) => `watches: ${same.length} times the same message ${mark}`),
      ...IDS.filter((id) => all.filter(({ text }) => text.includes(`w-${id}`)).length > 1).map(
        (id) => `watches: more than one card about w-${id}`,
      ),
    ],
    wrong: all
      .filter(({ text }) => /was (stopped|deleted|created|paused)/.test(text))
      .map(({ text }) => `watches: "${text}"`),
  };
}

/** Whether a card says that an instance is in error now, alone or among others. */
function isOpenFor(text: string, id: number): boolean {
  return text.includes(`w-${id} (${id}) reports an error`);
}

function privateTextsOfAdmin({ slack }: Sandbox, channel: string): string[] {
  const { id } = slack.person('admin');
  const { history } = slack.channel(channel);
  return history.filter((one) => one.ephemeralFor === id).map(({ text }) => text);
}

function textsIn({ slack }: Sandbox, channel: string): { mark: string; text: string }[] {
  return slack.channel(channel).messages.flatMap((message) => {
    const mark = /"key":"([^"]+)"/.exec(JSON.stringify(message.metadata ?? null))?.[1];
    return mark === undefined ? [] : [{ mark, text: slack.read(message) }];
  });
}
