import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { FaultPoints } from '../../src/core/base.ts';
import { answerTo, play } from '../support/sandbox.ts';

const GRANT = '/lamplighter access grant';
const REVOKE = '/lamplighter access revoke';
const ENV = { LAMPLIGHTER_EVERYONE: 'none' };

/** Holds the next change of who may what, once its person's right to it was looked at. */
interface Hold {
  readonly faultPoints: FaultPoints;
  /** Resolves when a change is held. */
  next(): Promise<{ release(): void }>;
}

function holdingChanges(): Hold {
  let onHeld: ((held: { release(): void }) => void) | undefined;
  return {
    faultPoints: (name, part) =>
      name === 'access record'
        ? new Proxy(part, {
            get: (of, method, receiver): unknown => {
              const call: unknown = Reflect.get(of, method, receiver);
              if (method !== 'change' || typeof call !== 'function') return call;
              return async (...args: unknown[]) => {
                const held = onHeld;
                onHeld = undefined;
                if (held) await new Promise<void>((release) => held({ release }));
                return Reflect.apply(call, of, args);
              };
            },
          })
        : part,
    next: () => new Promise((resolve) => (onHeld = resolve)),
  };
}

async function open(): Promise<{ sandbox: Sandbox; hold: Hold }> {
  const hold = holdingChanges();
  return { sandbox: await play({ env: ENV, faultPoints: hold.faultPoints }), hold };
}

/** Has @ana type a line, and `meanwhile` happen when all but its writing is done. Gives what she reads. */
async function overtaken(
  { sandbox, hold }: Awaited<ReturnType<typeof open>>,
  line: string,
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const isHeld = hold.next();
  const answer = answerTo(sandbox, 'ana', line);
  const held = await isHeld;
  await meanwhile();
  held.release();
  return answer;
}

describe('what an admin sets just as their role is taken back or narrowed', () => {
  it.each([
    ['gives no role', `${GRANT} admin @bob`, /took your admin role back/],
    ['takes none back', `${REVOKE} operator @fin`, /took your admin role back/],
    ['ends no freeze', '/lamplighter thaw', /took your admin role back/],
  ])('%s', async (_what, line, no) => {
    const { sandbox, hold } = await open();
    await answerTo(sandbox, 'admin', `${GRANT} admin @ana`);
    await answerTo(sandbox, 'admin', `${GRANT} operator @fin`);
    await answerTo(sandbox, 'admin', '/lamplighter freeze "release"');
    const reads = await overtaken({ sandbox, hold }, line, () =>
      answerTo(sandbox, 'admin', `${REVOKE} admin @ana`),
    );
    expect(reads).toMatch(no);
    const roles = await answerTo(sandbox, 'admin', '/lamplighter access');
    expect(roles).not.toContain('@bob');
    expect(roles).toContain('@fin: operator');
    expect(await answerTo(sandbox, 'admin', '/lamplighter freeze')).toContain('froze everything');
  });

  it('takes the place of no role that was given meanwhile and lasts longer than theirs', async () => {
    const { sandbox, hold } = await open();
    await answerTo(sandbox, 'admin', `${GRANT} admin @ana for 30m`);
    const reads = await overtaken({ sandbox, hold }, `${GRANT} operator @bob for 5m`, () =>
      answerTo(sandbox, 'admin', `${GRANT} operator @bob`),
    );
    expect(reads).toContain('only until');
    expect(await answerTo(sandbox, 'admin', '/lamplighter access')).toContain('@bob: operator, by @admin.');
  });

  it('is done where somebody else has set something that takes nothing from them', async () => {
    const { sandbox, hold } = await open();
    await answerTo(sandbox, 'admin', `${GRANT} admin @ana`);
    const reads = await overtaken({ sandbox, hold }, `${GRANT} viewer @bob`, () =>
      answerTo(sandbox, 'admin', `${GRANT} viewer @fin`),
    );
    expect(reads).toContain('@bob is a viewer now.');
  });
});

it('who has just left the user group that is an admin gives nobody a role, whatever was said of it a moment ago', async () => {
  const { sandbox } = await open();
  await answerTo(sandbox, 'admin', `${GRANT} admin @oncall`);
  expect(await answerTo(sandbox, 'ana', `${GRANT} viewer @bob`)).toContain('@bob is a viewer now.');
  sandbox.slack.membersOf('@oncall').delete('ana');
  expect(await answerTo(sandbox, 'ana', `${GRANT} admin @ana`)).toContain('You need the admin role');
  expect(await answerTo(sandbox, 'ana', '/lamplighter freeze "mine"')).toContain('You need the admin role');
  expect(await answerTo(sandbox, 'admin', '/lamplighter access')).not.toContain('@ana:');
});
