/** Resolves at the first SIGINT, SIGTERM or SIGHUP; the process stays alive until then. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const alive = setInterval(() => undefined, 1 << 30);
    const end = (): void => {
      clearInterval(alive);
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  });
}
