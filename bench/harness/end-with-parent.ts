/** Ends this process once the one that started it is gone, however that ended. */
export function endWithParent(): void {
  process.once('disconnect', () => process.exit(0));
}
