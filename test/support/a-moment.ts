/** Something that others wait for: `comes` resolves once it `is`. */
export function aMoment(): { readonly comes: Promise<void>; readonly is: () => void } {
  let is = (): void => undefined;
  const comes = new Promise<void>((resolve) => {
    is = resolve;
  });
  return { comes, is };
}
