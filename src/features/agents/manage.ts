import type { Ask, Reply } from '../../core/ask/ask.ts';
import { inWords, mendWord, PERSON, withAfter } from '../../core/ask/mend-words.ts';
import { entryOf } from '../../core/audit/entry.ts';
import type { AuditAttempt, Route } from '../../core/intake/route.ts';
import { type Grantee, granteeOf } from '../../core/policy/grant.ts';
import { ROLES } from '../../core/policy/permissions.ts';
import { refuseUnknownPatterns } from '../../core/lookup/known-names.ts';
import { requireSomebody } from '../../core/policy/somebody.ts';
import { together } from '../../core/records/commit.ts';
import { Refusal } from '../../core/refusal.ts';
import { momentOf } from '../../core/sentences/moment.ts';
import { parseGrant } from '../../core/sentences/parse-grant.ts';
import { idOf } from '../../platform/id.ts';
import { say } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { shownBy } from './answer.ts';
import { addedMessage, AGENT_ROUTES, agentLine, noAgents, toldOwner } from './messages.ts';
import { type Agent, openAgents, withAgent, withoutAgents } from './record.ts';
import type { Proposing } from './proposing.ts';

/** It ends by itself: a token that nobody uses any more is nobody's to find. */
const LASTS_MS = 90 * DAY_MS;
const MOST_MS = 400 * DAY_MS;
const NAME = /^[a-z][a-z0-9-]{1,30}$/;
/** Whose name the agent has whose requests Slack signs. */
const TAKEN: ReadonlySet<string> = new Set(['slackbot', 'lamplighter']);
const EXAMPLE = say`Example: /lamplighter agent add deploy-bot as @ana on staging-*.`;

/** `/lamplighter agent`, `… add deploy-bot as @ana on staging-* in #ops for 30d`, `… revoke deploy-bot`. */
export function agentRoute(deps: Proposing): Route {
  return {
    id: AGENT_ROUTES.agent,
    namesPeople: true,
    verb: 'agent',
    aliases: ['agents'],
    permission: 'access:grant',
    writes: ([word]) => word !== undefined,
    usage: '[add <name> as @who [role] [on …] [in #…] [for 30d] | revoke <name>]',
    summary: 'agents that may read and propose in the name of a person',
    isAskable: false,
    handle: async (ask, audit) => {
      const [word, ...words] = ask.words;
      if (word === undefined) return list(deps, ask);
      switch (word.toLowerCase()) {
        case 'add':
          return add(deps, ask, words, audit);
        case 'revoke':
          return revoke(deps, ask, words, audit);
        default:
          throw new Refusal(
            'bad-access',
            say`I don't know "${word}" here. You can use add or revoke. ${EXAMPLE}`,
            mendWord(word, ['add', 'revoke']),
          );
      }
    },
  };
}

/** Those that whoever asks could have added. */
async function list({ agents, access, clock, hasAgents }: Proposing, ask: Ask): Promise<Reply> {
  const within = await access.within(ask.actor, 'access:grant', ask.place.channelId);
  const open = openAgents(await agents.get(), clock.now()).filter(({ on, until }) => within({ on, until }));
  if (open.length === 0) return noAgents(hasAgents);
  return { lines: [say`These agents may ask:`], bullets: open.map(agentLine) };
}

async function add(
  deps: Proposing,
  ask: Ask,
  [name, ...words]: readonly string[],
  audit: AuditAttempt,
): Promise<Reply> {
  const { agents, access, outbox, clock, people } = deps;
  if (!deps.hasAgents) throw new Refusal('not-offered', noAgents(false));
  if (name === undefined || !NAME.test(name) || TAKEN.has(name))
    throw new Refusal(
      'bad-access',
      say`Which name? Lower-case letters, digits and hyphens, two to 31 of them. ${EXAMPLE}`,
      withAfter('add', inWords('Name', 'deploy-bot')),
    );
  const now = clock.now();
  const moment = await momentOf({ people }, ask.actor.userId, now);
  if (!words.some((word) => granteeOf(word) !== undefined)) throw whoseName(name);
  const hasRole = words.some((word) => ROLES.some((role) => role === word.toLowerCase()));
  const typed = hasRole ? words : ['operator', ...words];
  const { role, to, narrow, end } = parseGrant(typed, name, moment, `agent add ${name} as`);
  const userId = onePerson(to, name);
  await requireSomebody(deps, { userId }, { cannot: say`have an agent`, undone: say`nothing was changed` });
  const until = end?.until ?? now + LASTS_MS;
  if (until - now > MOST_MS)
    throw new Refusal('bad-end', say`That is too long: an agent ends within 400 days. Add it again then.`);
  const { channelId } = ask.place;
  const [channel, another] = narrow.in ?? [];
  if (another) throw new Refusal('bad-access', say`An agent proposes in one channel. Name one of them.`);
  const within = { channelId, route: AGENT_ROUTES.agent, operationId: ask.id };
  const [mine] = await access.requireWithin(ask.actor, 'access:grant', within, [{ on: narrow.on, until }]);
  const maySee = await access.which(ask.actor, 'instances:read', channelId);
  await refuseUnknownPatterns(deps.hosting, narrow.on, maySee);
  const choice =
    channel === undefined ? undefined : await deps.places.allow({ ...ask, place: { channelId: channel } });
  const agent: Agent = {
    // The same request carried out twice makes one agent.
    id: idOf(`agent ${ask.id}`),
    name,
    actor: { userId },
    role,
    ...(mine?.on ? { on: [...mine.on] } : {}),
    ...(channel === undefined ? {} : { channelId: channel }),
    until: mine?.until ?? until,
    by: ask.actor.userId,
    at: now,
  };
  const told = { id: `agent-added-${agent.id}`, to: { userId }, content: toldOwner(agent) };
  const after = await agents.change(
    (record) => withAgent(record, agent),
    async () =>
      together(
        await outbox.saying(userId === agent.by ? [] : [told], 'moved'),
        { audit: entryOf(ask, 'set', now), survives: true },
        (await choice?.choosing()) ?? {},
      ),
  );
  if (!after) throw noRoom(openAgents(await agents.get(), now), name);
  audit('recorded');
  return addedMessage(agent);
}

function noRoom(open: readonly Agent[], name: string): Refusal {
  return open.some((one) => one.name === name)
    ? new Refusal(
        'already',
        say`There is an agent called ${name} already, so nothing was changed. To end it, type /lamplighter agent revoke ${name}.`,
      )
    : new Refusal(
        'too-many',
        say`There are ${open.length} agents already, so nothing was changed. To end one, type /lamplighter agent revoke and its name.`,
      );
}

function onePerson([one, another]: readonly Grantee[], name: string): string {
  if (one && 'userId' in one && !another) return one.userId;
  throw whoseName(name);
}

function whoseName(name: string): Refusal {
  return new Refusal(
    'bad-access',
    say`In whose name? An agent asks in the name of one person, with their rights at most. ${EXAMPLE}`,
    withAfter(name, ['as', PERSON]),
  );
}

async function revoke(
  { agents, access, outbox, clock }: Proposing,
  ask: Ask,
  words: readonly string[],
  audit: AuditAttempt,
): Promise<Reply> {
  const [name, ...more] = words;
  const now = clock.now();
  const open = openAgents(await agents.get(), now);
  const { channelId } = ask.place;
  const isTheirs = await access.within(ask.actor, 'access:grant', channelId);
  const names = open.filter(({ on, until }) => isTheirs({ on, until })).map((one) => one.name);
  if (name === undefined || more.length > 0)
    throw new Refusal('bad-access', say`Which agent? Type its name.`, () =>
      names.map((one) => ['revoke', one]),
    );
  const one = open.find((agent) => agent.name === name);
  const within = { channelId, route: AGENT_ROUTES.agent, operationId: ask.id };
  if (one) await access.requireWithin(ask.actor, 'access:grant', within, [{ on: one.on, until: one.until }]);
  const ids = one ? [one.id] : [];
  const after = await agents.change(
    (record) => withoutAgents(record, ids, ask.actor.userId, now),
    async (gone, before) => ({
      ...(await outbox.saying(shownBy(gone, before), 'moved')),
      audit: entryOf(ask, 'set', now),
      survives: true,
    }),
  );
  if (!after)
    throw new Refusal(
      'no-such-name',
      say`There is no agent called "${name}". Nothing was changed.`,
      mendWord(name, names),
    );
  audit('recorded');
  return { lines: [say`${name} can't ask anything any more. What it proposed is withdrawn.`] };
}
