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
