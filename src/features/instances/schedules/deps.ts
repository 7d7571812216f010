import type { RequestDeps } from '../../../core/changes/begin-change.ts';
import type { Bot } from '../../../core/bot/bot.ts';

export type ScheduleDeps = Pick<Bot, 'people' | 'isProtected' | 'holidays' | 'schedules'> & RequestDeps;
