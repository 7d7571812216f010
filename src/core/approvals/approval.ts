import { z } from 'zod';
import type { Entry } from '../audit/entry.ts';
import { freezeSchema } from '../policy/freeze.ts';
import { argsSchema } from '../ask/ask.ts';
import { actorSchema, placeSchema } from '../../platform/slack/ids.ts';
import { phraseSchema, toPlainText } from '../../platform/slack/phrase.ts';

/**
 * What one person asked for and a second must approve. It is bound to the verb, its arguments and the instance as it was.
 * Times are Redis' clock, Unix ms.
 */
export const approvalSchema = z.object({
  /** The id of the request that asked. */
  id: z.string(),
  kind: z.string(),
  verb: z.string(),
  /** "restart web-1 (101)", as everybody reads it. */
  what: phraseSchema,
  actor: actorSchema,
  place: placeSchema,
  /** Where who asked reads privately, for as long as nobody has decided it. */
  responseUrl: z.string().optional(),
  instance: z.object({
    id: z.string(),
    name: z.string(),
    createdAt: z.string().optional(),
    status: z.string(),
  }),
  args: argsSchema,
  because: z.string().optional(),
  /** The button that asked, which is used up by what is begun. */
  buttonTokenId: z.string().optional(),
  /** The freezes that stood in its way: an admin is to allow this one change all the same. */
  exceptFrom: z.array(freezeSchema).optional(),
  askedAt: z.number(),
  /** Who is asked by name to approve it, where somebody was found: user groups, or else people. */
  approvers: z.object({ groupIds: z.array(z.string()), userIds: z.array(z.string()) }).optional(),
  /** When they are asked once more, and when they were. */
  askAgainAt: z.number().optional(),
  askedAgainAt: z.number().optional(),
  /** Ids of others who asked for the same while it waited, and are told of its end. */
  followers: z.array(z.string()).optional(),
  expiresAt: z.number(),
  /**
   * How it was decided: by whom, and when. `void`: what was asked for is not there any more as it was;
   * `asker-no-right`: who asked has lost the right to it; `thawed`: what it was to be an exception from is over.
   */
  decided: z
    .object({
      how: z.enum(['approved', 'refused', 'withdrawn', 'expired', 'void', 'asker-no-right', 'thawed']),
      by: z.string().optional(),
      at: z.number(),
      /** The operation that it began. */
      operationId: z.string().optional(),
    })
    .optional(),
  /** The one that waited for the same, which who asked has joined in place of this. */
  joined: z.string().optional(),
});
export type Approval = z.infer<typeof approvalSchema>;

/** When it is asked for once more, or expires by itself; `closed` for one that waits for nobody. Pure. */
export function dueAt(approval: Approval): number | 'closed' {
  const { decided, joined, expiresAt, askAgainAt = expiresAt } = approval;
  if (decided || joined !== undefined) return 'closed';
  return approval.askedAgainAt === undefined ? Math.min(askAgainAt, expiresAt) : expiresAt;
}

/** The approval asked for once more; undefined where that isn't due, or was done. Pure. */
export function askedAgain(approval: Approval, now: number): Approval | undefined {
  const { decided, expiresAt, askAgainAt = expiresAt, askedAgainAt } = approval;
  if (decided || askedAgainAt !== undefined || now < askAgainAt || now >= expiresAt) return undefined;
  return { ...approval, askedAgainAt: now };
}

/** Whether two ask for the very same change of the same instance. Pure. */
export function isSameChange(one: Approval, other: Approval): boolean {
  return (
    one.kind === other.kind &&
    one.instance.id === other.instance.id &&
    JSON.stringify(one.args) === JSON.stringify(other.args) &&
    JSON.stringify(idsOf(one.exceptFrom)) === JSON.stringify(idsOf(other.exceptFrom))
  );
}

function idsOf(freezes: Approval['exceptFrom']): readonly string[] | undefined {
  return freezes?.map(({ id }) => id);
}

/** What the audit keeps of a press on an approval: what it is about. Pure. */
export function aboutApproval({ id, instance, what }: Approval): Pick<Entry, 'of' | 'target' | 'words'> {
  return { of: id, target: { id: instance.id, name: instance.name }, words: toPlainText(what) };
}

/** What the audit keeps of one that ended by itself, under the reference under which it was asked. `at`: Unix ms. Pure. */
export function entryOfExpiry(
  { id, kind, actor, place, instance }: Approval,
  at: number,
  result: 'not-approved' | 'asker-no-right' | 'thawed' = 'not-approved',
): Entry {
  return {
    what: 'expired',
    at,
    requestId: id,
    of: id,
    by: actor.userId,
    channelId: place.channelId,
    route: kind,
    target: { id: instance.id, name: instance.name },
    result,
  };
}

/** The approval with its decision; undefined where it has one. Pure. */
export function decidedAs(
  approval: Approval,
  decided: NonNullable<Approval['decided']>,
): Approval | undefined {
  if (approval.decided) return undefined;
  const { responseUrl: _, ...rest } = approval;
  return { ...rest, decided };
}
