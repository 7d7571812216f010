import type { WorkspaceOfPage } from '../wire.ts';

/** One line under which a person can type on. */
export interface Suggestion {
  readonly title: string;
  readonly usage: string;
  readonly about: string;
  /** What stands in the composer once it is taken. */
  readonly completed: string;
}

const MAX_SHOWN = 12;

/** What can follow what was typed: commands, then their verbs, or whom a mention may mean. */
export function suggest(workspace: WorkspaceOfPage, typed: string, inThread: boolean): readonly Suggestion[] {
  const mention = /(^|\s)@([\w.-]*)$/.exec(typed);
  if (mention) return mentions(workspace, typed, mention[2] ?? '');
  if (!typed.startsWith('/') || inThread) return [];
  const [noun = '', verb, ...rest] = typed.split(' ');
  if (verb === undefined) {
    return workspace.commands
      .filter(({ command }) => command.startsWith(noun))
      .map(({ command, summary }) => ({
        title: command,
        usage: '',
        about: summary,
        completed: `${command} `,
      }));
  }
  const command = workspace.commands.find((one) => one.command === noun);
  const fits = (line: { verb: string }): boolean =>
    rest.length > 0 ? line.verb === verb : line.verb.startsWith(verb);
  return (command?.lines ?? [])
    .filter(fits)
    .slice(0, MAX_SHOWN)
    .map((line) => ({
      title: `${noun} ${line.verb}`,
      usage: line.usage,
      about: line.summary,
      completed: rest.length > 0 ? typed : `${noun} ${line.verb} `,
    }));
}

function mentions(workspace: WorkspaceOfPage, typed: string, begun: string): readonly Suggestion[] {
  return [workspace.bot, ...workspace.people]
    .filter(({ handle }) => handle.startsWith(begun.toLowerCase()))
    .map(({ handle, name }) => ({
      title: `@${handle}`,
      usage: '',
      about: name,
      completed: `${typed.slice(0, typed.length - begun.length)}${handle} `,
    }));
}
