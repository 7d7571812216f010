import { type ConfirmationStore, createConfirmationStore } from '../core/confirmations/confirmation-store.ts';
import { createDurations, type Durations } from '../core/operations/durations.ts';
import { createOfferStore, type OfferStore } from '../core/operations/offer-store.ts';
import { createOperationStore, type OperationStore } from '../core/operations/operation-store.ts';
import { createPastStore, type PastStore } from '../core/operations/past-store.ts';
import { createLanes, type Lanes } from '../core/outbox/lanes.ts';
import { createKeptWords, type KeptWords } from '../core/requests/kept-words.ts';
import { createRequestStore, type RequestStore } from '../core/requests/request-store.ts';
import type { Timings } from '../core/timings.ts';
import type { Log } from '../platform/log/log.ts';
import { createQueue, type WorkQueue } from '../platform/queue/queue.ts';
import { createRedisClock, type RedisClock } from '../platform/redis/clock.ts';
import { connectHasty, connectPatient, type RedisConnection } from '../platform/redis/connection.ts';
import type { FaultPoints } from './fault-points.ts';

/** Everything that is kept in Redis, and the connections it is kept over. */
export interface Stores {
  /** For what a person waits for. */
  readonly hasty: RedisConnection;
  /** For what runs behind the queue, and waits for Redis. */
  readonly patient: RedisConnection;
  readonly clock: RedisClock;
  readonly queue: WorkQueue;
  readonly billingQueue: WorkQueue;
  readonly requestQueue: WorkQueue;
  readonly hastyStore: OperationStore;
  /** Over the connection that waits, where this process works behind the queue. */
  readonly store: OperationStore;
  readonly offers: OfferStore;
  readonly past: PastStore;
  readonly durations: Durations;
  readonly requests: RequestStore;
  readonly keptWords: KeptWords;
  readonly confirmationStore: ConfirmationStore;
  readonly lanes: Lanes;
}

export function createStores({
  redisUrl,
  isWorker,
  timings,
  faultPoints,
  log,
}: {
  redisUrl: string;
  isWorker: boolean;
  timings: Timings;
  faultPoints: FaultPoints;
  log: Log;
}): Stores {
  const onError = (error: Error): void => log.limited('redis', error);
  const hasty = connectHasty(redisUrl, onError);
  const patient = connectPatient(redisUrl, onError);
  const clock = createRedisClock(hasty);
  const hastyStore = faultPoints('operations', createOperationStore(hasty, clock, log));
  return {
    hasty,
    patient,
    clock,
    queue: faultPoints('queue', createQueue(hasty, 'operations')),
    billingQueue: faultPoints('billing queue', createQueue(hasty, 'billing')),
    requestQueue: faultPoints('request queue', createQueue(hasty, 'requests')),
    hastyStore,
    store: isWorker ? faultPoints('operations', createOperationStore(patient, clock, log)) : hastyStore,
    offers: faultPoints('offers', createOfferStore(hasty)),
    past: faultPoints('past', createPastStore(hasty)),
    durations: faultPoints('durations', createDurations(hasty)),
    requests: faultPoints('requests', createRequestStore(hasty, clock, timings)),
    keptWords: faultPoints('kept words', createKeptWords(hasty)),
    confirmationStore: faultPoints('confirmations', createConfirmationStore(hasty)),
    lanes: faultPoints('lanes', createLanes(isWorker ? patient : hasty)),
  };
}
