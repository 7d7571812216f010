import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { JobPart } from './run.ts';
import { nextNotice, noticeAt, noticed, notNoticed } from './asker-notice.ts';
import type { Operations } from './operations.ts';
import type { Base } from '../base.ts';

/** The part that answers the asker alone where no card stands. Said twice where Slack's answer is lost. */
export function createAskerNotice({
  operations,
  responseUrls,
  clock,
  timings,
  log,
}: Pick<Base, 'clock' | 'timings' | 'log' | 'responseUrls'> & { readonly operations: Operations }): JobPart {
  return async (operation) => {
    const kind = nextNotice(operation);
    const { id, responseUrl } = operation;
    if (!kind || responseUrl === undefined || noticeAt(operation, timings) > clock.now()) return false;
    try {
      await responseUrls.post(responseUrl, operations.noticeOf(operation, kind));
      await operations.change(id, (now) => noticed(now, kind, clock.now()));
    } catch (error) {
      const fault = slackErrorOf(error);
      log.warn({ operation: id, code: fault.code }, 'answering the asker alone');
      await operations.change(id, (now) => notNoticed(now, fault, clock.now(), timings));
    }
    return true;
  };
}
