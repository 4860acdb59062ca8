import { definedEnvironment } from '../processes/supervisor-client.js';

const settingNames = /^(OSSIAN_|DATABASE_URL$|ANTHROPIC_|HOST$|PORT$)/;

/** This process's environment without the products' settings: what a developer has set for their own servers is not to change a test. */
export function cleanEnvironment(): Record<string, string> {
  return Object.fromEntries(Object.entries(definedEnvironment()).filter(([name]) => !settingNames.test(name)));
}
