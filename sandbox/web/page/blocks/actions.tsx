import type { JSX } from 'preact';
import type { BlockProps } from './block-props.ts';
import { Button } from './button.tsx';
import { records, textOf } from './json.ts';
import { Overflow } from './overflow.tsx';
import { Select } from './select.tsx';
import { Undrawn } from './undrawn.tsx';

/** What can be pressed or picked. */
export function Actions({ block, target }: BlockProps): JSX.Element {
  const blockId = textOf(block, 'block_id');
  return (
    <div class="actions">
      {records(block['elements']).map((element) => {
        const actionId = textOf(element, 'action_id');
        const props = { element, spot: { target, blockId, actionId } };
        switch (element['type']) {
          case 'button':
            return <Button key={actionId} {...props} />;
          case 'overflow':
            return <Overflow key={actionId} {...props} />;
          case 'external_select':
          case 'users_select':
          case 'conversations_select':
          case 'multi_external_select':
            return <Select key={actionId} {...props} />;
          default:
            return <Undrawn key={actionId} what={element['type']} />;
        }
      })}
    </div>
  );
}
