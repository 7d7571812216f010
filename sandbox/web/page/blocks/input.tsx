import type { JSX } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { useActing } from '../acting.ts';
import { FormContext } from '../form.ts';
import type { BlockProps } from './block-props.ts';
import { labelOf, record, textOf } from './json.ts';
import { Select } from './select.tsx';
import { Undrawn } from './undrawn.tsx';

const SELECTS: ReadonlySet<unknown> = new Set(['external_select', 'multi_external_select']);

/** A field of a form, what is wrong with it, and a hint. */
export function Input({ block, target }: BlockProps): JSX.Element {
  const form = useContext(FormContext);
  const { act } = useActing();
  const id = useId();
  const element = record(block['element']);
  const blockId = textOf(block, 'block_id');
  const error = form.errors[blockId];
  const hint = labelOf(block['hint']);
  const isText = element['type'] === 'plain_text_input';
  // In a message it is told by itself; in a modal, with the whole form.
  const isHeard = isText && block['dispatch_action'] === true;
  if (!isText && !SELECTS.has(element['type'])) return <Undrawn what={element['type']} />;
  const spot = { target, blockId, actionId: textOf(element, 'action_id') };
  return (
    <div class="input">
      <label htmlFor={id}>
        {labelOf(block['label'])} {block['optional'] === true && <span class="quiet">(optional)</span>}
      </label>
      {isText ? (
        <input
          id={id}
          type="text"
          autocomplete="off"
          spellcheck={false}
          maxLength={Number(element['max_length'] ?? 3000)}
          value={isHeard ? undefined : (form.entries[blockId] ?? '')}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-about`}
          onInput={(event) => form.fill(blockId, event.currentTarget.value)}
          onChange={(event) => {
            if (isHeard) void act({ do: 'fill', ...spot, value: event.currentTarget.value });
          }}
          onKeyDown={(event) => {
            if (isHeard && event.key === 'Enter')
              void act({ do: 'choose', ...spot, value: event.currentTarget.value });
          }}
        />
      ) : (
        <Select element={element} spot={spot} id={id} onChosen={(value) => form.fill(blockId, value)} />
      )}
      <div id={`${id}-about`}>
        {error !== undefined && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        {hint !== '' && <p class="quiet">{hint}</p>}
      </div>
    </div>
  );
}
