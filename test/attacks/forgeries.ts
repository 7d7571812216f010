import { createHmac } from 'node:crypto';
import { type Dice, mutateText } from './dice.ts';
import { FORM, type Genuine, JSON_TYPE, type Knock, sign } from './knocking.ts';

/** A request that the bot must refuse, and with which status. */
export type Forgery = (dice: Dice, genuine: Genuine, secret: string) => Knock & { readonly expected: number };

const seconds = (offset = 0): string => String(Math.floor(Date.now() / 1000) + offset);

/** A request that is right in everything but what `over` says. */
export function knock(
  secret: string,
  { body, type }: Pick<Genuine, 'body' | 'type'>,
  over: { method?: string; path?: string; headers?: Knock['headers']; timestamp?: string } = {},
): Knock {
  const timestamp = over.timestamp ?? seconds();
  return {
    method: over.method ?? 'POST',
    path: over.path ?? '/slack/events',
    headers: {
      'content-type': type,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': sign(secret, timestamp, body),
      ...over.headers,
    },
    body,
  };
}

/** Another body under the signature of the genuine one. */
const underItsSignature = (
  secret: string,
  genuine: Genuine,
  body: Buffer,
  type = genuine.type,
): ReturnType<Forgery> => ({
  ...knock(secret, genuine, { headers: { 'content-type': type } }),
  body: body.equals(genuine.body) ? Buffer.concat([body, Buffer.from(' ')]) : body,
  expected: 401,
});

const METHODS = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const PATHS =
  `/ * /api /slack /healthz /metrics /slack/commands /slack/event /slack/events/ //slack/events /SLACK/EVENTS
  /slack%2fevents /slack\\events /slack/events%00 /slack/events;x /slack/events#x /./slack/events
  /x/../slack/events http://127.0.0.1/slack/events`.split(/\s+/);

/** Ways to forge a request, each of them certain to make it one that Slack never sent. */
export const FORGERIES: Readonly<Record<string, Forgery>> = {
  'bytes changed': (dice, genuine, secret) => {
    const body = Buffer.from(genuine.body);
    for (let times = 1 + dice.below(6); times > 0; times--)
      body[dice.below(body.length)]! ^= 1 + dice.below(255);
    return underItsSignature(secret, genuine, body);
  },
  'bytes cut or put in': (dice, genuine, secret) =>
    underItsSignature(secret, genuine, Buffer.from(mutateText(dice, genuine.body.toString()))),
  'another body under its signature': (dice, genuine, secret) => {
    const bodies = ['payload=null', 'null', '', `ssl_check=1&${genuine.body.toString()}`, '['.repeat(20_000)];
    bodies.push(
      `${genuine.body.toString()}&${genuine.body.toString()}`,
      '{"type":"url_verification","challenge":"x"}',
    );
    return underItsSignature(
      secret,
      genuine,
      Buffer.from(dice.pick(bodies)),
      dice.pick([FORM, JSON_TYPE, '', 'text/x']),
    );
  },
  'a signature that is none': (dice, genuine, secret) => {
    const timestamp = seconds();
    const right = sign(secret, timestamp, genuine.body);
    const wrong: Knock['headers'][string][] = [
      '',
      right.slice(3),
      right.replace('=', ''),
      right.replace('v0=', dice.pick(['v1=', 'V0=', 'v00=', 'v0==', 'v0:', '=', 'v0= '])),
      `v0=${right.slice(3).toUpperCase()}`,
      right.slice(0, dice.below(right.length)),
      `${right}${dice.pick(['0', '=', '\u00A0', ',', ';', '\u00FF'])}`,
      [right, right],
      [sign('other', timestamp, genuine.body), right],
      [right, 'v0=00'],
      `${right}, ${right}`,
      sign(`${secret} `, timestamp, genuine.body),
      sign('', timestamp, genuine.body),
      sign(secret, String(Number(timestamp) - 1), genuine.body),
      sign(secret, '', genuine.body),
      `v0=${createHmac('sha1', secret).update(`v0:${timestamp}:`).update(genuine.body).digest('hex')}`,
      `v0=${createHmac('sha256', secret).update(genuine.body).digest('hex')}`,
      `v0=${'0'.repeat(64)}`,
    ];
    return {
      ...knock(secret, genuine, { timestamp, headers: { 'x-slack-signature': dice.pick(wrong) } }),
      expected: 401,
    };
  },
  'a header left out': (dice, genuine, secret) => {
    const { headers, ...rest } = knock(secret, genuine);
    const left = dice.pick(['x-slack-signature', 'x-slack-request-timestamp']);
    return {
      ...rest,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== left)),
      expected: 401,
    };
  },
  'a time that Slack would not give, well signed': (dice, genuine, secret) => {
    // Half a minute more than is allowed, so that a slow machine doesn't make it right.
    const far = 330 + dice.below(10 ** 9);
    const now = seconds();
    const hex = `0x${Number(now).toString(16)}`;
    const times = [
      seconds(-far),
      seconds(far),
      `-${now}`,
      `${now}.0`,
      `${now}abc`,
      `${now},`,
      `${now}, ${now}`,
      hex,
    ];
    const others = [
      '',
      'NaN',
      'null',
      'Infinity',
      '-1',
      '+1',
      '0',
      '1e9',
      String(2 ** 53),
      String(Date.now()),
    ];
    const long = ['9'.repeat(13), '9'.repeat(400), '0'.repeat(21)];
    return {
      ...knock(secret, genuine, { timestamp: dice.pick([...times, ...others, ...long]) }),
      expected: 401,
    };
  },
  'a body said to be compressed, well signed': (dice, genuine, secret) => ({
    ...knock(secret, genuine, {
      headers: { 'content-encoding': dice.pick(['gzip', 'br', 'identity', 'x', '', 'gzip, gzip']) },
    }),
    expected: 415,
  }),
  'another path or method, well signed': (dice, genuine, secret) => {
    return dice.oneIn(3)
      ? {
          ...knock(secret, genuine, {
            method: dice.pick(METHODS),
          }),
          expected: 404,
        }
      : { ...knock(secret, genuine, { path: dice.pick(PATHS) }), expected: 404 };
  },
  'a secret that is guessed, with a query and any type': (dice, genuine, secret) => ({
    ...knock(dice.pick(['', 'secret', secret.slice(1), secret.toUpperCase(), ` ${secret}`]), genuine, {
      path: `/slack/events${dice.pick(['', '?', '?ssl_check=1', '?payload=null', '?x=/slack/events'])}`,
      headers: {
        'content-type': dice.pick([
          '',
          FORM,
          JSON_TYPE,
          'multipart/form-data; boundary=x',
          `${FORM};${FORM}`,
        ]),
      },
    }),
    expected: 401,
  }),
};
