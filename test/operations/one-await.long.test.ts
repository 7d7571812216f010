import { expect, it } from 'vitest';
import { KINDS } from '../../faults/kinds.ts';
import { INJECTIONS } from '../support/failpoints.ts';
import { inject } from '../support/inject.ts';

/** The await after which nobody can tell what happened; every other one is interrupted in `npm run test:chaos`. */
const SENDS = {
  'instances.restart': 'hosting.powerInstance 1',
  'instances.delete': 'hosting.deleteInstance 1',
};

it.concurrent.each(
  Object.entries(SENDS).flatMap(([kind, point]) => INJECTIONS.map((way) => ({ kind, point, way }))),
)(
  '$kind, interrupted by "$way" as its call leaves, is asked at most once and reported once',
  async ({ kind, point, way }) => {
    const faulted = KINDS.find((one) => one.kind === kind);
    if (!faulted) throw new Error(`no kind ${kind}`);
    expect(await inject({ kind: faulted, at: { point, inject: way } })).toMatchObject({
      isInjected: true,
      faults: [],
    });
  },
);
