import { setTimeout as wait } from 'node:timers/promises';
import { StartError } from '../start-error.ts';
import type { Log } from '../log/log.ts';
import { isRefusal, type SlackError, slackErrorOf } from './errors.ts';
import type { Connect, SocketConnection, SocketEvents } from './socket-connection.ts';

/** Keeps one Socket Mode connection open. Where Slack asks for another, that one is open before the first is closed. */
export interface SocketLink {
  /**
   * Resolves when a connection is open, or after `stop`. A Slack that is only down is waited for. Throws StartError
   * when Slack refuses the app token.
   */
  start(): Promise<void>;
  /** Closes what is open, once what arrived over it is answered. Never rejects. */
  stop(): Promise<void>;
  /** Why nothing can arrive, as a code; undefined while a connection is open. */
  fault(): string | undefined;
}

export interface SocketLinkDeps {
  readonly connect: Connect;
  readonly onEnvelope: SocketEvents['onEnvelope'];
  readonly onMalformed: () => void;
  /** Called when a connection has opened, and when the last one is gone. */
  readonly onState: (isOpen: boolean) => void;
  readonly log: Log;
}

interface Link {
  readonly connection: SocketConnection;
  readonly openedAt: number;
  /** Slack has asked for another one in its place, or it is gone. */
  isSpent: boolean;
  isLost: boolean;
}

/** A connection that lasts for less than this counts as a failed one, so that no loop of them runs hot. */
const STEADY_AFTER_MS = 10_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 15_000;
const MIN_RATE_PAUSE_MS = 1_000;

export function createSocketLink(deps: SocketLinkDeps): SocketLink {
  const stopping = new AbortController();
  const closing = createClosing();
  let current: Link | undefined;
  let keeping: Promise<void> | undefined;
  let isStarting = true;
  let failures = 0;
  let refusal: string | undefined;

  const onSpent = (link: Link): void => {
    if (link !== current) return;
    failures = performance.now() - link.openedAt < STEADY_AFTER_MS ? failures + 1 : 0;
    if (link.isLost) {
      current = undefined;
      deps.onState(false);
    }
    void keep();
  };

  const adopt = (next: Link): void => {
    if (stopping.signal.aborted) return closing.begin(next);
    const before = current;
    current = next;
    isStarting = false;
    refusal = undefined;
    deps.onState(true);
    if (before) closing.begin(before);
    if (next.isSpent) onSpent(next);
  };

  /** Counts a failure; gives how long to wait at least before the next try, in ms. */
  const countFailure = (fault: SlackError): number => {
    refusal = isRefusal(fault) ? fault.code : undefined;
    if (refusal !== undefined && isStarting) {
      throw new StartError(`Slack refuses SLACK_APP_TOKEN: ${refusal}`);
    }
    deps.log.limited('opening a Socket Mode connection, which is tried again', fault);
    failures += 1;
    return fault.retryAfterMs === undefined ? 0 : Math.max(MIN_RATE_PAUSE_MS, fault.retryAfterMs);
  };

  const isMissing = (): boolean => !stopping.signal.aborted && (current?.isSpent ?? true);

  const search = async (): Promise<void> => {
    let leastPauseMs = 0;
    while (isMissing()) {
      const pauseMs = Math.max(leastPauseMs, pauseAfter(failures));
      if (pauseMs > 0) await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (!isMissing()) return;
      try {
        adopt(await openLink(deps, onSpent));
      } catch (error) {
        leastPauseMs = countFailure(slackErrorOf(error));
      }
    }
  };

  /** Opens what is missing; one search at a time. */
  const keep = (): Promise<void> => {
    keeping ??= search().finally(() => {
      keeping = undefined;
      // What was spent in the moment in which the search ended.
      if (!isStarting && isMissing()) void keep();
    });
    return keeping;
  };

  return {
    start: keep,
    stop: async () => {
      stopping.abort();
      if (current) closing.begin(current);
      current = undefined;
      await closing.end();
    },
    fault: () => (current ? undefined : (refusal ?? 'not_connected')),
  };
}

/** Opens a connection. `onSpent` is called, once it is open, whenever its marks change. */
async function openLink(deps: SocketLinkDeps, onSpent: (link: Link) => void): Promise<Link> {
  const marks = { isSpent: false, isLost: false };
  const mark = (change: Partial<typeof marks>): void => {
    Object.assign(marks, change);
    if (link) onSpent(Object.assign(link, marks));
  };
  const connection = deps.connect({
    onEnvelope: deps.onEnvelope,
    onMalformed: deps.onMalformed,
    onRefresh: () => mark({ isSpent: true }),
    onLost: () => mark({ isSpent: true, isLost: true }),
  });
  let link: Link | undefined;
  await connection.open();
  link = { connection, openedAt: performance.now(), ...marks };
  return link;
}

/** The connections that are being closed. */
function createClosing(): { begin(link: Link): void; end(): Promise<void> } {
  const closing = new Set<Promise<void>>();
  return {
    begin: ({ connection }) => {
      const one = connection.close().finally(() => closing.delete(one));
      closing.add(one);
    },
    end: async () => {
      await Promise.all(closing);
    },
  };
}

function pauseAfter(failures: number): number {
  return failures === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS);
}
