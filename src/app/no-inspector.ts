/**
 * Node opens its inspector at SIGUSR1: whoever may send a signal to the bot could read its keys, and a port would listen. A
 * listener of our own takes that place, and does nothing. It is imported before all else; Node's own option against it is
 * younger than Node 20.
 */
process.on('SIGUSR1', () => undefined);
