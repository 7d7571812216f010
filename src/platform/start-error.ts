/** Why the bot does not start, in one sentence for the person who runs it. */
export class StartError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'StartError';
  }
}
