import fc from 'fast-check';
import { inject } from 'vitest';

/** A test that is green for a commit is green for it tomorrow; a fault that is found names its seed. */
fc.configureGlobal({ seed: inject('seed') });
