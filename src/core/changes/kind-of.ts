import type { OperationKind } from '../operations/kind.ts';
import { subject } from '../operations/messages.ts';
import type { Operation } from '../operations/operation.ts';
import type { Button } from '../../platform/slack/message.ts';
import { linksFor } from '../links.ts';
import type { Args, Declared, OperationWith } from './declaration.ts';
import { judgeChange, judgeRefusedChange } from './judge.ts';
import { type CardRoutes, changeCard, changeEnding, type Ending, wayBackSteps } from './sentences.ts';
import type { Base } from '../base.ts';

/** What every change needs that no feature says. */
export type KindDeps = Pick<Base, 'timings' | 'links'> & CardRoutes;

/** A declared verb as a kind of operation: how it is sent, judged and worded. */
export function kindOf<A extends Args>(
  declared: Declared<A>,
  { timings, links, ...routes }: KindDeps,
): OperationKind {
  const { id, words, rule } = declared;
  const { verb = declared.verb } = words;
  const typed = (operation: Operation): OperationWith<A> => ({
    ...operation,
    args: declared.args.parse(operation.args),
  });
  const wordsOf = (operation: Operation): Ending => {
    const { args } = typed(operation);
    const it = subject(operation);
    const object = declared.object?.(it, args) ?? it;
    return { verb, done: words.done, object, topic: declared.topic?.(it, args) ?? it };
  };
  return {
    kind: id,
    verb: declared.verb,
    permission: declared.permission,
    observer: declared.observer,
    topic: (operation) => wordsOf(operation).topic,
    doing: words.isBeing ?? words.doing.toLowerCase(),
    coming: words.coming,
    keep: words.keep,
    idsOf: (operation) => declared.idsOf?.(typed(operation)) ?? [operation.subject.id],
    prepare: async (operation) => declared.prepare?.(typed(operation)),
    send: (operation, options) => declared.send(typed(operation), options),
    judge: (operation, observed, now) => {
      const one = typed(operation);
      if ('judge' in rule) return rule.judge(one, observed, now);
      const isReached = rule.isReached(observed, one.args);
      return judgeChange(operation, { isReached, mayRepeat: rule.repeats === 'if-unchanged' }, now, timings);
    },
    judgeRefused: (operation, observed, said) => {
      const one = typed(operation);
      if ('judge' in rule) return rule.judgeRefused(one, observed, said);
      const isReached = observed !== undefined && rule.isReached(observed, one.args);
      return judgeRefusedChange(operation, isReached, said);
    },
    card: (operation) => changeCard(operation, words, wordsOf(operation).object, { ...routes, links }),
    ending: (operation, outcome) =>
      declared.ending?.(typed(operation), outcome) ?? changeEnding(operation, outcome, wordsOf(operation)),
    wayBackSteps: (operation) => wayBackSteps(operation, routes),
    nextSteps: (operation, outcome) => {
      const [first, ...others] = declared.nextSteps?.(typed(operation), outcome) ?? [
        { label: 'Try again', routeId: id, value: operation.id },
      ];
      const { code } = outcome;
      const pausedFor = code === 'no-credit' ? code : operation.execution.lastState?.pausedFor;
      const page = code === 'gone' ? [] : linksFor(links, { id: operation.subject.id, pausedFor });
      // What does something comes before what only shows it.
      const shows = ({ routeId }: Button): boolean => routeId === routes.showRoute;
      const acting = others.filter((one) => !shows(one));
      return [...(first ? [first] : []), ...acting, ...page, ...others.filter(shows)];
    },
  };
}
