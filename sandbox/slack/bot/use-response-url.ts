import { answerCall } from '../api/answer-call.ts';
import type { ApiAnswer } from '../api/faults.ts';
import { SlackNo } from '../api/refusal.ts';
import { flagArg, textArg } from '../api/args.ts';
import type { Json } from '../json.ts';
import { toContent } from '../limits/content.ts';
import type { World } from '../world.ts';
import type { ResponseTarget } from './response-urls.ts';

/** Takes what the bot posts to a response URL. A no is HTTP 404 with the JSON that the Web API would give. */
export function useResponseUrl(world: World, id: string, body: Json): Promise<ApiAnswer | 'reset'> {
  return answerCall(world, { method: 'response_url', args: body, statusOfNo: 404 }, () => {
    apply(world, world.responseUrls.use(id), body);
    return {};
  });
}

function apply(world: World, target: ResponseTarget, body: Json): void {
  const { workspace } = world;
  const original = target.original?.deleted === true ? undefined : target.original;
  if (flagArg(body, 'delete_original')) {
    if (!original) throw new SlackNo('message_not_found');
    workspace.remove(original);
    return;
  }
  const content = toContent(world, body, target.channel);
  if (flagArg(body, 'replace_original') && original) {
    workspace.edit(original, content);
    return;
  }
  answerInChannel(world, target, body, content);
}

/** Puts an answer of the bot where the person asked: to them alone, or with `in_channel` to everybody. */
export function answerInChannel(
  world: World,
  target: ResponseTarget,
  body: Json,
  content = toContent(world, body, target.channel),
): void {
  const thread_ts = textArg(body, 'thread_ts');
  if (body['response_type'] === 'in_channel')
    world.workspace.postAsBot(target.channel, content, { thread_ts });
  else world.workspace.postAsBot(target.channel, content, { thread_ts, ephemeralFor: target.userId });
}
