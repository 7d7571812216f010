import { requestKeys } from '../ask/keys.ts';
import { remove, unfile, type Write } from './writes.ts';

/** A request is open no more: it was begun, answered or taken back. */
export function forgetRequest(requestId: string): readonly Write[] {
  return [remove(requestKeys.request(requestId)), unfile(requestKeys.open, requestId)];
}
