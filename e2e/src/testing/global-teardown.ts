import { takeStack } from './shared-stack.js';

export default async function tearDown(): Promise<void> {
  await takeStack()?.stop();
}
