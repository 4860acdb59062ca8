/** Lets a loop sleep until something happens. A call of `now` is never lost, and waiting always lets other work run. */
export class Wake {
  #called = false;
  #end: (() => void) | undefined;

  now(): void {
    this.#called = true;
    this.#end?.();
  }

  /** Resolves at the next `now`, at once where it was called since the last wait, or after the time (milliseconds). */
  async wait(milliseconds: number): Promise<void> {
    if (this.#called) await new Promise((resolve) => setImmediate(resolve));
    else {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#end = undefined;
    this.#called = false;
  }
}
