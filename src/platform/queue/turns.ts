/** Jobs that wait for their turn: groups take turns, and those of one group come in their order. */
export interface Turns<Job> {
  wait(job: Job): void;
  /** The next job, which runs from now on; undefined where none waits whose group has room. */
  take(): Job | undefined;
  /** A job that was taken leaves its room to the next of its group; the same said again does nothing. */
  leave(job: Job): void;
  /** Gives all that wait, which do so no longer. */
  giveUp(): Job[];
}

/** `groupOf`: the group of a job. `mostOfGroup`: so many of one group have room at once. */
export function createTurns<Job>(groupOf: (job: Job) => string, mostOfGroup: number): Turns<Job> {
  /** In the order of their turns. */
  const lines = new Map<string, Job[]>();
  const taken = new Map<string, Set<Job>>();
  return {
    wait: (job) => {
      const group = groupOf(job);
      const line = lines.get(group);
      if (line) line.push(job);
      else lines.set(group, [job]);
    },
    take: () => {
      for (const [group, line] of lines) {
        const those = taken.get(group) ?? new Set();
        if (those.size >= mostOfGroup) continue;
        const job = line.shift();
        lines.delete(group);
        if (line.length > 0) lines.set(group, line);
        if (job !== undefined) taken.set(group, those.add(job));
        return job;
      }
      return undefined;
    },
    leave: (job) => {
      const group = groupOf(job);
      const those = taken.get(group);
      those?.delete(job);
      if (those?.size === 0) taken.delete(group);
    },
    giveUp: () => {
      const all = [...lines.values()].flat();
      lines.clear();
      return all;
    },
  };
}
