import { ROLES } from '../../core/policy/permissions.ts';
import { RISKS } from '../../platform/redis/fitness.ts';

/** One line of the README's table, and the only way a variable gets in. */
interface Variable {
  readonly name: string;
  readonly about: string;
  /** When the bot doesn't start without it: never where this is left out. */
  readonly required?: 'always' | 'over HTTP';
  readonly default?: string;
  readonly secret?: true;
  /** Set and empty says something else than not set. */
  readonly isEmptyMeant?: true;
}

/** Every variable the bot reads. The README's table is held to this list by a test. */
export const VARIABLES: readonly Variable[] = [
  { name: 'SLACK_BOT_TOKEN', about: 'Bot token (`xoxb-…`)', required: 'always', secret: true },
  {
    name: 'SLACK_SIGNING_SECRET',
    about: 'Signing secret; not needed in Socket Mode or by a worker',
    required: 'over HTTP',
    secret: true,
  },
  { name: 'SLACK_APP_TOKEN', about: 'App token (`xapp-…`); set: Socket Mode, else HTTP', secret: true },
  { name: 'SLACK_API_URL', about: 'Where the Slack Web API is', default: 'https://slack.com/api/' },
  {
    name: 'SLACK_COMMAND_PREFIX',
    about: 'Put before every command: `staging-` makes `/staging-instances`',
  },
  { name: 'HOSTING_API_URL', about: 'The hosting API, with or without `/api/v1`', required: 'always' },
  { name: 'HOSTING_API_TOKEN', about: 'API key of the hosting service', required: 'always', secret: true },
  { name: 'HOSTING_API_AUTH_HEADER', about: 'Header that carries the key', default: 'Authorization' },
  {
    name: 'HOSTING_API_AUTH_SCHEME',
    about: 'Word before the key in that header; empty for none',
    default: 'Bearer',
    isEmptyMeant: true,
  },
  { name: 'BILLING_UNIT', about: 'What the service counts in, as people call it', default: 'credits' },
  {
    name: 'BILLING_CHECK_EVERY',
    about: 'How often the balance is read: `30s`, `5m`; at least `1s`, at most `24h`',
    default: '5m',
  },
  {
    name: 'BILLING_BLIND_AFTER',
    about: 'How long the balance may be unreadable before that is said; at most `24h`',
    default: '30m',
  },
  {
    name: 'BILLING_WARN',
    about:
      "When to warn: days left like `5d`, or a balance like `500`; set, it can't be changed in Slack (else `5d`)",
  },
  {
    name: 'BILLING_CRITICAL',
    about:
      'When it is critical, in the unit of warn (else 0.4 of warn, at most `2d`; alone, warn is 2.5 times it)',
  },
  {
    name: 'BILLING_CHANNELS',
    about: 'Ids of the channels in which everybody may see the figures; alerts go to the first',
  },
  {
    name: 'BILLING_ESCALATE_TO',
    about: 'Slack user ids who are told alone when nobody is on a critical balance',
  },
  { name: 'REDIS_URL', about: 'Redis >= 6.2 or Valkey', default: 'redis://127.0.0.1:6379', secret: true },
  { name: 'HOST', about: 'Address to listen on', default: '127.0.0.1' },
  { name: 'PORT', about: 'Port to listen on', default: '3000' },
  { name: 'LAMPLIGHTER_ADMINS', about: 'Slack user ids with every right, separated by commas' },
  {
    name: 'LAMPLIGHTER_EVERYONE',
    about: `Role of every full member: ${ROLES.map((role) => `\`${role}\``).join(', ')} or \`none\``,
    default: 'none',
  },
  { name: 'LAMPLIGHTER_ROLE', about: 'What this process does: `all`, `web` or `worker`', default: 'all' },
  {
    name: 'LAMPLIGHTER_PROTECTED',
    about:
      'Instances that can not be deleted here, and ask before a stop or restart: names like `prod-*`, or ids',
  },
  {
    name: 'LAMPLIGHTER_DELETE_GRACE',
    about: 'How long a deletion can be cancelled: `90s`, `2m`; at least `10s`, at most `1h`',
    default: '2m',
  },
  {
    name: 'LAMPLIGHTER_ALLOW',
    about: `Risks to start with all the same, separated by commas: ${RISKS.map((risk) => `\`${risk}\``).join(', ')}`,
  },
  {
    name: 'LOG_LEVEL',
    about: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    default: 'info',
  },
];
