import { BOT, TEAM } from '../../people.ts';
import type { Json } from '../json.ts';
import type { World } from '../world.ts';
import { sendEvent } from './event.ts';

/** A workflow of the workspace comes to a step of the bot, as Slack tells of it: with what its builder filled in, and not who runs it. */
export async function runStep(
  world: World,
  callbackId: string,
  inputs: Json,
  again?: string,
): Promise<string> {
  const id = again ?? world.workspace.nextId('Fx');
  if (again === undefined) world.executions.begin(id);
  await sendEvent(
    world,
    {
      type: 'function_executed',
      function: { id: 'Fn0RESTART1', callback_id: callbackId, type: 'app', app_id: BOT.appId },
      inputs,
      function_execution_id: id,
      workflow_execution_id: `Wx${id.slice(2)}`,
      bot_access_token: 'xwfp-sandbox',
    },
    undefined,
    TEAM.id,
  );
  return id;
}
