import { buildBot } from '../../sandbox/start-bot.ts';

/** Before all tests: the bot that some of them start as a process. */
export default function setup(): void {
  buildBot();
}
