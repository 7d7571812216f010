/**
 * `lamplighter/adapter`: what an adapter is written with. One that stands outside of this repository says in `version` for which
 * version of this it was written; a change that such a file could not be run with makes a new one.
 */
export { z } from 'zod';
export { adapter as instanceHosting } from './adapters/instance-hosting.ts';
export type { Adapter, ListRead, Lists, ServiceRead, Write } from './adapter.ts';
export type { Answer } from './answer.ts';
export { type Auth, type Exchange, keyInHeader, type OutgoingCall, type Session } from './auth.ts';
export type { Example, ExampleAnswer, Examples, Pages, Refusal } from './examples.ts';
export type { HostingFault } from './hosting-error.ts';
export type { Bill, Charge, Spending } from './month.ts';
export { type AskedPage, onOnePage, pagedByLink, pagedByToken, type Paging } from './paging.ts';
export type {
  Action,
  Addon,
  AskedOfPower,
  Balance,
  BegunAction,
  Forcible,
  IdentifiedAction,
  Instance,
  PausedFor,
  Power,
  Price,
  Status,
  Transaction,
  Usage,
  WriteAnswer,
} from './service.ts';
export { type LeaveOut, readAs, readRecord, Unreadable } from './unreadable.ts';
export { cents, identified, mustBeAbout, nothingSaid, readIdentified, wordIn } from './readers.ts';
export { readXml, xmlList } from './xml.ts';
