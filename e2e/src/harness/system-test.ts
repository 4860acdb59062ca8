import { it } from '@jest/globals';
import { runScene } from './run-scene.js';
import { Scene } from './scene.js';

const stackRuns = process.env['OSSIAN_TEST_KAFKA'] !== undefined;
const stackRequired = process.env['OSSIAN_STACK'] === 'required';

/**
 * One whole-system test with a scene of its own. Where no stack runs it is skipped, or, with OSSIAN_STACK=required, it
 * fails. When it fails it shows the ends of all logs and leaves them in place.
 */
export function systemTest(title: string, run: (scene: Scene) => Promise<void>, milliseconds = 180_000): void {
  const test = stackRuns || stackRequired ? it : it.skip;
  test(title, () => runScene(() => Scene.open(), run), milliseconds);
}
