import type { JSX } from 'preact';
import type { CurtainOfPage, TroubleName } from '../wire.ts';
import { useActing } from './acting.ts';

const LABELS: Readonly<Record<TroubleName, string>> = {
  'lose-answer': 'Lose the next answer',
  'say-503': 'Answer the next call 503',
  'be-slow': 'Answer the next call slowly',
  'slack-loses-answer': 'Slack loses an answer',
  'kill-bot': 'Kill the bot, start it again',
  'stop-redis': 'Stop Redis, start it again',
  'charge-day': "Charge a day's cost",
};

/** One press each; what waits for its call says so. */
export function Trouble({ curtain: { waiting, bot, redis } }: { curtain: CurtainOfPage }): JSX.Element {
  const { act } = useActing();
  const isOff = (name: TroubleName): boolean =>
    (name === 'kill-bot' && bot.state !== 'runs') || (name === 'stop-redis' && redis !== 'runs');
  return (
    <>
      <p class="alive" role="status">
        <span>
          <span class={`dot ${bot.state === 'runs' ? 'running' : 'broken'}`} aria-hidden="true" />
          The bot {botWords(bot)}
        </span>
        <span>
          <span class={`dot ${redis === 'stopped' ? 'broken' : 'running'}`} aria-hidden="true" />
          Redis {redis === 'stopped' ? 'is stopped' : 'runs'}
        </span>
      </p>
      <div class="troubles">
        {Object.entries(LABELS).map(([key, label]) => {
          const name = key as TroubleName;
          return (
            <button
              key={name}
              type="button"
              class="button"
              disabled={isOff(name)}
              aria-pressed={waiting.includes(name)}
              onClick={() => void act({ do: 'trouble', name })}
            >
              {label}
            </button>
          );
        })}
      </div>
    </>
  );
}

function botWords({ state, pid, kills }: CurtainOfPage['bot']): string {
  const words = { runs: `runs (process ${pid})`, starts: 'is starting', killed: 'is killed' }[state];
  return kills === 0 || state === 'killed'
    ? words
    : `${words}, killed ${kills === 1 ? 'once' : `${kills} times`}`;
}
