import { tellAgain } from './acting/event.ts';
import { Person } from './acting/person.ts';
import { runStep } from './acting/workflow.ts';
import { inputsAsLeft } from './acting/state.ts';
import { createSlackServer } from './api/server.ts';
import { sendRaw } from './bot/raw-request.ts';
import { createOAuthHandle } from './oauth/oauth-handle.ts';
import { dump } from './reading/dump.ts';
import { readMessage, renderView, transcript } from './reading/transcript.ts';
import { settingsOf } from './settings.ts';
import { BOT, TEAM } from '../people.ts';
import { createChannelHandle } from './workspace/channel-handle.ts';
import { PostedMessage } from './workspace/posted-message.ts';
import type { SlackDouble, SlackDoubleOptions } from './slack-double.ts';
import type { Workspace } from './workspace/workspace.ts';
import { addressesAt, createWorld, type World } from './world.ts';

/** How long a change is waited for: a busy machine is no reason to give up. */
const LIMIT_MS = 90_000;

/** Builds a Slack workspace that speaks real HTTP and Socket Mode. `start()` it, then `connect()` the bot. */
export function createSlackDouble(options: SlackDoubleOptions = {}): SlackDouble {
  const settings = settingsOf(options);
  const world = createWorld(settings);
  const { calls, door, faults, sockets, workspace } = world;
  const server = createSlackServer(world);
  return {
    signingSecret: settings.signingSecret,
    botToken: settings.botToken,
    appToken: settings.appToken,
    get url() {
      return world.baseUrl;
    },
    async start(port) {
      world.baseUrl = await server.listen(port);
      world.addresses = settings.addresses ?? addressesAt(world.baseUrl);
      return { apiUrl: `${world.addresses.api}/api/` };
    },
    async stop() {
      faults.clear();
      world.scheduled.close();
      workspace.changes.close();
      await sockets.close();
      await server.close();
    },
    ...wayToBot(world),

    person: (who) => new Person(world, workspace.getPerson(who).id),
    channel: (which) => createChannelHandle(world, which),
    ...rosterOf(workspace),
    setPerson: (who, changes) => workspace.setPerson({ ...workspace.getPerson(who), ...changes }),

    until: (look, { timeoutMs = LIMIT_MS } = {}) =>
      workspace.changes.until(look, { timeoutMs, describe: () => dump(world) }),
    watch: (look) => workspace.changes.watch(look),
    get calls() {
      return calls.all;
    },
    get refusals() {
      return calls.refusals;
    },
    ...laterActs(world),

    send: (raw) => sendRaw(world, raw),
    replay: (requestId) => door.replay(requestId),
    retry: (requestId, num, reason = 'http_timeout') => door.retry(requestId, num, reason),
    tellAgain: (message, over = {}) => tellAgain(world, workspace.getPerson(message.user), message, over),
    ...stepActs(world),
    get socketCount() {
      return sockets.count;
    },
    disconnectSockets: (reason = 'refresh_requested') => sockets.disconnect(reason),
    cutSockets: () => sockets.cut(),
    sendFrame: (text) => sockets.send(text),
    ...tokenActs(world),
    oauth: createOAuthHandle(world),
    setScope: (scope, isGranted) => world.tokens.setScope(settings.botToken, scope, isGranted),

    rateLimitNext: (method, { retryAfter, channel }) =>
      faults.rateLimitNext(method, {
        retryAfter,
        channel: channel === undefined ? undefined : workspace.getChannel(channel).id,
      }),
    failNext: (method, how) => faults.failNext(method, how),
    loseAnswerOfNext: (method) => faults.loseAnswerOfNext(method),
    dropNext: (method) => faults.dropNext(method),
    hold: (method, { when = 'before' } = {}) => faults.hold(method, when),

    transcript: (channel, viewer) => transcript(workspace, workspace.getChannel(channel), viewer),
    read(message, version) {
      const content =
        version === undefined ? message.content : [...message.edits, message.content].at(version);
      if (!content) throw new Error(`the message has no version ${version}`);
      return readMessage(workspace, content);
    },
    readView: (view) => renderView(workspace, view, inputsAsLeft(world, view)),
    dump: () => dump(world),
    stands: (channel, ts) => stands(workspace, channel, ts),
  };
}

/** A message of the bot that was posted before this Slack began: nobody knows any more what it says. */
function stands(workspace: Workspace, channel: string, ts: string): void {
  const origin = { user: BOT.userId, bot_id: BOT.botId, app_id: BOT.appId, team: TEAM.id };
  const said = { text: 'From before.', blocks: [] };
  workspace.getChannel(channel).add(new PostedMessage({ ts, channel, ...origin }, said));
}

/** Where the bot listens. */
function wayToBot({ door }: World): Pick<SlackDouble, 'connect' | 'agentsUrl'> {
  return {
    connect: ({ requestUrl }) => door.connect([requestUrl].flat()),
    agentsUrl: () => door.agentsUrl,
  };
}

/** What is posted later by itself. */
function laterActs({ scheduled }: World): Pick<SlackDouble, 'scheduled' | 'postDue'> {
  return { scheduled: () => scheduled.pending, postDue: (aheadMs) => scheduled.postDue(aheadMs) };
}

/** What workflows ask of the bot. */
function stepActs(world: World): Pick<SlackDouble, 'runsStep' | 'endOfStep'> {
  return {
    runsStep: (callbackId, inputs, again) => runStep(world, callbackId, inputs, again),
    endOfStep: (id) => world.executions.all.find((one) => one.id === id)?.end,
  };
}

/** What becomes of tokens. */
function tokenActs({ tokens }: World): Pick<SlackDouble, 'revokeToken' | 'restoreToken'> {
  return {
    revokeToken: (token) => tokens.revoke(token),
    restoreToken: (token) => tokens.restore(token),
  };
}

/** Who and what there is in a workspace. */
function rosterOf(
  workspace: Workspace,
): Pick<SlackDouble, 'channelsOf' | 'everybody' | 'usergroups' | 'groupsOf' | 'membersOf'> {
  return {
    channelsOf: (who) => {
      const { id } = workspace.getPerson(who);
      return workspace.channels.filter(({ kind, members }) => kind !== 'im' && members.has(id));
    },
    everybody: () => workspace.people,
    usergroups: workspace.usergroups,
    groupsOf: (who) => groupsWith(workspace, who),
    membersOf: (handle) => {
      const group = workspace.usergroups.find((one) => `@${one.handle}` === handle || one.handle === handle);
      if (!group) throw new Error(`no group in the sandbox is called ${handle}`);
      return group.members;
    },
  };
}

/** The user groups that a person is in: their handles by their ids. */
function groupsWith(workspace: Workspace, who: string): ReadonlyMap<string, string> {
  const { handle } = workspace.getPerson(who);
  const groups = workspace.usergroups.filter(({ members }) => members.has(handle));
  return new Map(groups.map((group) => [group.id, group.handle]));
}
