import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ViewOfPage } from '../wire.ts';
import { useActing } from './acting.ts';
import { Blocks } from './blocks/index.tsx';
import { records, textOf } from './blocks/json.ts';
import { FormContext } from './form.ts';

const EMPTY = 'Please complete this required field.';

/** A modal over the page; give it the view's id as its key. */
export function Modal({ view }: { view: ViewOfPage }): JSX.Element {
  const { act } = useActing();
  const [entries, setEntries] = useState<Readonly<Record<string, string>>>({});
  const [missing, setMissing] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setBusy] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLInputElement>('input')?.focus();
  }, []);
  const close = (): void => void act({ do: 'close', target: view.id });
  const submit = async (): Promise<void> => {
    const empty = records(view.blocks)
      .filter((block) => block['type'] === 'input' && block['optional'] !== true)
      .map((block) => textOf(block, 'block_id'))
      .filter((id) => (entries[id] ?? '') === '');
    setMissing(Object.fromEntries(empty.map((id) => [id, EMPTY])));
    if (empty.length > 0) return;
    setBusy(true);
    await act({ do: 'submit', target: view.id, entries });
    setBusy(false);
  };
  const fill = (blockId: string, value: string): void =>
    setEntries((before) => ({ ...before, [blockId]: value }));
  return (
    <dialog
      class="modal"
      ref={dialog}
      aria-label={view.title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <header>
          <h2>{view.title}</h2>
          <button type="button" class="plain-button" aria-label="Close" onClick={close}>
            ✕
          </button>
        </header>
        <FormContext.Provider value={{ entries, errors: { ...view.errors, ...missing }, fill }}>
          <div class="modal-body">
            <Blocks blocks={view.blocks} target={view.id} />
          </div>
        </FormContext.Provider>
        <footer>
          <button type="button" class="button" onClick={close}>
            {view.close ?? 'Cancel'}
          </button>
          {view.submit !== undefined && (
            <button type="submit" class="button primary" disabled={isBusy} aria-busy={isBusy}>
              {view.submit}
            </button>
          )}
        </footer>
      </form>
    </dialog>
  );
}
