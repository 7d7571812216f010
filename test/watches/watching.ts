import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { instance, type WorldInstance } from '../../sandbox/world.ts';
import { botMessages, play, type PlayOptions, readAll } from '../support/sandbox.ts';

const LIST = /\/instances(\?.*)?$/;

/** A sandbox in whose #ops an admin has set a watch that has made its first look. */
export async function watch(words: string, options: PlayOptions = {}): Promise<Sandbox> {
  const sandbox = await play(options);
  await setWatch(sandbox, words);
  return sandbox;
}

/** Has an admin set a watch in #ops, and waits for its base line. */
export async function setWatch(sandbox: Sandbox, words: string, who = 'admin'): Promise<void> {
  await sandbox.slack.person(who).types('#ops', `/instances watch ${words}`);
  await reads(sandbox, `Watching ${words}`);
  await looks(sandbox);
}

/** The service has machines more, called by their ids. */
export function addNodes({ hosting }: Sandbox, ids: readonly number[], over?: Partial<WorldInstance>): void {
  for (const id of ids) hosting.addInstance('harbour', instance(id, `node-${id}`, over));
}

/** Waits until the bot has read the list so often more. */
export async function looks(sandbox: Sandbox, count = 3): Promise<void> {
  const { events } = sandbox.hosting;
  let left = count;
  await new Promise<void>((resolve) => {
    const seen = (call: { path: string; method: string }): void => {
      if (call.method !== 'GET' || !LIST.test(call.path) || --left > 0) return;
      events.off('call', seen);
      resolve();
    };
    events.on('call', seen);
  });
}

/** Waits until a message in #ops says these words; gives it as a person reads it. */
export async function reads(sandbox: Sandbox, words: string | RegExp): Promise<string> {
  return sandbox.slack.read(await findCard(sandbox, words));
}

/** Waits for a message in #ops that says these words. */
export async function findCard(sandbox: Sandbox, words: string | RegExp): Promise<PostedMessage> {
  const says = (text: string): boolean =>
    typeof words === 'string' ? text.includes(words) : words.test(text);
  try {
    return await sandbox.slack.until(() =>
      botMessages(sandbox).find((message) => says(sandbox.slack.read(message))),
    );
  } catch {
    throw new Error(`nothing reads ${String(words)}:\n${readAll(sandbox).join('\n--\n')}`);
  }
}

/** The cards of incidents in #ops, as a person reads them. */
export function incidents(sandbox: Sandbox): string[] {
  return readAll(sandbox).filter((text) => /Watch: /.test(text));
}
