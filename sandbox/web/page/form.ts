import { createContext } from 'preact';

/** What a person typed into the fields of a modal, and what is wrong with it, by block id. */
export interface Form {
  readonly entries: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  fill(blockId: string, value: string): void;
}

export const FormContext = createContext<Form>({ entries: {}, errors: {}, fill: () => undefined });
