import type { ChannelFacts, TokenFacts } from '../../platform/slack/examiner.ts';
import { channel, join, type Phrase, say } from '../../platform/slack/phrase.ts';
import { type Finding, fault, note, ok, warn } from './finding.ts';

/** A scope that the manifest lists, and what the bot can't do without it. */
interface Scope {
  readonly name: string;
  readonly without: string;
  /** Whether the bot is of no use without it. */
  readonly isVital?: true;
  /** Whether it can be left out at the installation, and all else works. */
  readonly isOptional?: true;
}

/** The bot's scopes as manifest.yml lists them, in its order: the manifest itself is not shipped with the bot. */
export const SCOPES: readonly Scope[] = [
  { name: 'commands', without: 'nobody can type a command', isVital: true },
  { name: 'app_mentions:read', without: 'nobody can mention me, so I am deaf in threads' },
  { name: 'assistant:write', without: 'Slack offers nothing to say in the conversation with me' },
  { name: 'chat:write', without: 'I can post nothing', isVital: true },
  { name: 'chat:write.public', without: 'I can post only where I was invited' },
  { name: 'im:write', without: 'I can tell nobody in a direct message' },
  { name: 'users:read', without: "I can check nobody's role", isVital: true },
  {
    name: 'users:read.email',
    without: "I can't tell that two accounts are one person's, who then could approve their own request",
  },
  { name: 'usergroups:read', without: 'a role given to a user group counts for nobody' },
  {
    name: 'im:history',
    without: `I don't hear what is typed to me in direct messages, and ${mayAppearTwice('them')}`,
  },
  { name: 'files:write', without: 'nobody gets transactions or the audit as a file', isOptional: true },
  {
    name: 'dnd:read',
    without: 'I may ask people for an approval who have paused their notifications',
    isOptional: true,
  },
  { name: 'channels:read', without: "I can't look at the public channels that I post to", isOptional: true },
  { name: 'groups:read', without: "I can't look at the private channels that I post to", isOptional: true },
  { name: 'channels:history', without: mayAppearTwice('public channels'), isOptional: true },
  { name: 'groups:history', without: mayAppearTwice('private channels'), isOptional: true },
  { name: 'mpim:history', without: mayAppearTwice('group messages'), isOptional: true },
];

function mayAppearTwice(where: string): string {
  return `a message in ${where} may appear twice after a lost answer`;
}

/** A channel that is posted to, what for, and who named it. */
export interface NamedChannel {
  readonly channelId: string;
  readonly uses: readonly ('alerts' | 'digest' | 'figures' | 'card')[];
  readonly from: 'configuration' | 'Slack' | 'who asks';
}

const REINSTALL = say`Put manifest.yml into the app's settings and install it again.`;

/** What the token is and may do, held against the manifest. Pure. */
export function judgeToken({ user, team, isOrgWide, scopes }: TokenFacts): readonly Finding[] {
  const token = isOrgWide
    ? fault(
        say`The token is of an installation for a whole organization, and I work in one workspace.`,
        say`Install the app in that workspace, and put the bot token it gets there into SLACK_BOT_TOKEN; or install it over SLACK_TEAMS, which takes an organization.`,
      )
    : ok(say`The Slack token works: I am ${user} in ${team}.`);
  return [token, ...judgeScopes(scopes)];
}

function judgeScopes(scopes: readonly string[] | undefined): readonly Finding[] {
  if (!scopes)
    return [
      warn(
        say`Slack doesn't say which scopes the token has.`,
        say`Compare the scopes in the app's settings with manifest.yml.`,
      ),
    ];
  const missing = SCOPES.filter(({ name }) => !scopes.includes(name));
  const surplus = scopes.filter((scope) => SCOPES.every(({ name }) => name !== scope));
  if (missing.length === 0 && surplus.length === 0)
    return [ok(say`The token has the ${SCOPES.length} scopes of the manifest and no other.`)];
  return [
    ...missing.map(({ name, without, isVital, isOptional }) =>
      isOptional
        ? note(say`The optional scope ${name} is left out: ${without}.`)
        : (isVital ? fault : warn)(say`The token lacks the scope ${name}: ${without}.`, REINSTALL),
    ),
    ...(surplus.length === 0
      ? []
      : [
          warn(
            say`The token has scopes that I don't use: ${surplus.join(', ')}.`,
            say`Take them out of the app's settings, unless someone put them there on purpose.`,
          ),
        ]),
  ];
}

/** How it stands with a channel that is posted to; `facts` undefined where the bot can't see it. Pure. */
export function judgeChannel(place: NamedChannel, facts: ChannelFacts | undefined): readonly Finding[] {
  const named = placeWords(place);
  if (!facts)
    return [
      fault(
        say`I can't see ${named}: it is gone, or private and I am not in it.`,
        say`Invite me there. If it is gone: ${otherPlace(place)}.`,
      ),
    ];
  if (facts.isArchived)
    return [
      fault(
        say`${named} is archived, so nothing can be posted there.`,
        say`Unarchive it, or ${otherPlace(place)}.`,
      ),
    ];
  const findings = [
    ...(facts.isMember
      ? []
      : [
          warn(
            say`I am not a member of ${named}, so a message may appear twice there after a lost answer.`,
            say`Invite me there.`,
          ),
        ]),
    ...(facts.isShared
      ? [
          warn(
            say`${named} is shared with people outside your organization, and they see what is posted there.`,
            say`If they should not: ${otherPlace(place)}.`,
          ),
        ]
      : []),
  ];
  if (place.uses.includes('digest') && !place.uses.includes('figures'))
    findings.push(
      warn(
        say`The digest is set for ${channel(place.channelId)}, where figures may no longer be shown, so it is not posted.`,
        say`In a channel where they may be shown, type /billing digest.`,
      ),
    );
  return findings.length > 0 ? findings : [ok(say`${named} can be posted to.`)];
}

/** "#ops (alerts, digest)". */
export function placeWords({ channelId, uses }: Pick<NamedChannel, 'channelId' | 'uses'>): Phrase {
  return say`${channel(channelId)} (${uses.join(', ')})`;
}

/** How the other channel is named that is to take its place. */
function otherPlace({ uses, from }: NamedChannel): Phrase {
  const ways = [
    ...(from === 'configuration' ? [say`name another channel in BILLING_CHANNELS and restart me`] : []),
    ...(from === 'Slack' && (uses.includes('alerts') || uses.includes('figures'))
      ? [say`say /billing alerts here in another channel`]
      : []),
    ...(from === 'who asks' ? [say`ask in another channel`] : []),
    ...(uses.includes('digest') ? [say`say /billing digest in another channel`] : []),
  ];
  return join(ways, ', and ');
}

/** What Slack makes of one sort of block. `faults` undefined: it can't be asked. */
export interface BlockFacts {
  readonly type: string;
  readonly faults: readonly string[] | undefined;
}

/** Whether Slack takes the newest blocks that the bot uses. Pure. */
export function judgeBlocks(facts: readonly BlockFacts[]): readonly Finding[] {
  const types = facts.map(({ type }) => type).join(', ');
  if (facts.every(({ faults }) => faults === undefined))
    return [
      note(say`Whether Slack takes ${types} can't be checked here: this Slack has no blocks.validate.`),
    ];
  const refused = facts.filter(({ faults }) => faults !== undefined && faults.length > 0);
  if (refused.length === 0) return [ok(say`Slack takes the newest blocks that I use: ${types}.`)];
  return refused.map(({ type, faults }) =>
    warn(
      say`Slack refuses the block ${type}: ${faults?.[0] ?? ''}.`,
      say`Nothing is lost, because I send such a message again in a plainer form. Tell the person who maintains me.`,
    ),
  );
}
