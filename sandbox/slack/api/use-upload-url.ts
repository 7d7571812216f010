import type { World } from '../world.ts';
import { answerCall } from './answer-call.ts';
import type { ApiAnswer } from './faults.ts';
import { SlackNo } from './refusal.ts';

/** Takes the bytes of a file that was announced, as they are; no token is needed, and none is to be shown. */
export async function useUploadUrl(
  world: World,
  ticket: string,
  { bytes, authorization }: { bytes: Buffer; authorization: string | undefined },
): Promise<ApiAnswer | 'reset'> {
  const args = { bytes: bytes.length, ...(authorization === undefined ? {} : { authorization }) };
  const answer = await answerCall(world, { method: 'upload', args, statusOfNo: 400 }, () => {
    const result = world.files.receive(ticket, bytes);
    if (result !== 'taken') throw new SlackNo(result.replace(' ', '_'));
    return {};
  });
  return answer !== 'reset' && answer.status === 200 ? { ...answer, text: `OK - ${bytes.length}` } : answer;
}
