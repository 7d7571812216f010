import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { botMessages, privateMessage, type PlayOptions } from '../support/sandbox.ts';
import { confirms, playFleet, previewOf } from './fleet.ts';

export const AGAIN = 'Start them again';
export const REST = 'Continue with the rest';

/** A fleet of which ana has stopped all, and the card that says so. */
export async function stopped(
  count: number,
  options: Parameters<typeof playFleet>[1] = {},
): Promise<{ sandbox: Sandbox; card: PostedMessage }> {
  const sandbox = await playFleet(count, options);
  await confirms(sandbox, await previewOf(sandbox, '/instances stop name:stg-*'), `Stop ${count}`);
  await sandbox.settled();
  const card = botMessages(sandbox).find((one) => sandbox.slack.read(one).includes(`[ ${AGAIN} ]`));
  if (!card) throw new Error('no card offers to start them again');
  return { sandbox, card };
}

/** A batch of five of which two run when bob stops the rest, and its card. */
export async function halfDone(
  options: PlayOptions = {},
): Promise<{ sandbox: Sandbox; card: PostedMessage }> {
  const sandbox = await playFleet(5, options);
  const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
  const preview = await previewOf(sandbox, '/instances stop name:stg-* --at-once 1 --because "night"');
  await confirms(sandbox, preview, 'Stop 5');
  await held.arrived;
  const card = await sandbox.slack.until(() =>
    botMessages(sandbox).find((one) => sandbox.slack.read(one).includes('Cancel the rest')),
  );
  await sandbox.slack.person('admin').presses(card, 'Cancel the rest');
  await privateMessage(sandbox, 'admin', 'Canceled the rest');
  held.release();
  await sandbox.settled();
  return { sandbox, card };
}
