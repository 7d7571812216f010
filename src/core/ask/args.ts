import { z } from 'zod';

/** What a change takes besides its instance, as its own declaration reads it. */
export const argsSchema = z.record(z.string(), z.unknown());
