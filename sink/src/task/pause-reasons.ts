/** Why a partition is not fetched: several reasons may hold at once, and it is fetched again when none does. */
export const pauseReasons = ['operator', 'buffer'] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** The reasons for which partitions are paused. Pure: it says what to do, and its owner does it. */
export class PauseReasons {
  readonly #reasons = new Map<string, Set<PauseReason>>();

  /** @returns true where the partition was fetched until now and is to be paused. */
  add(partition: string, reason: PauseReason): boolean {
    const reasons = this.#reasons.get(partition);
    if (reasons !== undefined) {
      reasons.add(reason);
      return false;
    }
    this.#reasons.set(partition, new Set([reason]));
    return true;
  }

  /** @returns true where this was the last reason and the partition is to be fetched again. */
  remove(partition: string, reason: PauseReason): boolean {
    const reasons = this.#reasons.get(partition);
    if (reasons?.delete(reason) !== true || reasons.size > 0) return false;
    this.#reasons.delete(partition);
    return true;
  }

  of(partition: string): readonly PauseReason[] {
    return [...(this.#reasons.get(partition) ?? [])];
  }

  /** After a new assignment nothing is paused. */
  clear(): void {
    this.#reasons.clear();
  }
}
