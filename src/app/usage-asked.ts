/** Whether a command of the terminal is asked how it is used. */
export function isUsageAsked(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}
