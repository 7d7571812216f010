import type { Act } from '../scenario.ts';
import { ACCESS } from './access.ts';
import { ADDONS } from './addons.ts';
import { ALERTS } from './alerts.ts';
import { APPROVALS } from './approvals.ts';
import { ASKING_FIRST } from './asking-first.ts';
import { ASKING_THEM } from './asking-them.ts';
import { AUDITING } from './auditing.ts';
import { BILLING } from './billing.ts';
import { DELETING } from './deleting.ts';
import { FAULTS } from './faults.ts';
import { FAVORITES } from './favorites.ts';
import { FREEZING } from './freezing.ts';
import { GRANTING } from './granting.ts';
import { HANDING_OVER } from './handing-over.ts';
import { HOME } from './home.ts';
import { INSTANCES } from './instances.ts';
import { LINKS } from './links.ts';
import { QUEUE } from './queue.ts';
import { ON_CALL } from './on-call.ts';
import { POWER } from './power.ts';
import { SCHEDULING } from './scheduling.ts';
import { SEVERAL } from './several.ts';
import { BUDGET } from './budget.ts';
import { WATCHING } from './watching.ts';
import { WAYS_IN } from './ways-in.ts';

/** Every scenario, in the order of the pages. */
export const ACTS: readonly Act[] = [
  ...INSTANCES,
  ...FAVORITES,
  ...POWER,
  ...SEVERAL,
  ...SCHEDULING,
  ...QUEUE,
  ...ASKING_FIRST,
  ...DELETING,
  ...ADDONS,
  ...BILLING,
  ...ALERTS,
  ...BUDGET,
  ...LINKS,
  ...ACCESS,
  ...GRANTING,
  ...ASKING_THEM,
  ...APPROVALS,
  ...FREEZING,
  ...ON_CALL,
  ...HANDING_OVER,
  ...AUDITING,
  ...WATCHING,
  ...HOME,
  ...WAYS_IN,
  ...FAULTS,
];
