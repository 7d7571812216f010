/** Jobs that wait for their turn: groups take turns, and those of one group come in their order. */
export interface Turns<Job> {
  wait(job: Job): void;
  /** The next job, which runs from now on; undefined where none waits whose group has room. */
  take(): Job | undefined;
  /** A job that was taken runs no longer. */
  end(job: Job): void;
  /** Gives all that wait, which do so no longer. */
  giveUp(): Job[];
}

/** `groupOf`: the group of a job. `mostOfGroup`: so many of one group run at once. */
export function createTurns<Job>(groupOf: (job: Job) => string, mostOfGroup: number): Turns<Job> {
  /** In the order of their turns. */
  const lines = new Map<string, Job[]>();
  const running = new Map<string, number>();
  const count = (group: string, more: number): void => {
    const now = (running.get(group) ?? 0) + more;
    if (now === 0) running.delete(group);
    else running.set(group, now);
  };
  return {
    wait: (job) => {
      const group = groupOf(job);
      const line = lines.get(group);
      if (line) line.push(job);
      else lines.set(group, [job]);
    },
    take: () => {
      for (const [group, line] of lines) {
        if ((running.get(group) ?? 0) >= mostOfGroup) continue;
        const job = line.shift();
        lines.delete(group);
        if (line.length > 0) lines.set(group, line);
        count(group, 1);
        return job;
      }
      return undefined;
    },
    end: (job) => count(groupOf(job), -1),
    giveUp: () => {
      const all = [...lines.values()].flat();
      lines.clear();
      return all;
    },
  };
}
