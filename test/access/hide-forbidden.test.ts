import { expect, it } from 'vitest';
import { createLog } from '../../src/platform/log/log.ts';
import { hideForbidden } from '../../src/core/intake/hide-forbidden.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { allowing } from '../support/allowing.ts';
import { answerTo, play } from '../support/sandbox.ts';

it('a viewer reads an instance, its typos and its add-ons without anything that a viewer may not press', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
  const shown = await answerTo(sandbox, 'ana', '/instances show web-1');
  expect(shown).toContain('web-1 (101) · running');
  expect(shown).toContain('Add-ons');
  for (const label of ['Restart', 'Stop', 'Delete']) expect(shown).not.toContain(label);
  expect(await answerTo(sandbox, 'ana', '/instances show wbe-1')).toContain('Pick an instance to show');
  expect(await answerTo(sandbox, 'ana', '/addons web-1')).not.toContain('Remove');
});

it('an operator is shown what starts and stops, and not what deletes', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'operator' } });
  const shown = await answerTo(sandbox, 'ana', '/instances show web-1');
  expect(shown).toContain('[ Restart ]');
  expect(shown).not.toContain('Delete');
});

it('finance reads what stopping would bring without a button that stops', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' } });
  const answer = await answerTo(sandbox, 'fin', '/billing buy-time');
  expect(answer).toContain('db-1');
  expect(answer).not.toContain('[ Stop');
  const admin = await play({ env: { LAMPLIGHTER_EVERYONE: 'admin' } });
  expect(await answerTo(admin, 'fin', '/billing buy-time')).toContain('[ Stop');
});

it('a button that leads nowhere is not shown, and logged as the bug that it is', async () => {
  const errors: object[] = [];
  const log = { ...createLog('silent', []), error: (fields: object) => errors.push(fields) };
  const lost = { label: 'Lost', routeId: 'boats.lost', value: 'x' };
  const shown = await hideForbidden(
    { access: allowing(), routes: new Map(), log },
    { actor: { userId: 'U1' }, place: { channelId: 'C1' } },
    { lines: [say`Boats`], buttons: [lost], menu: [lost], note: say`note` },
  );
  expect(shown).toEqual({ lines: [say`Boats`], note: say`note` });
  expect(errors).toEqual([{ route: 'boats.lost' }]);
});
