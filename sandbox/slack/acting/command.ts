import { BOT, OTHER_TEAM, type PersonRecord, SLACKBOT_ID, TEAM } from '../../people.ts';
import { SlackNo } from '../api/refusal.ts';
import type { BotAnswer } from '../bot/door.ts';
import { answerInChannel } from '../bot/use-response-url.ts';
import { isRecord, parseJson } from '../json.ts';
import type { World } from '../world.ts';
import type { Channel } from '../workspace/channel.ts';
import { enterpriseFields, isOrgWideIn, payloadName, requirePresence, responseUrl } from './actor.ts';
import { compose } from './compose.ts';
import { Interaction } from './interaction.ts';

/** A person types a slash command. The answer in the response's body is shown as Slack shows it. */
export async function runCommand(
  world: World,
  person: PersonRecord,
  channel: Channel,
  typed: string,
): Promise<Interaction> {
  requirePresence(world, person, channel);
  const since = channel.history.length;
  const details = { channel, since, userId: person.id };
  const [command = '', rest = ''] = split(typed);
  if (world.settings.commands && !world.settings.commands.includes(command)) {
    slackbot(world, channel, person, `${command} is not a valid command.`);
    return new Interaction(undefined, details);
  }
  const triggerId = world.triggers.create(person.id);
  const url = responseUrl(world, world.responseUrls.create({ channel, userId: person.id }));
  const team = person.isStranger ? OTHER_TEAM : TEAM;
  const answer = await world.door.deliver('slash_commands', {
    token: 'sandbox-verification-token',
    team_id: team.id,
    team_domain: team.domain,
    ...enterpriseFields(world.settings.inOrganization && !person.isStranger),
    channel_id: channel.id,
    channel_name: payloadName(channel),
    user_id: person.id,
    user_name: person.handle,
    command,
    text: compose(world.workspace, rest),
    api_app_id: BOT.appId,
    is_enterprise_install: String(isOrgWideIn(world, team.id)),
    response_url: url,
    trigger_id: triggerId,
  });
  show(world, person, channel, typed, answer);
  return new Interaction(answer, { ...details, triggerId, responseUrl: url });
}

function split(typed: string): string[] {
  const space = typed.search(/\s/);
  return space < 0 ? [typed] : [typed.slice(0, space), typed.slice(space).trim()];
}

function show(world: World, person: PersonRecord, channel: Channel, typed: string, answer: BotAnswer): void {
  const [command = ''] = split(typed);
  const error = answer.error ?? (answer.status === 200 ? undefined : 'dispatch_failed');
  if (error) return slackbot(world, channel, person, `${command} failed with the error "${error}"`);
  if (answer.body === '') return;
  const parsed = parseJson(answer.body);
  const body = isRecord(parsed) ? parsed : { text: answer.body };
  if (Object.keys(body).length === 0) return;
  try {
    const target = { channel, userId: person.id };
    if (body['response_type'] === 'in_channel') {
      world.workspace.post(channel, { user: person.id }, { text: typed, blocks: [] });
    }
    answerInChannel(world, target, body);
  } catch (no) {
    if (!(no instanceof SlackNo)) throw no;
    world.calls.refuse('command answer', body, no.toJson());
    slackbot(world, channel, person, `${command} failed with the error "dispatch_failed"`);
  }
}

function slackbot(world: World, channel: Channel, person: PersonRecord, text: string): void {
  world.workspace.post(channel, { user: SLACKBOT_ID, ephemeralFor: person.id }, { text, blocks: [] });
}
