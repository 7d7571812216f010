import { z } from 'zod';
import type { ChangesDeps } from '../../src/app/features-deps.ts';
import { type Change, change } from '../../src/core/changes/change.ts';
import { direct } from '../../src/platform/http/way-out.ts';
import { BEARER } from '../../src/platform/hosting/auth.ts';
import { createCredentials } from '../../src/platform/hosting/credentials.ts';
import { createRequester } from '../../src/platform/hosting/request.ts';
import { say, strong } from '../../src/platform/slack/phrase.ts';

const args = z.object({ name: z.string().regex(/^[a-z][a-z0-9-]{1,40}$/, 'use a-z, 0-9 and -') });

/** `/instances rename web-1 frontend`: a whole verb, declared outside the bot. The recipe in CONTRIBUTING.md is this file. */
export function renameChange({ config, hosting, clock }: ChangesDeps): Change {
  const requester = createRequester({
    origin: config.hosting.url ?? '',
    wayOut: direct,
    credentials: createCredentials({
      auth: BEARER,
      key: config.hosting.token,
    }),
    budget: { take: async () => undefined, pause: async () => undefined },
    timeoutMs: 1_500,
    redact: (text) => text,
  });
  return change({
    id: 'instances.rename',
    verb: 'rename',
    permission: 'instances:power',
    usage: '<name or id> <new name> [--because "…"] [--dry-run]',
    summary: 'give one instance another name',
    example: 'rename web-1 frontend',
    words: { doing: 'Renaming', done: 'Renamed', isBeing: 'being renamed' },
    args,
    object: (instance, { name }) => say`${instance} to ${strong(name)}`,
    check: async ({ instance, args: { name }, isConfirmed }) => {
      if (isConfirmed) return {};
      return {
        question: {
          lines: [
            say`Rename ${strong(instance.name)} to ${strong(name)}?`,
            say`Its address changes with its name. Nothing has been done yet.`,
          ],
        },
      };
    },
    confirm: { how: 'button', label: 'Rename' },
    observer: {
      observe: async () => async (operation) => {
        const instance = await hosting.findInstance(operation.subject.id, { priority: 'poll' });
        return { status: instance?.status ?? 'gone', word: instance?.name ?? 'gone', at: clock.now() };
      },
    },
    send: async ({ subject, args: { name } }, { beforeSend }) => {
      const path = `/api/v1/instances/${encodeURIComponent(subject.id)}`;
      await requester.write({ doing: 'renaming', method: 'PATCH', path, body: { name }, beforeSend });
      return {};
    },
    rule: { repeats: 'if-unchanged', isReached: ({ word }, { name }) => word === name },
  });
}
