import type { Entry } from '../audit/entry.ts';
import { newId } from '../../platform/id.ts';
import { atMost } from '../../platform/time/wait.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Answer } from './answer.ts';
import type { Intake } from './intake.ts';
import { mayBeLost, moreCameLate, notWritten, tooMuch, unknown } from './messages.ts';
import { createRateLimit, type RateLimit } from './rate-limit.ts';
import { requestOf } from '../operations/spans.ts';
import { isLate, lateAsk } from './late.ts';
import type { Ask } from '../ask/ask.ts';
import { isWrittenDown, type Route } from './route.ts';
import type { Routed } from './routes.ts';
import type { Parts } from '../parts/parts.ts';

interface AdmitOptions {
  /**
   * What the acknowledgement says to the person: why something was not taken, and that of a command what was asked to be
   * seen as well. `answers once`: a stranger could send the same again, so what needs a right is shown once. It costs no Slack
   * call, so the person who asks too much hears it each time.
   */
  readonly ackSays?: 'refusals' | 'answers' | 'answers once';
  /** How long the acknowledgement may be. */
  readonly maxAckBytes?: number;
  /** Slack may send the same again, so that nobody can say that nothing will come of it. */
  readonly mayComeAgain?: boolean;
}

/**
 * Takes a matched ask in: writes it down, or answers it. Gives what to say at once where it can't be taken. Nothing is begun of
 * what Slack delivers too late: its person reads that, and can go on from there.
 */
export type Admit = (ask: Ask, route: Route, options?: AdmitOptions) => Promise<Said>;

/** What the acknowledgement says. */
type Said = Message | undefined;

const ANSWER_FIRST_MS = 1_500;
/** What is not said within this part of the time for writing down can still be written down. */
const SAID_AT_ONCE_SHARE = 0.6;
/** Of how much that came late one person is told in a minute: an outage is replayed at once. */
const LATE_PER_MINUTE = 5;

export function createAdmit(
  deps: Routed & { readonly intake: Intake; readonly answer: Answer; readonly rateLimit: RateLimit },
): Admit {
  const { intake, answer, rateLimit, inFlight, metrics, timings } = deps;
  const lateLimit = createRateLimit(LATE_PER_MINUTE);
  const late = async (ask: Ask): Promise<Message | undefined> => {
    const route = deps.routes.byService.get('late');
    const limited = await lateLimit.check(ask.actor.userId);
    metrics.slackRequest(route?.id ?? ask.route, limited ? 'rate-limited' : 'taken');
    if (limited) return limited.isFirst ? { lines: [moreCameLate()] } : undefined;
    const taken = route ? await intake.take(lateAsk(ask, route.id)) : 'not taken';
    return taken === 'taken' ? undefined : { lines: [moreCameLate()] };
  };
  return async (ask, route, { ackSays, maxAckBytes = Infinity, mayComeAgain = false } = {}) => {
    if (isLate(ask, Date.now())) return late(ask);
    const limited = await rateLimit.check(ask.actor.userId);
    if (limited) {
      metrics.slackRequest(route.id, 'rate-limited');
      const isSaid = limited.isFirst || ackSays !== undefined;
      return isSaid ? answer.refuse(ask, route, tooMuch(limited.waitMs)) : undefined;
    }
    metrics.slackRequest(route.id, 'taken');
    if (!isWrittenDown(route, ask.words)) {
      const isSaidAtOnce = ackSays === 'answers' || ackSays === 'answers once';
      return isSaidAtOnce
        ? sayAtOnce(ask, route, maxAckBytes, ackSays === 'answers once')
        : answerHere(ask, route);
    }
    const taken = await intake.take(ask);
    if (taken === 'taken') return undefined;
    return answer.refuse(ask, route, taken === 'unknown' || mayComeAgain ? unknown() : notWritten(taken));
  };

  /**
   * Gives the answer to a read where it is ready in a moment: Slack then shows it or says that none came, so it needs no
   * record. An answer that comes later, or that Slack may refuse in this form, follows as that of any other read.
   */
  async function sayAtOnce(ask: Ask, route: Route, maxBytes: number, isOnce: boolean): Promise<Said> {
    const deciding = answer.decide(ask, route);
    void inFlight.run(() => deciding);
    // Help is for everybody. Anything else could be read by a stranger who sends the same request again.
    const token = newId();
    const isFirst = isOnce && route.permission !== undefined ? intake.isFirst(ask.id, token) : true;
    const decided = await atMost(timings.writeDownWithinMs * SAID_AT_ONCE_SHARE, deciding);
    if (!(await isFirst)) return undefined;
    if (!decided || (decided.reply && !answer.fitsAcknowledgement(decided.reply, maxBytes))) {
      return answerHere(ask, route, { deciding, token });
    }
    await record(deps, ask, decided.entry);
    told(deps, ask);
    return decided.reply;
  }

  /**
   * Answers a read in this process, which need not be through when this resolves. `deciding`: where that has begun; `token`:
   * by which the request was seen first. Gives what to say where the answer may be lost.
   */
  async function answerHere(
    ask: Ask,
    route: Route,
    { deciding, token }: { readonly deciding?: ReturnType<Answer['decide']>; readonly token?: string } = {},
  ): Promise<Message | undefined> {
    const accepted = await intake.acceptRead(ask, token);
    if (accepted === 'duplicate') return undefined;
    const answering = inFlight.run(async () => {
      const { reply, entry } = await (deciding ?? answer.decide(ask, route));
      await record(deps, ask, entry);
      const delivery = reply ? await answer.tell(ask, reply) : 'delivered';
      // What could not be delivered stays written down, and is tried again by whichever process is alive.
      if (delivery !== 'not yet' && (await intake.answered(ask, accepted))) told(deps, ask);
      return delivery === 'delivered';
    });
    if (accepted === 'accepted') return undefined;
    // What is written down nowhere is acknowledged once it is answered, as far as Slack's patience goes.
    const isAnswered = await atMost(ANSWER_FIRST_MS, answering);
    return isAnswered ? undefined : answer.refuse(ask, route, mayBeLost());
  }
}

function told({ traces, clock }: Parts, { id, route, askedAt: from }: Ask): void {
  traces.add([requestOf({ id, route, from, to: clock.now() })]);
}

async function record({ audit, log }: Parts, { id }: Ask, entry: Entry | undefined): Promise<void> {
  if (!entry) return;
  await audit
    .append(entry)
    .catch((error: unknown) => log.error({ request: id, error }, 'recording an attempt'));
}
