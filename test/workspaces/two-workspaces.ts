import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { ORGANIZATION } from '../../sandbox/people.ts';
import { createSlackDouble, type SlackDouble } from '../../sandbox/slack/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { play, type PlayOptions } from '../support/sandbox.ts';
import { beginInstall, CLIENT, LANTERN, NEW_KEY, PUBLIC_URL, QUARRY, type Shown, show } from './scene.ts';

/** A bot that may be installed in two workspaces, in which all ids of people and channels are the same. */
export interface TwoWorkspaces {
  readonly sandbox: Sandbox;
  readonly lantern: SlackDouble;
  readonly quarry: SlackDouble;
  /** Starts another bot of the same configuration. */
  startBot(): Promise<void>;
  /** Somebody installs the bot over its pages. */
  installs(teamId: string): Promise<Shown>;
  /** Somebody removes it from a workspace, and Slack says so. */
  uninstalls(teamId: string): Promise<void>;
}

/** Slack's API at one address, as it is: the token says which workspace is meant. */
async function openApi(
  lantern: SlackDouble,
  quarry: SlackDouble,
  urls: readonly [string, string],
): Promise<string> {
  return serve(async (request, body) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const method = (request.url ?? '').split('/').at(-1) ?? '';
    const holds = (id: string): boolean => lantern.oauth.tokensOf(id).some((one) => one.token === token);
    // That of an organization says by itself which workspace it means.
    const names = (teamId: string): boolean => body.toString('utf8').includes(`team_id=${teamId}`);
    const isQuarry = holds(QUARRY.id) || (holds(ORGANIZATION.id) && names(QUARRY.id));
    // The first double answers for the tokens of all workspaces, and knows nothing else of the second.
    const goesOn = isQuarry && !method.startsWith('auth.');
    const [base, bearer] = goesOn ? [urls[1], quarry.botToken] : [urls[0], token];
    const answer = await fetch(`${base}${method}`, {
      method: 'POST',
      headers: {
        'content-type': request.headers['content-type'] ?? '',
        ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
      },
      body: goesOn ? body.toString('utf8').replaceAll(QUARRY.id, LANTERN.id) : body,
    });
    if (!goesOn) return answer;
    const said = (await answer.text()).replaceAll(LANTERN.id, QUARRY.id);
    return new Response(said, { status: answer.status, headers: { 'content-type': 'application/json' } });
  });
}

/** What the second double sends, as of another workspace. */
async function openDoor(quarry: SlackDouble, botUrl: () => string): Promise<string> {
  return serve(async (request, body) => {
    const said = body.toString('utf8').replaceAll(LANTERN.id, QUARRY.id);
    const at = String(request.headers['x-slack-request-timestamp']);
    const hash = createHmac('sha256', quarry.signingSecret).update(`v0:${at}:${said}`).digest('hex');
    return fetch(botUrl(), {
      method: 'POST',
      headers: {
        'content-type': request.headers['content-type'] ?? '',
        'x-slack-request-timestamp': at,
        'x-slack-signature': `v0=${hash}`,
      },
      body: said,
    });
  });
}

async function serve(answer: (request: IncomingMessage, body: Buffer) => Promise<Response>): Promise<string> {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part as Uint8Array));
    const given = await answer(request, Buffer.concat(parts));
    response.writeHead(given.status, Object.fromEntries(given.headers));
    response.end(Buffer.from(await given.arrayBuffer()));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Where the bot listens that was started last. */
function urlOfLast({ logs }: Sandbox): string {
  const ports = [...logs.join('').matchAll(/"port":(\d+)/g)];
  return `http://127.0.0.1:${ports.at(-1)?.[1]}`;
}

export async function playTwoWorkspaces(options: PlayOptions = {}): Promise<TwoWorkspaces> {
  const oauth = { ...CLIENT, teams: [LANTERN, QUARRY], ...options.slack?.oauth };
  const isOrganization = options.slack?.inOrganization === true;
  // Each call goes through one more server here.
  const timings = { slackTimeoutMs: 5_000, ...options.timings };
  const sandbox = await play({ ...options, timings, bot: false, slack: { ...options.slack, oauth } });
  const { slack: lantern } = sandbox;
  const quarry = createSlackDouble(isOrganization ? { inOrganization: 'org-wide token' } : {});
  const { apiUrl: quarryUrl } = await quarry.start();
  onTestFinished(() => quarry.stop());
  const api = await openApi(lantern, quarry, [sandbox.env['SLACK_API_URL'] ?? '', quarryUrl]);
  const door = await openDoor(quarry, () => `${urlOfLast(sandbox)}/slack/events`);
  const env = {
    SLACK_BOT_TOKEN: '',
    SLACK_API_URL: `${api}/api/`,
    SLACK_TEAMS: `${LANTERN.id},${QUARRY.id}`,
    SLACK_CLIENT_ID: CLIENT.clientId,
    SLACK_CLIENT_SECRET: CLIENT.clientSecret,
    SLACK_PUBLIC_URL: PUBLIC_URL,
    LAMPLIGHTER_TOKEN_KEYS: NEW_KEY,
  };
  const startBot = async (): Promise<void> => {
    await sandbox.startBot({ ...env, ...options.env });
  };
  await startBot();
  quarry.connect({ requestUrl: `${door}/slack/events` });
  return {
    sandbox,
    lantern,
    quarry,
    startBot,
    installs: async (teamId) => {
      const url = urlOfLast(sandbox);
      const browser = await beginInstall({ url });
      const back = lantern.oauth.answers(browser.authorizeUrl, teamId);
      return show(back.replace(PUBLIC_URL, url), browser.cookie);
    },
    uninstalls: async (teamId) => {
      await lantern.oauth.uninstall(teamId);
    },
  };
}
