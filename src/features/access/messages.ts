import type { Policy } from '../../core/policy/decide.ts';
import { type Grant, isOpen } from '../../core/policy/grant.ts';
import { granteeWords, holds, roleWords } from '../../core/policy/messages.ts';
import { type Message, upTo } from '../../platform/slack/message.ts';
import { person, type Phrase, say } from '../../platform/slack/phrase.ts';

export const ACCESS_ROUTE = 'lamplighter.access';

/** The button that asks those who can give a right for it. */
export const ASK_ROUTE = 'access.ask';

/** The buttons about all that somebody holds: to be shown it and asked, to end it, to leave it. */
export const LEAVING_ROUTES = {
  ask: 'access.revoke-all',
  end: 'access.revoke-everything',
} as const;

/** "@ana: operator on staging-* until Monday, by @admin." */
function grantLine(grant: Grant, rolesFile: string | undefined): Phrase {
  const by = rolesFile ?? person(grant.by);
  return say`${granteeWords(grant.to)}: ${roleWords(grant)}, by ${by}.`;
}

/** Who holds which role, for an admin. `now`: Redis' clock, Unix ms. */
export function everybodysRoles(
  {
    admins,
    everyone,
    grants,
    rolesFile,
  }: Pick<Policy, 'admins' | 'everyone' | 'rolesFile'> & { readonly grants: readonly Grant[] },
  now: number,
): Message {
  const open = grants.filter((one) => isOpen(one, now));
  const all =
    everyone === 'none' ? say`Nobody has a role by default.` : say`Every full member is ${everyone}.`;
  const held = admins.length + open.length;
  const none = rolesFile === undefined ? say`No role has been given yet.` : say`${rolesFile} gives no role.`;
  return {
    lines: [
      all,
      ...(held === 0 || (open.length === 0 && rolesFile !== undefined) ? [none] : []),
      ...(held === 0 ? [] : [say`${held === 1 ? 'One role' : `${held} roles`} held:`]),
    ],
    bullets: [
      ...admins.map((userId) => say`${person(userId)}: admin, by the configuration.`),
      ...open.map((one) => grantLine(one, rolesFile)),
    ],
    note:
      rolesFile === undefined
        ? say`To give a role, type "/lamplighter access grant operator @ana". You can add on staging-*, in #ops or for 8h. To take it back, type revoke in place of grant.`
        : say`Roles are kept in ${rolesFile} and change with that file alone; roles that were given in Slack don't count.`,
  };
}

/** To an admin who gives a role or takes one back, where a file says who has which. */
export function keptInFile(rolesFile: string): Phrase {
  return say`Roles are kept in ${rolesFile}, so they can't be changed here. The person who keeps that file can change them.`;
}

/**
 * What one person holds, for themselves. `no`: why nothing comes of it here; `given`: the roles that they may give and take
 * back, which others hold.
 */
export function ownRoles({
  own,
  no,
  given,
  rolesFile,
}: {
  readonly own: readonly Phrase[];
  readonly no: Phrase | undefined;
  readonly given: readonly Grant[];
  readonly rolesFile: string | undefined;
}): Message {
  const head = own.length === 0 ? say`You have no role here.` : say`Your roles:`;
  return {
    lines: [head, ...(no ? [no] : [])],
    ...(own.length + given.length === 0
      ? {}
      : { bullets: [...own, ...given.map((one) => grantLine(one, rolesFile))] }),
  };
}

/** Somebody holds exactly that already. */
export function heldAlready(grant: Grant): Phrase {
  return say`${granteeWords(grant.to)} already has this role: ${roleWords(grant)}.`;
}

/** What an admin reads after giving roles. `held`: what was there already; `endsWithTheirs`: the end is that of the admin's own role. */
export function grantedMessage(
  grants: readonly Grant[],
  held: readonly Grant[],
  endsWithTheirs: boolean,
): Message {
  return {
    lines: [
      ...grants.map((grant) => say`${granteeWords(grant.to)} ${holds(grant, 'is')} now.`),
      ...held.map(heldAlready),
      ...(endsWithTheirs ? [say`It ends when your own role does.`] : []),
    ],
    note: say`Applies immediately, including to pending requests.`,
  };
}

const MAX_STAYING = 10;

/** What an admin reads after taking roles back. `staying`: what those who held them gave others, which counts still; `agents`: the names of those that they added. */
export function revokedMessage(
  grants: readonly Grant[],
  staying: readonly Grant[],
  agents: readonly string[],
): Message {
  return {
    lines: [
      ...grants.map((grant) => say`${granteeWords(grant.to)} ${holds(grant, 'is no longer')}.`),
      ...(agents.length > 0
        ? [
            say`The agents they added can still ask: ${agents.join(', ')}. To end one, type /lamplighter agent revoke and its name.`,
          ]
        : []),
      ...(staying.length > 0
        ? [say`The roles they gave to others still apply. To end one, revoke it too:`]
        : []),
    ],
    ...upTo(
      MAX_STAYING,
      staying.map((one) => grantLine(one, undefined)),
    ),
    note: say`Anything they asked for with that role that is still waiting won't be done.`,
  };
}

/** What the person whom a change concerns reads. */
export function toldGranted(grant: Grant): Message {
  return {
    lines: [
      say`🔑 ${person(grant.by)} gave you a role: you ${holds(grant, 'are')} now.`,
      say`Type /lamplighter help to see what you can do now.`,
    ],
  };
}

export function toldRevoked(grant: Grant, by: string): Message {
  return { lines: [say`🔑 ${person(by)} took your role back: you ${holds(grant, 'are no longer')}.`] };
}
