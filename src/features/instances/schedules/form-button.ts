import { SCHEDULE_ROUTES } from '../../../core/schedules/messages.ts';
import type { Button } from '../../../platform/slack/message.ts';

/** Opens the form in which a schedule is picked together. */
export const FORM_BUTTON: Button = { label: 'New schedule…', routeId: SCHEDULE_ROUTES.form, value: 'form' };
