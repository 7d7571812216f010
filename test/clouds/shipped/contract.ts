import type { ZodType } from 'zod';
import type { Adapter } from '../../../src/platform/hosting/adapter.ts';
import type { Answer } from '../../../src/platform/hosting/answer.ts';
import type { Asked } from '../../hosting/answering.ts';
import type { Instance } from '../../../src/platform/hosting/service.ts';

/** What a service publishes, written down without a look at its adapter; examples are made up, of those shapes, beside those in played.ts. */
export interface Contract {
  readonly adapter: Adapter;
  /** What its answers are. */
  readonly shapes: Readonly<Record<'list' | 'one' | 'power' | 'refusal', ZodType>>;
  /** All pages of all its lists, in the order in which they are asked for; without them those of played.ts. */
  readonly lists?: readonly Partial<Answer>[];
  /** The record of an instance as an answer holds it, as far as it is one: in words of the contract. */
  readonly records: (body: unknown) => readonly unknown[];
  /** One record as the answer that has it alone. */
  readonly alone: (record: unknown) => unknown;
  /** The fields of a record that it is nothing without. */
  readonly essential: readonly string[];
  readonly truth: (record: unknown) => Pick<Instance, 'id' | 'name' | 'status'> | undefined;
  /** The instance that the examples in played.ts are about. */
  readonly id: string;
  /** Each request that the contract knows, and the bot may send. */
  readonly requests: ZodType<Asked>;
}
