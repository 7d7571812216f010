import { ADMINS } from '../core/on-call/escalation.ts';
import type { Named, Names } from '../features/doctor/index.ts';
import { isGroupId } from '../platform/slack/ids.ts';
import type { ConfiguredAccount } from './config/accounts.ts';

/** What the configuration of an account names that may not be there, and where it names it. Pure. */
export function namedIn({ account, config }: ConfiguredAccount): Named {
  const { policy, admins, alerts, approvals, audit, protectedInstances } = config;
  const file = policy?.name ?? '';
  const { grants = [], channels = {}, onCall = {} } = policy ?? {};
  const told = Object.values(onCall).flatMap(({ steps = [] }) => steps.flatMap(({ who }) => who));
  const limits = Object.entries(channels);
  const own = approvals.filter((rule) => !policy?.approvals?.includes(rule));
  return {
    patterns: named(
      [policy?.protectedInstances ? `protected in ${file}` : 'LAMPLIGHTER_PROTECTED', protectedInstances],
      ['LAMPLIGHTER_APPROVE', own.flatMap(({ on }) => on)],
      [`approvals in ${file}`, policy?.approvals?.flatMap(({ on }) => on)],
      [`roles in ${file}`, grants.flatMap(({ on = [] }) => on)],
      [`channels in ${file}`, limits.flatMap(([, { on = [] }]) => on)],
    ),
    people: named(
      ['LAMPLIGHTER_ADMINS', admins],
      ['BILLING_ESCALATE_TO', alerts.escalateTo.filter((id) => !isGroupId(id))],
      [`roles in ${file}`, grants.flatMap(({ to }) => ('userId' in to ? [to.userId] : []))],
      [`oncall in ${file}`, told.filter((one) => one !== ADMINS && !isGroupId(one))],
      ['people of the account', account?.people],
    ),
    groups: named(
      ['BILLING_ESCALATE_TO', alerts.escalateTo.filter(isGroupId)],
      [`roles in ${file}`, grants.flatMap(({ to }) => ('groupId' in to ? [to.groupId] : []))],
      [`oncall in ${file}`, told.filter(isGroupId)],
    ),
    channels: named(
      [`oncall in ${file}`, Object.keys(onCall)],
      [`channels in ${file}`, limits.map(([channelId]) => channelId).filter((id) => !id.startsWith('D'))],
      [`roles in ${file}`, grants.flatMap(({ in: places = [] }) => places)],
      ['channels of the account', account?.channels],
      ['default_in of the account', account?.defaultIn],
      ['AUDIT_HEAD_CHANNEL', audit.head && [audit.head.channelId]],
    ),
  };
}

function named(...lists: readonly (readonly [string, readonly string[] | undefined])[]): readonly Names[] {
  return lists.flatMap(([from, names = []]) =>
    names.length === 0 ? [] : [{ from, names: [...new Set(names)] }],
  );
}
