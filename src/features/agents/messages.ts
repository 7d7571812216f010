import { reason } from '../../core/ask/messages.ts';
import { buttonsAbout, type Message } from '../../platform/slack/message.ts';
import {
  ago,
  channel,
  code,
  join,
  person,
  type Phrase,
  plain,
  say,
  time,
} from '../../platform/slack/phrase.ts';
import { type Agent, OPEN_MS, type Proposal } from './record.ts';

export const AGENT_ROUTES = {
  begin: 'agents.begin',
  decline: 'agents.decline',
  stop: 'agents.stop',
  agent: 'lamplighter.agent',
  token: 'agents.token',
} as const;

/** The name of what is done where a proposal reached nobody. */
export const UNREAD_PROPOSAL = 'agents.unread';

/** Why it is done, once somebody has pressed: who proposes comes first, since a reason that begins like an option would be none. Pure. */
export function reasonOf({ agent, because }: Pick<Proposal, 'agent' | 'because'>): string {
  return `proposed by ${agent}: ${because}`;
}

/** What people read of a proposal, as it stands. `notes`: what a press would meet now. Pure. */
export function proposalMessage(proposal: Proposal, notes: readonly Phrase[] = []): Message {
  const { id, agent, actor, what, because, at, answer, instance } = proposal;
  const lines = [
    say`🤖 ${plain(agent)} proposes to ${what}, in the name of ${person(actor.userId)}.`,
    ...reason({ because }),
  ];
  if (answer) return { lines: [...lines, answerWords(answer)] };
  return {
    lines: [...lines, ...notes, say`Nothing has been done. You can press until ${time(at + OPEN_MS)}.`],
    buttons: buttonsAbout(instance, [
      { label: 'Go ahead', routeId: AGENT_ROUTES.begin, value: id, style: 'primary' },
      { label: 'Decline', routeId: AGENT_ROUTES.decline, value: id },
    ]),
    menu: buttonsAbout(instance, [{ label: 'Stop this agent', routeId: AGENT_ROUTES.stop, value: id }]),
  };
}

type Answer = NonNullable<Proposal['answer']>;

function answerWords({ how, by }: Answer): Phrase {
  switch (how) {
    case 'begun':
      // What came of that, its own card says.
      return say`👉 ${whoOf(by)} pressed Go ahead.`;
    case 'declined':
      return say`⛔ ${whoOf(by)} declined. Nothing was done.`;
    case 'stopped':
    case 'revoked':
      return say`⛔ ${endedWords({ how, by })}. Nothing was done.`;
  }
}

/** To somebody who presses a button of a message that they still see as it was. Pure. */
export function answeredAlready({ how, by, at }: Answer): Phrase {
  switch (how) {
    case 'begun':
      return say`${whoOf(by)} pressed Go ahead for that ${ago(at)}.`;
    case 'declined':
      return say`${whoOf(by)} declined that ${ago(at)}, so nothing was done.`;
    case 'stopped':
    case 'revoked':
      return say`${endedWords({ how, by })} ${ago(at)}, so nothing was done.`;
  }
}

function endedWords({ how, by }: Pick<Answer, 'how' | 'by'>): Phrase {
  const done = how === 'revoked' ? 'revoked' : 'stopped';
  return by === undefined ? say`The agent was ${done}` : say`${person(by)} ${done} the agent`;
}

function whoOf(by: string | undefined): Phrase {
  return by === undefined ? say`Somebody` : [person(by)];
}

/** To somebody who presses what an agent proposed that may not ask any more. Pure. */
export function agentGone({ agent }: Pick<Proposal, 'agent'>): Phrase {
  return say`${plain(agent)} can't ask anything any more, so nothing was done. Ask for it in words if you still want it.`;
}

export function tooOld(): Phrase {
  return say`That proposal is too old, so nothing was done. Ask for it in words if you still want it.`;
}

/** What an agent may, in a line: "deploy-bot, in the name of @ana, as an operator at most, on staging-*, until 26 Feb". Pure. */
export function agentLine({ name, actor, role, on, channelId, until }: Agent): Phrase {
  const parts = [
    say`${name}, in the name of ${person(actor.userId)}`,
    say`as ${role === 'viewer' || role === 'finance' ? 'a' : 'an'} ${role} at most`,
    ...(on ? [say`on ${on.join(',')}`] : []),
    ...(channelId === undefined ? [] : [say`proposing in ${channel(channelId)}`]),
    say`until ${time(until)}`,
  ];
  return join(parts, ', ');
}

/** An agent among what somebody holds, in whose name it asks or who added it. Pure. */
export function heldLine(agent: Agent, userId: string): Phrase {
  const isTheirs = agent.actor.userId === userId;
  return isTheirs ? say`agent ${agentLine(agent)}.` : say`added the agent ${agentLine(agent)}.`;
}

/** What somebody reads in whose name an agent asked that ended with the access of who had added it. Pure. */
export function toldEnded({ name, by: addedBy }: Agent, by: string): Message {
  return {
    lines: [
      say`🤖 ${person(by)} ended ${name}, which could ask in your name: ${person(addedBy)} added it, and their access was taken back.`,
      say`If you still need it, ask an admin to add it again.`,
    ],
  };
}

export function addedMessage(agent: Agent): Message {
  return {
    lines: [
      say`Added: ${agentLine(agent)}.`,
      say`It reads and proposes, and a person has to go ahead with each change. I show its token once, to you alone.`,
    ],
    buttons: [{ label: 'Show its token', routeId: AGENT_ROUTES.token, value: agent.id, style: 'primary' }],
  };
}

export function tokenMessage(name: string, token: string): Message {
  return {
    lines: [
      say`The token of ${name}: ${code(token)}`,
      say`Keep it where ${name} keeps its secrets. I can't show it again.`,
    ],
  };
}

/** What somebody reads in whose name an agent may ask from now on. Pure. */
export function toldOwner(agent: Agent): Message {
  return {
    lines: [
      say`🤖 ${person(agent.by)} added an agent that may ask in your name: ${agentLine(agent)}.`,
      say`It can read what you can, and changes nothing unless somebody presses.`,
    ],
  };
}

/** What somebody reads in whose name an agent proposes where nobody can read it. Pure. */
export function toldUnread({ agent }: Pick<Proposal, 'agent'>, channelId: string): Message {
  return {
    lines: [
      say`🤖 I can't post what ${plain(agent)} proposes in your name in ${channel(channelId)}, so nobody can see it. Invite me there, or ask an admin to revoke it and add it again with another channel.`,
    ],
  };
}

export function noAgents(hasAgents: boolean): Message {
  return {
    lines: [
      hasAgents
        ? say`There are no agents here yet. To add one, type /lamplighter agent add deploy-bot as @ana on staging-*.`
        : say`Agents can't ask here. The person who runs me can switch that on with LAMPLIGHTER_AGENTS=yes.`,
    ],
  };
}
