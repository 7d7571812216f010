import { type Json, record, records, string } from '../json.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { decode } from './entities.ts';
import { readMrkdwn } from './mrkdwn.ts';

/** A text object as a person reads it. */
export function readText(workspace: Workspace, value: unknown): string {
  const text = string(record(value)['text']) ?? '';
  return record(value)['type'] === 'mrkdwn' ? readMrkdwn(workspace, text) : decode(text);
}

/** An interactive element on one line: `[ Restart ]`, `[ Pick one ▾ ]`, `⋯ [ Rename | Delete ]`. */
export function readElement(workspace: Workspace, element: Json): string {
  const label = (value: unknown): string => readText(workspace, value);
  /** What opens an address in the browser has an arrow. */
  const pressed = (one: Json): string => `${label(one['text'])}${one['url'] === undefined ? '' : ' ↗'}`;
  const choices = records(element['options']).map(pressed);
  const type = String(element['type']);
  if (type === 'overflow') return `⋯ [ ${choices.join(' | ')} ]`;
  if (type.endsWith('select')) {
    const several = records(element['initial_options']).map((option) => label(option['text']));
    const chosen = label(record(element['initial_option'])['text']) || several.join(', ');
    return `[ ${chosen || label(element['placeholder']) || 'Choose…'} ▾ ]`;
  }
  if (type.endsWith('button')) return `[ ${pressed(element)} ]`;
  return `[ ${string(element['initial_value']) ?? label(element['placeholder'])}____ ]`;
}
