import type { Instance } from '../../platform/hosting/service.ts';

/** An instance whose service rents it by a term, and only cancels. */
type Rented = Pick<Instance, 'endsAt'>;

/** When one that is canceled ends, Unix ms; undefined where it isn't canceled, or nobody can tell when it ends. Pure. */
export function endOf({ endsAt }: Rented): number | undefined {
  return momentIn(endsAt);
}

/** The day on which one that is canceled ends, as its service writes it: "2026-12-31". Pure. */
export function dayOfEnd(instance: Rented): string | undefined {
  return endOf(instance) === undefined ? undefined : instance.endsAt?.slice(0, '2026-12-31'.length);
}

/** When what is paid for it ends, Unix ms, where it isn't canceled and the service says so. Pure. */
export function paidUntilOf(instance: Rented & Pick<Instance, 'paidUntil'>): number | undefined {
  return instance.endsAt === undefined ? momentIn(instance.paidUntil) : undefined;
}

function momentIn(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? '');
  return Number.isFinite(at) ? at : undefined;
}
