interface ClosableScene {
  logTails(): string;
  close(keepFolder: boolean): Promise<void>;
}

/** Runs a test in a scene of its own. When it fails it shows the ends of all logs and leaves them in place. */
export async function runScene<S extends ClosableScene>(open: () => Promise<S>, run: (scene: S) => Promise<void>): Promise<void> {
  const scene = await open();
  let passed = false;
  try {
    await run(scene);
    passed = true;
  } catch (error) {
    if (error instanceof Error) error.message += `\n\n${scene.logTails()}`;
    throw error;
  } finally {
    await scene.close(!passed);
  }
}
