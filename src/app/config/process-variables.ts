import { z } from 'zod';
import { passwordsIn } from '../../platform/redis/address.ts';
import { RISKS } from '../../platform/redis/fitness.ts';
import { faultOfCollector, faultOfProxyUrl, faultOfRedisUrl } from './addresses.ts';
import { certificate, privateKey } from './hosting-variables.ts';
import { pairs, pairsIn, passwordIn, safeUrl, without, words } from './schemas.ts';
import type { VariableTree } from './variable.ts';

/** The address of a proxy as curl reads it. */
function withScheme(text: string): string {
  return /^[a-z0-9+.-]+:\/\//i.test(text) ? text : `http://${text}`;
}

const proxyUrl = z.string().transform(withScheme).pipe(without(faultOfProxyUrl)).optional();
const PORTS = 'must be a number from 0 to 65535';

/** The Redis that has everything that the bot keeps, what stands between the bot and the others, and the process itself. */
export const PROCESS = {
  redis: {
    url: {
      name: 'REDIS_URL',
      about: 'Redis >= 6.2 or Valkey',
      default: 'redis://127.0.0.1:6379',
      secret: true,
      hidden: passwordsIn,
      schema: without(faultOfRedisUrl),
    },
    replicas: {
      name: 'REDIS_REPLICAS',
      about:
        'Replicas that must have what is written before anything is acknowledged, sent or posted: 0 to 5',
      default: '0',
      isGuard: true,
      schema: z
        .string()
        .regex(/^[0-5]$/, 'must be a number from 0 to 5')
        .transform(Number),
    },
    isVouchedFor: {
      name: 'REDIS_DURABLE',
      about:
        'What keeps the writes that Redis has answered: its append-only `file`, which is checked, or a managed `service` by itself, for which you vouch',
      default: 'file',
      schema: z.enum(['file', 'service']).transform((what) => what === 'service'),
    },
    certificate: {
      cert: {
        name: 'REDIS_CLIENT_CERT',
        about: 'Certificate in PEM that the bot shows Redis and its Sentinels, where they ask for one',
        secret: true,
        needs: ['REDIS_CLIENT_KEY'],
        schema: certificate,
      },
      key: {
        name: 'REDIS_CLIENT_KEY',
        about: 'Its private key in PEM, without a passphrase',
        secret: true,
        needs: ['REDIS_CLIENT_CERT'],
        schema: privateKey,
      },
    },
  },
  /** Put before every key. */
  redisPrefix: {
    name: 'REDIS_PREFIX',
    about: 'Put before every key in Redis, so that several deployments can share one: `staging`',
    isGuard: true,
    schema: z
      .string()
      .regex(/^(?!lamplighter$)[A-Za-z0-9_.-]{1,40}$/, 'must be one word like staging, and not lamplighter')
      .transform((word) => `${word}:`)
      .default(''),
  },
  /** Through which Slack and the hosting service are reached. Read in lower case first, as curl and Node do. */
  proxies: {
    https: {
      name: 'HTTPS_PROXY',
      about:
        'Address of the HTTP proxy through which Slack and the hosting API are reached, like `http://proxy.example.com:3128`; a user and a password may stand in it',
      secret: true,
      hidden: (text) => passwordIn(withScheme(text)),
      inLowerCase: true,
      schema: proxyUrl,
    },
    http: {
      name: 'HTTP_PROXY',
      about: 'The same for addresses that begin with `http://`, and for all where `HTTPS_PROXY` is not set',
      secret: true,
      hidden: (text) => passwordIn(withScheme(text)),
      inLowerCase: true,
      schema: proxyUrl,
    },
    except: {
      name: 'NO_PROXY',
      about:
        'Hosts that are reached without it, separated by commas: names, which count with all below them, or single addresses, each with a port or without; `*` for all',
      inLowerCase: true,
      schema: z.string().optional(),
    },
  },
  host: {
    name: 'HOST',
    about: 'Address to listen on',
    default: '127.0.0.1',
    schema: z.string().min(1),
  },
  port: {
    name: 'PORT',
    about: 'Port to listen on',
    default: '3000',
    schema: z
      .string()
      .regex(/^\d{1,5}$/, PORTS)
      .transform(Number)
      .pipe(z.number().max(65_535, PORTS)),
  },
  role: {
    name: 'LAMPLIGHTER_ROLE',
    about: 'What this process does: `all`, `web` or `worker`',
    default: 'all',
    schema: z.enum(['all', 'web', 'worker']),
  },
  allowed: {
    name: 'LAMPLIGHTER_ALLOW',
    about: `Risks to start with anyway, separated by commas: ${RISKS.map((risk) => `\`${risk}\``).join(', ')}`,
    schema: words.pipe(z.array(z.enum(RISKS, `must be some of ${RISKS.join(', ')}`))).default([]),
  },
  /** The mark of the deployment whose state is taken over. */
  takeOver: {
    name: 'LAMPLIGHTER_TAKE_OVER',
    about:
      'Takes over what another deployment keeps in Redis; the bot names the value when it refuses to start',
    schema: z
      .string()
      .regex(/^[A-Za-z0-9_-]{4,40}$/, 'must be a mark as the bot says it')
      .optional(),
  },
  /** What a monitor outside has called; undefined for nothing. */
  heartbeatUrl: {
    name: 'HEARTBEAT_URL',
    about: 'Address of a monitor outside, which is called each minute in which the work was really done',
    secret: true,
    schema: safeUrl.optional(),
  },
  logLevel: {
    name: 'LOG_LEVEL',
    about: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    default: 'info',
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  },
} as const satisfies VariableTree;

/** What a header may hold, and what it may be called. */
const HEADER = /^([!#$%&'*+.^_`|~\w-]{1,100})=([\x20-\x7e]{1,2000})$/;
const ATTRIBUTE = /^([\w.-]{1,100})=([^\s,;="\\]{1,200})$/;
/** A shorter value of a header is a word of some sort, which must not eat into the log. */
const SHORTEST_SECRET = 8;

/** Where traces of what people ask for go, by the names that OpenTelemetry gives these. */
export const TRACES = {
  traces: {
    url: {
      name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      about:
        'Where traces go: an OpenTelemetry collector that takes HTTP with JSON, like `http://collector:4318`. Without it there are none',
      schema: without(faultOfCollector)
        .transform((base) => `${base.replace(/\/$/, '')}/v1/traces`)
        .optional(),
    },
    headers: {
      name: 'OTEL_EXPORTER_OTLP_HEADERS',
      about: 'What they are sent with, like `api-key=…`, separated by commas, each value as in a URL',
      secret: true,
      hidden: (text) => [
        text,
        ...Object.values(pairsIn(text, HEADER) ?? {}).filter((value) => value.length >= SHORTEST_SECRET),
      ],
      schema: pairs(HEADER).default({}),
    },
    serviceName: {
      name: 'OTEL_SERVICE_NAME',
      about: 'What the bot is called there',
      default: 'lamplighter',
      schema: z.string().regex(/^[\w .-]{1,100}$/, 'must be a short name like lamplighter'),
    },
    attributes: {
      name: 'OTEL_RESOURCE_ATTRIBUTES',
      about: 'What else is said of it there, like `deployment.environment.name=staging`, separated by commas',
      schema: pairs(ATTRIBUTE).default({}),
    },
  },
} as const satisfies VariableTree;
