import type { Json } from '../json.ts';
import type { World } from '../world.ts';
import type { ApiAnswer } from './faults.ts';
import { SlackNo } from './refusal.ts';

/**
 * Notes a call, sends it through the fault planned for it, and answers with what `effect` gives.
 * A SlackNo from `effect` is answered with `statusOfNo`.
 */
export async function answerCall(
  world: World,
  { method, args, statusOfNo }: { method: string; args: Json; statusOfNo: number },
  effect: () => Json,
): Promise<ApiAnswer | 'reset'> {
  const call = world.calls.begin(method, args);
  const answer = await world.faults.through(call, async () => {
    const body = orNo(effect);
    world.calls.end(call, body);
    return { status: body['ok'] === false ? statusOfNo : 200, body };
  });
  if (call.answer === undefined) {
    world.calls.end(call, answer === 'reset' ? { ok: false, error: 'connection_reset' } : answer.body);
  }
  return answer;
}

function orNo(effect: () => Json): Json {
  try {
    return { ok: true, ...effect() };
  } catch (error) {
    if (error instanceof SlackNo) return error.toJson();
    throw error;
  }
}
