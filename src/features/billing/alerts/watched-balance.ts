import type { ReadDailyCosts } from '../range/expected.ts';
import type { AboutService } from '../../../platform/hosting/service.ts';
import type { Button } from '../../../platform/slack/message.ts';
import { type AlertConfig, thresholdsOf } from './alert-settings.ts';
import { balanceCommand } from './balance-command.ts';
import { balanceFace } from './balance-face.ts';
import { balanceMeasure } from './balance-measure.ts';
import type { Settings } from './alarm.ts';
import type { Lines } from './level.ts';
import { look } from './look.ts';
import type { Watched } from './watched.ts';

/**
 * A balance that is paid before: how long it lasts. `unit`: how credits are called; `about`: what the host does when they run out,
 * and before; `topUp`: opens the page where more are bought; `dailyCosts`: what the days before have cost.
 */
export function watchedBalance(
  config: AlertConfig,
  unit: string,
  about: Pick<AboutService, 'atZero' | 'isToppedUp'>,
  { topUp, dailyCosts }: { readonly topUp: readonly Button[]; readonly dailyCosts: ReadDailyCosts },
): Watched {
  const linesOf = (settings: Settings): Lines => ({
    ...thresholdsOf(settings, config),
    isToppedUp: about.isToppedUp,
  });
  return {
    look: (hosting, now) => look(hosting, now, dailyCosts),
    measureOf: (settings) => balanceMeasure(linesOf(settings)),
    face: balanceFace(unit, about, topUp),
    command: balanceCommand(config, unit, linesOf),
  };
}
