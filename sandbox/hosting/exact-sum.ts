/** Credits as a whole number of hundredths. Throws for what isn't exact then: a third decimal, or more than a float holds. */
export function hundredthsOf(credits: number): number {
  const hundredths = Math.round(credits * 100);
  if (!Number.isSafeInteger(hundredths) || hundredths / 100 !== credits) {
    throw new Error(`hosting sandbox: ${credits} credits are not exact in hundredths`);
  }
  return hundredths;
}

/** Adds credits up exactly: in floats 0.1 and 0.2 would be a little more than 0.3, and a bill would not add up. */
export function sumOf(credits: readonly number[]): number {
  return credits.reduce((sum, each) => sum + hundredthsOf(each), 0) / 100;
}
