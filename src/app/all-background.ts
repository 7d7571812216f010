import type { Background } from '../core/intake/feature.ts';
import { stepsBackground, type StepJobDeps } from '../core/workflow-steps/step-job.ts';
import { createStepStore } from '../core/workflow-steps/step-store.ts';
import { doctorBackground } from '../features/doctor/index.ts';
import { RESTART_ROUTE } from '../features/instances/index.ts';
import { createBackground } from './features.ts';
import type { FeaturesDeps } from './features-deps.ts';
import type { Stores } from './stores.ts';

/** What is done without being asked. */
export function createAllBackground(
  given: Omit<FeaturesDeps, 'redis'> & Stores & Omit<StepJobDeps, 'steps' | 'restartRoute'>,
): readonly Background[] {
  return [
    ...createBackground({ ...given, redis: given.blocking }),
    doctorBackground,
    stepsBackground({ ...given, steps: createStepStore(given.blocking), restartRoute: RESTART_ROUTE }),
  ];
}
