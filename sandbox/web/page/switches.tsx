import type { JSX } from 'preact';
import type { ApiState } from '../../service/api-switch.ts';
import type { CurtainOfPage } from '../wire.ts';
import { useActing } from './acting.ts';

const API: readonly (readonly [ApiState, string])[] = [
  ['answers', 'Answers'],
  ['slow', 'Slow'],
  ['down', 'Down'],
  ['refuses', 'Refuses the key'],
];
const FLEET: readonly (readonly [boolean, string])[] = [
  [false, 'A few'],
  [true, '230'],
];

/** How the hosting company is, until it is set otherwise. */
export function Switches({ curtain: { api, isLarge } }: { curtain: CurtainOfPage }): JSX.Element {
  const { act } = useActing();
  return (
    <>
      <Switch
        name="Hosting API"
        choices={API}
        chosen={api}
        onChoose={(state) => void act({ do: 'api', state })}
      />
      <Switch
        name="Machines"
        choices={FLEET}
        chosen={isLarge}
        onChoose={(next) => void act({ do: 'fleet', isLarge: next })}
      />
    </>
  );
}

function Switch<T>({
  name,
  choices,
  chosen,
  onChoose,
}: {
  name: string;
  choices: readonly (readonly [T, string])[];
  chosen: T;
  onChoose: (choice: T) => void;
}): JSX.Element {
  return (
    <div class="switch" role="group" aria-label={name}>
      <span>{name}</span>
      {choices.map(([choice, label]) => (
        <button
          key={label}
          type="button"
          class="button"
          aria-pressed={choice === chosen}
          onClick={() => onChoose(choice)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
