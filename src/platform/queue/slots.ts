interface Slots {
  /** Resolves once there is room in a group. Gives what makes room again. */
  enter(group: string): Promise<() => void>;
}

/** Has at most `most` of each group at work at once, the others after them in their order. */
export function createSlots(most: number): Slots {
  const groups = new Map<string, { taken: number; readonly waiting: (() => void)[] }>();
  return {
    enter: async (name) => {
      const group = groups.get(name) ?? { taken: 0, waiting: [] };
      groups.set(name, group);
      if (group.taken < most) group.taken += 1;
      else await new Promise<void>((resolve) => group.waiting.push(resolve));
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        const next = group.waiting.shift();
        if (next) return next();
        group.taken -= 1;
        if (group.taken === 0) groups.delete(name);
      };
    },
  };
}
