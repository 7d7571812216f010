import { describe, expect, it } from 'vitest';
import type { FaultPoints } from '../../../src/core/base.ts';
import type { Access } from '../../../src/core/policy/access.ts';
import type { Permission } from '../../../src/core/policy/permissions.ts';
import { instead } from '../../support/instead.ts';
import { answerTo, play } from '../../support/sandbox.ts';

/** Everybody may do this to web-* alone, and everything else to all. */
function onlyWeb(...narrowed: readonly Permission[]): FaultPoints {
  const which = instead('access', 'which', async (own, ...args) => {
    const [actor, permission, channelId] = args as Parameters<Access['which']>;
    const may = await (own as Access).which(actor, permission, channelId);
    if (!narrowed.includes(permission)) return may;
    return (about: Parameters<typeof may>[0]) => about !== 'all' && about.name.startsWith('web-');
  });
  const check = instead('access', 'check', async (own, ...args) => {
    const [actor, permission, about, at] = args as Parameters<Access['check']>;
    const decision = await (own as Access).check(actor, permission, about, at);
    return narrowed.includes(permission) && about === 'all'
      ? { allowed: false, reason: 'other instances' }
      : decision;
  });
  return (part, target) => which(part, check(part, target));
}

const ADMIN = { LAMPLIGHTER_EVERYONE: 'admin' };

describe('somebody who may see only some instances', () => {
  it('reads nothing of the others, as if there were none', async () => {
    const sandbox = await play({ env: ADMIN, faultPoints: onlyWeb('instances:read') });
    expect(await answerTo(sandbox, 'ana', '/billing what-if stop db-1')).toContain(
      'Your role covers no instance "db-1".',
    );
    const text = await answerTo(sandbox, 'ana', '/billing what-if stop everything');
    expect(text).toContain('• Stop web-1 (101), web-2 (102): saves 210 credits a day.');
    expect(text).not.toContain('db-1');
  });

  it('reads no cost that is not theirs to see', async () => {
    const sandbox = await play({ env: ADMIN, faultPoints: onlyWeb('usage:read') });
    const text = await answerTo(sandbox, 'ana', '/billing what-if stop web-1 db-1, remove llm from web-1');
    expect(text).toContain(
      '• Stop web-1 (101), db-1 (105): saves 105 credits a day. Not counted: db-1 (105), whose cost is unknown.',
    );
    expect(text).toContain('• Remove llm from web-1 (101): saves 45 credits a day.');
  });

  it('reads of no add-on that is not theirs to see', async () => {
    const sandbox = await play({ env: ADMIN, faultPoints: onlyWeb('addons:read') });
    const text = await answerTo(
      sandbox,
      'ana',
      '/billing what-if remove backup from db-1, add backup to web-1',
    );
    expect(text).toContain('• Remove backup: nothing changes. db-1 (105) has no such add-on.');
    expect(text).toContain('• Add backup to web-1 (101): what that changes is unknown');
  });
});
