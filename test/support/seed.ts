import fc from 'fast-check';
import { inject } from 'vitest';

/** A test that is green is green tomorrow; a fault that is found names its seed, and becomes an example. */
fc.configureGlobal({ seed: inject('seed') });
