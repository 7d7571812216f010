import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { CurtainOfPage } from '../wire.ts';
import { Switches } from './switches.tsx';
import { Tour } from './tour.tsx';
import { Trouble } from './trouble.tsx';
import type { TourOfWindow } from './use-tour.ts';

/** From here on it is worth a word that the company's clock is not that of this machine. */
const CLOCKS_APART_MS = 60_000;

/** What people in Slack never see, beside it: a tour, trouble to cause, and how things really are. */
export function Curtain({
  curtain,
  tour,
  onClose,
}: {
  curtain: CurtainOfPage;
  tour: TourOfWindow;
  onClose: () => void;
}): JSX.Element {
  return (
    <aside class="curtain" aria-label="What really happened">
      <header>
        <h2>What really happened</h2>
        <button type="button" class="plain-button" aria-label="Close the curtain" onClick={onClose}>
          ✕
        </button>
      </header>
      <div class="curtain-body">
        <Part title="Tour" isOpen>
          <Tour tour={tour} />
        </Part>
        <Part title="Cause trouble" isOpen>
          <Switches curtain={curtain} />
          <Trouble curtain={curtain} />
        </Part>
        <Part title="Calls for a change" isOpen>
          <Calls curtain={curtain} />
        </Part>
        <Part title="Hosting company" isOpen>
          <Company curtain={curtain} />
        </Part>
        <Part title="The bot's record">
          <Records curtain={curtain} />
        </Part>
      </div>
    </aside>
  );
}

function Part({
  title,
  isOpen = false,
  children,
}: {
  title: string;
  isOpen?: boolean;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <details open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

function Calls({ curtain: { calls, reads } }: { curtain: CurtainOfPage }): JSX.Element {
  return (
    <>
      <p class="quiet">
        What the service was asked to change: {calls.length}. It was only read {reads.toLocaleString('en-US')}{' '}
        times.
      </p>
      <ol class="calls" aria-label="Calls for a change">
        {calls.map(({ at, method, path, status, hadEffect }, index) => (
          <li key={`${at} ${index}`}>
            <code>
              {clock(at)} {method} {path}
            </code>
            <span class={`status ${status.startsWith('2') ? 'good' : 'bad'}`}>
              {status === 'reset' ? 'answer lost' : status}
            </span>
            {hadEffect && !status.startsWith('2') && <span class="status good">done</span>}
          </li>
        ))}
      </ol>
    </>
  );
}

function Company({ curtain: { name, money, now, instances } }: { curtain: CurtainOfPage }): JSX.Element {
  return (
    <>
      <p>
        <b>{name}</b> {money}.
        {Math.abs(now - Date.now()) > CLOCKS_APART_MS && ` Its own clock says ${dated(now)} UTC.`}
      </p>
      <ul class="instances" aria-label="Instances">
        {instances.map((each) => (
          <li key={each.id}>
            <span class={`dot ${each.state}`} aria-hidden="true" />
            <span class="name">{each.name}</span>
            <span class="quiet">{each.words}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Records({ curtain: { operations } }: { curtain: CurtainOfPage }): JSX.Element {
  const [chosen, setChosen] = useState<string>();
  const shown = operations.find(({ id }) => id === chosen) ?? operations[0];
  if (!shown) return <p class="quiet">No operation was begun yet.</p>;
  return (
    <>
      <div class="records">
        <label htmlFor="operation">Operation</label>
        <select id="operation" value={shown.id} onChange={(event) => setChosen(event.currentTarget.value)}>
          {operations.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <dl>
        {shown.record.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function dated(at: number): string {
  return new Date(at).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
}

function clock(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB');
}
