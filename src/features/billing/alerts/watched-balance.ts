import type { AtZero } from '../../../platform/hosting/service.ts';
import type { Button } from '../../../platform/slack/message.ts';
import { type AlertConfig, thresholdsOf } from './alert-settings.ts';
import { balanceCommand } from './balance-command.ts';
import { balanceFace } from './balance-face.ts';
import { balanceMeasure } from './balance-measure.ts';
import { look } from './look.ts';
import type { Watched } from './watched.ts';

/**
 * A balance that is paid before: how long it lasts. `unit`: how credits are called; `atZero`: what the host does then; `topUp`:
 * opens the page where more are bought.
 */
export function watchedBalance(
  config: AlertConfig,
  unit: string,
  atZero: AtZero | undefined,
  topUp: readonly Button[],
): Watched {
  return {
    look,
    measureOf: (settings) => balanceMeasure(thresholdsOf(settings, config)),
    face: balanceFace(unit, atZero, topUp),
    command: balanceCommand(config, unit),
  };
}
