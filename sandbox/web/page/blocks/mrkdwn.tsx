import type { ComponentChildren, JSX } from 'preact';
import { decode } from '../../../slack/reading/entities.ts';
import { useActing } from '../acting.ts';
import { SlackDate } from '../time.tsx';
import { Channel, Group, Link, Mention } from './mention.tsx';

/** What is between angle brackets, code of several lines, code, bold, italic and struck words. */
const MARK =
  /<([^<>]+)>|```([\s\S]+?)```|`([^`\n]+)`|(?<![\w*])\*([^*\n]+)\*(?![\w*])|(?<![\w_])_([^_\n]+)_(?![\w_])|(?<![\w~])~([^~\n]+)~(?![\w~])/g;

/** Text as Slack writes and parses it. */
export function Mrkdwn({ text }: { text: string }): JSX.Element {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(MARK)) {
    parts.push(decode(text.slice(end, match.index)), <Marked key={match.index} match={match} />);
    end = match.index + match[0].length;
  }
  return (
    <span class="mrkdwn">
      {parts}
      {decode(text.slice(end))}
    </span>
  );
}

function Marked({ match }: { match: RegExpMatchArray }): JSX.Element {
  const [, angle, pre, code, bold, italic, struck] = match;
  if (angle !== undefined) return <Angle inside={angle} />;
  if (pre !== undefined) return <pre>{decode(pre)}</pre>;
  if (code !== undefined) return <code>{decode(code)}</code>;
  if (bold !== undefined)
    return (
      <b>
        <Mrkdwn text={bold} />
      </b>
    );
  if (italic !== undefined)
    return (
      <i>
        <Mrkdwn text={italic} />
      </i>
    );
  return (
    <s>
      <Mrkdwn text={struck ?? ''} />
    </s>
  );
}

function Angle({ inside }: { inside: string }): JSX.Element {
  const { workspace } = useActing();
  const [target = '', ...labels] = inside.split('|');
  const label = decode(labels.join('|'));
  if (/^@[UW]/.test(target)) return <Mention id={target.slice(1)} />;
  if (target.startsWith('#')) return <Channel id={target.slice(1)} />;
  if (target.startsWith('!subteam^'))
    return <Group handle={workspace.groups[target.slice('!subteam^'.length)]} />;
  if (target.startsWith('!date^')) {
    const [, seconds, format = ''] = target.split('^');
    return <SlackDate seconds={Number(seconds)} format={format} fallback={label} />;
  }
  if (target.startsWith('!')) return <Group handle={target.slice(1)} />;
  return <Link url={decode(target.replace(/^mailto:/, ''))} label={label} />;
}
