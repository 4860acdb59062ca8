import type { Stack } from '../stack/index.js';

// Jest loads setup and teardown apart from the tests, but in one process: the stack is kept on the process itself.
const holder = process as NodeJS.Process & { ossianStack?: Stack };

export function keepStack(stack: Stack): void {
  holder.ossianStack = stack;
}
export function takeStack(): Stack | undefined {
  return holder.ossianStack;
}
