import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatDate } from '../../slack/reading/dates.ts';

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const EVERY_MS = 1_000;

/** A date in Slack's own format; one that says how long ago keeps itself up to date. */
export function SlackDate({
  seconds,
  format,
  fallback,
}: {
  seconds: number;
  format: string;
  fallback: string;
}): JSX.Element {
  const isRelative = format.includes('{ago}');
  const now = useNow(isRelative);
  return <time dateTime={isoOf(seconds)}>{formatDate(seconds, format, fallback, now, ZONE)}</time>;
}

/** When a message was posted, as it stands beside its author. */
export function Posted({ ts }: { ts: string }): JSX.Element {
  const seconds = Number(ts);
  const date = new Date(seconds * 1000);
  return (
    <time class="posted" dateTime={isoOf(seconds)} title={date.toLocaleString('en-US')}>
      {date.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })}
    </time>
  );
}

/** The day of a message, as it stands on the line above the first one of it. */
export function dayOf(ts: string): string {
  const date = new Date(Number(ts) * 1000);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? 'Today'
    : date.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
}

function useNow(isMoving: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isMoving) return undefined;
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  return now;
}

function isoOf(seconds: number): string | undefined {
  return Number.isFinite(seconds) && Math.abs(seconds) < 8e12
    ? new Date(seconds * 1000).toISOString()
    : undefined;
}
