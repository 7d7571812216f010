import type { Answer } from './answer.ts';
import type { WriteAnswer } from './service.ts';
import { Unreadable } from './unreadable.ts';

/** With these a service says of a write that it took it and has nothing to show. */
const SILENT = [200, 202, 204];

/** The answer of a service that takes a write without a word. Throws Unreadable for any other. */
export function nothingSaid({ status, body }: Answer): WriteAnswer {
  if (body === undefined && SILENT.includes(status)) return {};
  throw new Unreadable('not the empty answer that this service gives');
}

/** Throws Unreadable where an answer names what it is about, and that is something else. `named`: its id, if it says one. */
export function mustBeAbout(id: string, named: unknown): void {
  if (named === undefined || named === null || named === id || named === Number(id)) return;
  throw new Unreadable('about something else than was asked');
}
