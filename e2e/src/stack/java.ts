import { fileURLToPath } from 'node:url';
import { findJava } from './requirements.js';

export interface JavaProgram {
  command: string;
  args: string[];
}

const logging = fileURLToPath(new URL('../../stack/log4j2.properties', import.meta.url));
// One or two cores for everything: the serial collector and the first compiler start fastest.
const machine = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xss512k', '-Djava.awt.headless=true'];

/** @param heapMegabytes the most that the program's heap may grow to. */
export function javaProgram(
  main: string,
  jars: string,
  logFile: string,
  heapMegabytes: number,
  args: readonly string[],
): JavaProgram {
  return {
    command: findJava(),
    args: [
      `-Xmx${heapMegabytes}m`,
      ...machine,
      `-Dlog4j2.configurationFile=${logging}`,
      `-Dlogfile=${logFile}`,
      '-cp',
      `${jars}/*`,
      main,
      ...args,
    ],
  };
}
