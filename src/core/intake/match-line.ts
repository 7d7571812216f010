import type { Message } from '../../platform/slack/message.ts';
import { nounOf } from './command.ts';
import { type Matched, matchOrSay } from './match.ts';
import type { RouteTable } from './routes.ts';

export interface MatchLineDeps {
  readonly routes: RouteTable;
  readonly commandPrefix: string;
}

/** What a line leads to after `command` with its slash, or without one; or what the person reads where it means nothing. */
export function matchLine(
  { routes, commandPrefix }: MatchLineDeps,
  line: string,
  command: string | undefined,
): Matched | Message {
  return matchOrSay(() =>
    command === undefined
      ? routes.matchMention(line)
      : routes.matchCommand(nounOf(command, commandPrefix), line),
  );
}
