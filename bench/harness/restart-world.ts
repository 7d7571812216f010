import { type PersonRecord, TEAM } from '../../sandbox/people.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { NO_LIMIT } from './goals.ts';
import { SECRET } from './requests.ts';
import { createSlackLimits } from './slack-limits.ts';

/** How big a world of restarts is. */
export interface WorldSize {
  /** So many instances are restarted in one round, each asked for by somebody else. */
  readonly restarts: number;
  readonly channels: number;
  readonly hasSlackLimits?: boolean;
}

/** Instances, channels and a person beside those of the rounds. */
export const OTHER = { name: 'other', channel: 'other', person: 'other' } as const;
export const OTHERS = 8;
export const OTHER_FIRST_ID = 900_000;

const FIRST_ID = 1_000;
/** How long a restart takes at the host. */
const POWER_MS = 3_000;

export const nameOf = (index: number): string => `box-${index}`;
export const channelOf = (index: number): string => `c${index}`;
export const personOf = (index: number): string => `p${index}`;
/** The name of the instance of a round that has an id. */
export const nameOfId = (id: number): string => nameOf(id - FIRST_ID);
/** The ids of the instances of a round. */
export const idsOf = ({ restarts }: WorldSize): readonly number[] =>
  Array.from({ length: restarts }, (_, index) => FIRST_ID + index);

/** Opens a sandbox without a bot for a number of restarts. `on`: which Redis, and what the bot knows of it. */
export function openWorld(
  size: WorldSize,
  on: Pick<SandboxOptions, 'startRedis' | 'env'> = {},
): Promise<Sandbox> {
  const { restarts, channels, hasSlackLimits = false } = size;
  const others = Array.from({ length: OTHERS }, (_, index) => index);
  const instances = [
    ...idsOf(size).map((id) => instance(id, nameOfId(id), { status: 'running' })),
    ...others.map((index) => instance(OTHER_FIRST_ID + index, `${OTHER.name}-${index}`)),
  ];
  const names = [
    ...Array.from({ length: channels }, (_, index) => channelOf(index)),
    ...others.map((index) => `${OTHER.channel}-${index}`),
  ];
  return openSandbox({
    ...on,
    bot: false,
    hosting: { world: worldOf(instances), rateLimit: NO_LIMIT.requests, powerMs: POWER_MS },
    slack: {
      signingSecret: SECRET,
      people: peopleOf(restarts),
      channels: names.map((name, index) => ({ name, id: `C0CHAN${String(index).padStart(5, '0')}` })),
      ...(hasSlackLimits ? { weather: createSlackLimits() } : {}),
    },
  });
}

function peopleOf(count: number): PersonRecord[] {
  const person = (id: string, handle: string): PersonRecord => ({
    id,
    handle,
    name: handle,
    teamId: TEAM.id,
  });
  return [
    person('U0ADA000001', 'admin'),
    person('U0OTHER0001', OTHER.person),
    ...Array.from({ length: count }, (_, index) =>
      person(`U0P${String(index).padStart(8, '0')}`, personOf(index)),
    ),
  ];
}
