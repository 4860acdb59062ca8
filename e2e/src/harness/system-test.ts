import { it } from '@jest/globals';
import { Scene } from './scene.js';

const stackRuns = process.env['OSSIAN_TEST_KAFKA'] !== undefined;
const stackRequired = process.env['OSSIAN_STACK'] === 'required';

/**
 * One whole-system test with a scene of its own. Where no stack runs it is skipped, or, with OSSIAN_STACK=required, it
 * fails. When it fails it shows the ends of all logs and leaves them in place.
 */
export function systemTest(title: string, run: (scene: Scene) => Promise<void>, milliseconds = 180_000): void {
  const test = stackRuns || stackRequired ? it : it.skip;
  test(
    title,
    async () => {
      const scene = await Scene.open();
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
    },
    milliseconds,
  );
}
